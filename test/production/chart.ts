import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `npm run try:chart` checks the Helm chart with helm, the schemas of Kubernetes and the policies of checkov: the rendered manifests
 * have no finding, and values that the chart does not have are refused.
 */

const CHART = 'deploy/helm';
/** The oldest and the newest Kubernetes. */
const KUBERNETES = ['1.27.0', '1.37.0'];
/** Kinds of the Prometheus operator, which are not in the schemas of Kubernetes. */
const OTHER_KINDS = /^kind: (ServiceMonitor|PrometheusRule)$/m;
/** Secrets as files instead of variables: the service reads its configuration from variables. */
const SKIPPED_POLICY = 'CKV_K8S_35';
const MIB = 1_048_576;

const NEEDED = {
  helm: 'go install helm.sh/helm/v3/cmd/helm@v3.19.5',
  checkov: 'pip install checkov==3.3.30',
  'kubernetes-validate': 'pip install kubernetes-validate==1.37.0',
};

const REFUSED = [
  'api.replica=7',
  'worker.replicas=-1',
  'image.digest=latest',
  'secrets.api.name=',
  'nodeSelectors.a=b',
];

const complaints: string[] = [];

/** Runs a program; what it prints is a complaint if its exit code is another than expected. */
function expect(isSuccess: boolean, program: keyof typeof NEEDED, args: readonly string[], input?: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', input, maxBuffer: 64 * MIB });
  if ((status === 0) !== isSuccess)
    complaints.push(`${program} ${args.join(' ')}: exit code ${status}\n${stdout}\n${stderr}`);
  return stdout;
}

const missing = Object.entries(NEEDED).filter(([program]) => spawnSync(program, ['--help']).status !== 0);
for (const [program, install] of missing) console.error(`try:chart needs ${program} on PATH: ${install}`);
if (missing.length > 0) process.exit(1);

const sets = readdirSync(join(CHART, 'ci')).map((file) => join(CHART, 'ci', file));
const [first = ''] = sets;
const template = (...args: string[]) => [
  'template',
  'escrow',
  CHART,
  '--namespace',
  'escrow',
  '--kube-version',
  '1.34',
  ...args,
];

for (const values of sets) {
  expect(true, 'helm', ['lint', '--strict', '--values', values, CHART]);
  const manifests = expect(true, 'helm', template('--values', values));
  const known = manifests.split(/^---$/m).filter((one) => /^kind:/m.test(one) && !OTHER_KINDS.test(one));
  for (const version of KUBERNETES) {
    const check = ['--strict', '--no-warn', '-k', version, '-'];
    expect(true, 'kubernetes-validate', check, known.join('---'));
    // The check itself: a misspelt field is a finding.
    expect(
      false,
      'kubernetes-validate',
      check,
      known.join('---').replace('automountServiceAccountToken', 'automountToken'),
    );
  }
  const policies = ['--framework', 'kubernetes', '--compact', '--quiet', '--skip-check', SKIPPED_POLICY];
  const rendered = values.replace('/ci/', '/rendered/');
  expect(true, 'checkov', [...policies, '--file', rendered]);
}
for (const setting of REFUSED) expect(false, 'helm', template('--values', first, '--set', setting));
const none = ['--set', 'api.autoscaling.enabled=false,api.replicas=0'];
if (!expect(true, 'helm', template('--values', first, ...none)).includes('replicas: 0'))
  complaints.push('api.replicas=0 is not honoured');

for (const complaint of complaints) console.error(complaint);
console.log(`chart: ${sets.length} sets of values, ${REFUSED.length} refused settings, findings ${complaints.length}`);
process.exitCode = complaints.length === 0 ? 0 : 1;
