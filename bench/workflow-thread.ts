import { fileURLToPath } from 'node:url';
import { TypedSearchAttributes } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { parseWorkflowCode } from '@temporalio/worker/lib/worker.js';
import type { Workflow, WorkflowCreator } from '@temporalio/worker/lib/workflow/interface.js';
import { ThreadedVMWorkflowCreator } from '@temporalio/worker/lib/workflow/threaded-vm.js';
import { createUnsafeRandomSource } from '@temporalio/workflow/lib/random-helpers.js';
import { startThread, workflowCreator } from '../src/worker/workflow-worker.ts';
import { summarize } from './measure.ts';

/**
 * `npm run bench:thread`: the processor time of one no-op update in the workflow thread, without Temporal's server. The SDK's own
 * thread is the reference; the subjects take turns.
 */

const RUNS = 20;
const UPDATES = 100;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 30);

const logger = new DefaultLogger('WARN');
const workflowsPath = fileURLToPath(new URL('./no-op-workflow.ts', import.meta.url));
const bundle = parseWorkflowCode((await bundleWorkflowCode({ workflowsPath, logger })).code);
const registeredActivityNames = new Set<string>();
const stock = {
  workflowBundle: bundle,
  threadPoolSize: 1,
  isolateExecutionTimeoutMs: 5_000,
  reuseV8Context: true,
  registeredActivityNames,
  logger,
};
const ours = (hasCallStacks: boolean) =>
  workflowCreator([startThread(hasCallStacks, () => undefined)], bundle, registeredActivityNames, logger);

type Subject = { readonly name: string; readonly workflows: readonly Workflow[]; readonly microseconds: number[] };
const subjects: Subject[] = [
  await subject('thread of the SDK', await ThreadedVMWorkflowCreator.create(stock)),
  await subject('without a time limit for each call', await ours(true)),
  await subject('without call stacks either', await ours(false)),
];

let updates = 0;
for (let round = 0; round <= ROUNDS; round++)
  for (const { workflows, microseconds } of round % 2 === 0 ? subjects : subjects.toReversed()) {
    const took = await measure(workflows);
    if (round > 0) microseconds.push(took);
  }
const reference = subjects[0]?.microseconds ?? [];
for (const { name, microseconds } of subjects) {
  const ratios = summarize(microseconds.map((took, round) => took / (reference[round] ?? 0)));
  const ratio = `${ratios.median.toFixed(2)} [${ratios.least.toFixed(2)}..${ratios.most.toFixed(2)}]`;
  console.log(
    `${name}: ${summarize(microseconds).median.toFixed(0)} us of processor time an update, ${ratio} of the SDK`,
  );
}
process.exit(0);

/** Processor time of the whole process for one update. */
async function measure(workflows: readonly Workflow[]): Promise<number> {
  const before = process.cpuUsage();
  for (let update = 0; update < UPDATES; update++) {
    updates += 1;
    const id = `update-${updates}`;
    const meta = { identity: 'bench', updateId: id };
    const doUpdate = { id, protocolInstanceId: id, name: 'nothing', input: [], headers: {}, meta, runValidator: true };
    await activate(workflows[update % RUNS], { doUpdate });
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / UPDATES;
}

type Activation = Parameters<Workflow['activate']>[0];
type Job = NonNullable<Activation['jobs']>[number];

async function activate(workflow: Workflow | undefined, job: Job): Promise<void> {
  if (workflow === undefined) throw new Error('no workflow');
  const activation: Activation = { timestamp: msToTs(Date.now()), isReplaying: false, historyLength: 3, jobs: [job] };
  const { failed } = await workflow.activate(activation);
  if (failed != null) throw new Error(`the activation failed: ${JSON.stringify(failed)}`);
  await workflow.getAndResetSinkCalls();
}

async function subject(name: string, creator: WorkflowCreator): Promise<Subject> {
  const workflows: Workflow[] = [];
  while (workflows.length < RUNS) {
    const runId = `${name} ${workflows.length}`;
    const workflow = await creator.createWorkflow({
      info: {
        workflowId: runId,
        runId,
        workflowType: 'noOpWorkflow',
        searchAttributes: {},
        typedSearchAttributes: new TypedSearchAttributes(),
        historyLength: 3,
        historySize: 0,
        continueAsNewSuggested: false,
        targetWorkerDeploymentVersionChanged: false,
        taskQueue: 'bench',
        namespace: 'default',
        firstExecutionRunId: runId,
        originalExecutionRunId: runId,
        startTime: new Date(),
        runStartTime: new Date(),
        taskTimeoutMs: 10_000,
        attempt: 1,
        unsafe: {
          now: Date.now,
          random: createUnsafeRandomSource(Math.random),
          isReplaying: false,
          isReplayingHistoryEvents: false,
        },
      },
      randomnessSeed: [1, 2, 3, 4],
      now: Date.now(),
      showStackTraceSources: false,
    });
    await activate(workflow, { initializeWorkflow: { workflowType: 'noOpWorkflow', workflowId: runId } });
    workflows.push(workflow);
  }
  return { name, workflows, microseconds: [] };
}
