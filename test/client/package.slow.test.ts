import { spawn } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { CLIENT, run, typeCheck } from '../support/client-project.ts';
import { eventually } from '../support/eventually.ts';
import { newCompany, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { startWebhookReceiver, verifySignature } from '../support/webhook-receiver.ts';

/** The published package: packed, installed into a fresh project without a network, compiled and run. */

const MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url));
const EXAMPLE = join(CLIENT, 'examples/marketplace.ts');
/** What the code of the README takes from the program around it. */
const AROUND_README = `
declare const buyerId: string, sellerId: string, buyerAccountId: string, rawBody: Uint8Array;
declare const request: import('node:http').IncomingMessage;
declare function askForMoney(details: import('escrow-payments-client').AmountDetails | undefined): void;
`;
const MAX_BYTES = 15_000;
const MAX_LINES = 60;

let project: string;
let service: TestService;

/** Packs a directory into the project, and returns the file. */
async function pack(directory: string, ...options: string[]): Promise<string> {
  const output = await run('npm', ['pack', directory, '--silent', '--pack-destination', project, ...options], project);
  return `file:./${output.trim().split('\n').at(-1)}`;
}

/** The client as in a fresh clone: nothing is built. */
function checkOut(directory: string): string {
  cpSync(CLIENT, directory, { recursive: true, filter: (path) => !/[\\/](dist|node_modules)$/.test(path) });
  symlinkSync(MODULES, join(directory, 'node_modules'));
  return directory;
}

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'escrow-client-'));
  const dependencies = {
    'escrow-payments-client': await pack(checkOut(join(project, 'clone'))),
    'openapi-fetch': await pack(join(MODULES, 'openapi-fetch'), '--ignore-scripts'),
    'openapi-typescript-helpers': await pack(join(MODULES, 'openapi-typescript-helpers'), '--ignore-scripts'),
  };
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true, dependencies }));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund'], project);
  service = await sharedService();
});
afterAll(async () => {
  await service?.stop();
  rmSync(project, { recursive: true, force: true });
});

describe('the packed client', () => {
  test('was compiled by npm pack: every source has its code and its types', () => {
    const names = readdirSync(join(CLIENT, 'src')).map((name) => name.replace(/\.ts$/, ''));
    const built = readdirSync(join(project, 'node_modules/escrow-payments-client/dist'));
    expect(names.length).toBeGreaterThan(5);
    expect(built.sort()).toEqual(names.flatMap((name) => [`${name}.d.ts`, `${name}.js`]).sort());
  });

  test('contains the needed files and no others', () => {
    const packed = join(project, 'node_modules/escrow-payments-client');
    expect(readdirSync(packed).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
  });

  test(`is at most ${MAX_BYTES} bytes of minified code, openapi-fetch included`, async () => {
    const { outputFiles } = await build({
      absWorkingDir: project,
      entryPoints: ['escrow-payments-client'],
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      platform: 'node',
      target: 'node20',
    });
    const bytes = outputFiles.reduce((sum, { contents }) => sum + contents.byteLength, 0);
    expect(bytes).toBeGreaterThan(5_000);
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  });

  test(`takes a marketplace from its registration to a statement, in at most ${MAX_LINES} lines`, async () => {
    const program = readFileSync(EXAMPLE, 'utf8');
    expect(program.trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES);
    copyFileSync(EXAMPLE, join(project, 'marketplace.ts'));
    await typeCheck(project, ['marketplace.ts']);
    const output = await run(process.execPath, ['marketplace.ts', service.url, service.sandbox.url], project);
    expect(output).toContain('card ACCEPTED');
    expect(output).toContain('payout COMPLETED');
    expect(output.match(/^statement .*$/gm)).toEqual([
      'statement PAYMENT 23760 23760',
      'statement PAYMENT 20000 43760',
      'statement PAYMENT 24750 68510',
      'statement WITHDRAWAL 30000 38510',
    ]);
  });

  test('has a command line that makes sample events, prints them, and forwards them as signed webhooks', async () => {
    const company = await newCompany(service);
    const variables = { ESCROW_URL: service.url, ESCROW_COMPANY_ID: company.id, ESCROW_API_KEY: company.apiKey };
    const bin = join(project, 'node_modules/.bin/escrow-payments-client');
    const receiver = await startWebhookReceiver();
    const secret = `whsec_${Buffer.alloc(24, 'x').toString('base64')}`;
    const env = { PATH: process.env.PATH ?? '', ...variables };
    const listener = spawn(
      bin,
      ['listen', '--forward-to', receiver.url, '--secret', secret, '--types', 'escrow.released'],
      { env },
    );
    try {
      let printed = '';
      listener.stdout.on('data', (chunk: Buffer) => (printed += chunk));
      await eventually(() => printed.includes('Listening to'));
      await run(bin, ['trigger', 'escrow.released'], project, variables);
      const one = await eventually(() => receiver.received[0]);
      expect(verifySignature(secret, one)).toMatchObject({ type: 'escrow.released' });
      const events = await run(bin, ['events'], project, variables);
      const types = events
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line).type);
      expect(types).toEqual(expect.arrayContaining(['user.created', 'deposit.received', 'escrow.released']));
    } finally {
      listener.kill('SIGTERM');
      await receiver.stop();
    }
    const wrong = (args: string[], reason: string, changed = {}) =>
      expect(run(bin, args, project, { ...variables, ...changed })).rejects.toThrow(reason);
    await wrong(['trigger', 'no.such'], 'trigger knows');
    await wrong(['trigger', 'user.created'], 'no key of production', { ESCROW_API_KEY: `esc_l_${'x'.repeat(32)}` });
    await wrong(['listen', '--forward-to', receiver.url, '--secret', 'mine'], 'secret must be whsec_');
    await wrong(['events', '--no-such'], "Unknown option '--no-such'");
    await wrong(['events'], 'baseUrl must be an address', { ESCROW_URL: 'localhost' });
    await wrong(['events'], 'unauthenticated: ', { ESCROW_API_KEY: 'wrong' });
  });

  test('has a README whose code is strict TypeScript', async () => {
    const readme = readFileSync(join(CLIENT, 'README.md'), 'utf8');
    const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
    expect(blocks.length).toBeGreaterThanOrEqual(3);
    const files = blocks.map((code, position) => {
      const name = `readme-${position}.ts`;
      writeFileSync(join(project, name), `${code}${AROUND_README}export {};\n`);
      return name;
    });
    await typeCheck(project, files);
  });
});
