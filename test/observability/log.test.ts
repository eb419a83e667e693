import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { createLog, troubleLog } from '../../src/observability/log.ts';

/** The line that is printed for these fields. */
function printed(fields: object): { readonly text: string; readonly line: Record<string, unknown> } {
  const lines: string[] = [];
  createLog('info', { write: (line) => void lines.push(line) }).info(fields, 'it happened');
  const [text = ''] = lines;
  return { text, line: JSON.parse(text) };
}

/** `inner` in `depth` objects. */
const within = (depth: number, inner: object): object => (depth === 0 ? inner : { some: within(depth - 1, inner) });

describe('the log', () => {
  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 20])('prints no secret that lies %i objects deep', (depth) => {
    for (const secret of [
      { password: 'hunter2' },
      { list: [{ idNumber: 'hunter2' }] },
      { headers: { 'x-api-key': 'hunter2' } },
    ])
      expect(printed(within(depth, secret)).text).not.toContain('hunter2');
  });

  test('prints everything else as it is', () => {
    const at = new Date('2026-01-01T00:00:00.000Z');
    const fields = { workflowId: 'escrow/1', counts: [1, 2, { three: null }], at, deep: { er: { still: true } } };
    expect(printed(fields).line).toMatchObject({ ...fields, at: at.toISOString(), level: 30, msg: 'it happened' });
    expect(printed({ apiKey: 'a' }).line).toMatchObject({ apiKey: '[redacted]' });
  });

  test.each(['err', 'error', 'other'])(
    "prints an error in the field %s without the ORM's message and its fields",
    (name) => {
      const cause = new Error('duplicate key');
      const error = Object.assign(new Error("insert into app_user values ('hunter2')", { cause }), {
        sqlMessage: 'hunter2',
        code: '23505',
        password: 'hunter2',
      });
      const { text, line } = printed({ [name]: error });
      expect(text).not.toContain('hunter2');
      expect(line).toMatchObject({ [name]: { type: 'Error', code: '23505', cause: { message: 'duplicate key' } } });
    },
  );

  test('says what it means that the disk of the database is full', () => {
    const error = Object.assign(new Error('insert into escrow'), { sqlMessage: 'hunter2', code: '53100' });
    expect(printed({ err: error }).line).toMatchObject({ err: { meaning: 'the disk of the database is full' } });
  });

  test.each(['err', 'error'])('prints no thrown value that is not an error, in the field %s', (name) => {
    expect(printed({ [name]: 'hunter2' }).line).toMatchObject({ [name]: { message: 'not an error' } });
  });

  test('prints an object that contains itself', () => {
    const circle: Record<string, unknown> = { name: 'circle' };
    circle.self = circle;
    expect(printed({ circle }).line).toMatchObject({ circle: { name: 'circle', self: { name: 'circle' } } });
  });

  test('prints an error that is logged alone', () => {
    const lines: string[] = [];
    createLog('info', { write: (line) => void lines.push(line) }).error(new Error('it failed'));
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ err: { type: 'Error', message: 'it failed' } });
  });
});

test('an outage of many failures is one line, a change of its kind another, and its end a third', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line).msg) });
  const trouble = troubleLog(log, 'sealing the ledger');
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  const starting = Object.assign(new Error('starting'), { code: '57P03' });
  trouble.worked();
  for (let round = 0; round < 1_000; round += 1) trouble.failed(refused);
  for (let round = 0; round < 1_000; round += 1) trouble.failed(starting);
  for (let round = 0; round < 1_000; round += 1) trouble.worked();
  expect(lines).toEqual([
    'sealing the ledger failed; it will be retried',
    'sealing the ledger failed; it will be retried',
    'sealing the ledger works again',
  ]);
});

const FULL = '/dev/full'; // every write to it fails as on a full disk

(existsSync(FULL) ? test : test.skip)('a full disk under the log stops no process, and keeps none from ending', () => {
  const full = openSync(FULL, 'w');
  const code = `
    import { createLog } from './src/observability/log.ts';
    const log = createLog();
    log.info('before');
    setTimeout(() => log.info('after'), 50);
    setTimeout(() => process.exit(7), 100);`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    ...{ stdio: ['ignore', full, 'pipe'], encoding: 'utf8', timeout: 20_000, killSignal: 'SIGKILL' },
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  closeSync(full);
  expect([status, stderr]).toEqual([7, 'The log cannot be written: ENOSPC: no space left on device, write\n']);
});
