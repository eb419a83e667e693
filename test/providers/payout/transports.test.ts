import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type BankAnswer, interpret } from '../../../src/domain/withdrawal/bank-reports.ts';
import { createPayoutBank } from '../../../src/providers/payout/index.ts';
import type { PayoutBank, PayoutInstruction } from '../../../src/providers/payout/port.ts';
import { readPain001, renderFileReport, renderPaymentReport } from '../../../src/sandbox/providers/bank-files.ts';
import { startSandbox } from '../../../src/sandbox/providers/server.ts';
import { type OwnSandbox, startTestSandbox } from '../../support/sandbox.ts';
import { json, type ScriptedServer, startScriptedServer } from '../../support/scripted-server.ts';

const ID = 'WD0190A1B2C3D47E5F8A9B0C1D2E3F4A5B';
const DEBTOR = { name: 'Escrow Service', accountNumber: '1000000000001', bankCode: '00001' };
const INSTRUCTION: PayoutInstruction = {
  endToEndId: ID,
  instructionId: ID,
  amountCents: 10_050n,
  currency: 'USD',
  createdAt: new Date('2026-01-31T09:30:00.000Z'),
  reference: 'payout-1',
  creditor: { name: 'T. Moyo', accountNumber: '0123456789', bankName: 'CBZ', branchCode: '6101' },
};

/** The meaning of the bank's report for a payment that was sent once. */
const meaning = async (word: Promise<BankAnswer>) => interpret(await word, { attempts: 1, acceptedAttempt: null });
const PENDING = { kind: 'pending', attempt: null, concern: null };
const ACCEPTED = { ...PENDING, attempt: 1 };

describe('over HTTP', () => {
  let server: ScriptedServer;
  let bank: PayoutBank;
  beforeAll(async () => {
    server = await startScriptedServer();
    bank = createPayoutBank({ address: server.url, token: 'token-1', debtor: DEBTOR });
  });
  afterAll(() => server.stop());

  test('a payment is a file under its own name and is not sent twice automatically', async () => {
    server.answer((response) => response.destroy());
    await expect(bank.send(INSTRUCTION)).rejects.toMatchObject({ name: 'ProviderError', outcome: 'unknown' });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      url: '/v1/files',
      headers: { authorization: 'Bearer token-1' },
    });
    const file = JSON.parse(server.requests[0]?.body ?? '');
    expect(file.name).toBe(`${ID}.xml`);
    expect(readPain001(file.content)).toMatchObject({
      messageId: ID,
      payments: [{ endToEndId: ID, amount: '100.50' }],
    });
  });

  test.each([
    ['taken', json(200, { report: null }), PENDING],
    ['taken with a word', json(200, { report: renderFileReport(ID, { status: 'ACTC' }) }), PENDING],
    ['a duplicate', json(200, { report: renderFileReport(ID, { status: 'RJCT', reason: 'DU01' }) }), PENDING],
    [
      'refused',
      json(200, { report: renderFileReport(ID, { status: 'RJCT', reason: 'FF01' }) }),
      { ...PENDING, concern: 'file_refused' },
    ],
  ])('a file is %s', async (_what, script, expected) => {
    server.answer(script);
    expect(await meaning(bank.send(INSTRUCTION))).toEqual(expected);
  });

  test.each([
    ['unknown', json(404, { error: 'unknown payment' }), { kind: 'unknown' }],
    ['known, without a word', json(200, { report: null }), PENDING],
    ['settled', json(200, { report: renderPaymentReport(ID, { status: 'ACSC' }) }), { kind: 'settled' }],
    ['reported as another', json(200, { report: renderPaymentReport('WD2', { status: 'RJCT' }) }), { kind: 'unknown' }],
  ])('a payment is %s', async (_what, script, expected) => {
    server.answer(script);
    expect(await meaning(bank.status(ID))).toMatchObject(expected);
  });

  test.each([
    ['an outage', json(503, {}), 'unknown', 'unreachable'],
    ['a refusal about the file', json(400, {}), 'unreachable', 'unreachable'],
    ['a wrong token', json(401, {}), 'unreachable', 'unreachable'],
    ['a report that is none', json(200, { report: '<html/>' }), 'unknown', 'unknown'],
  ])('%s never means that the payment was refused', async (_what, script, ofSending, ofAsking) => {
    server.answer(script);
    await expect(bank.send(INSTRUCTION)).rejects.toMatchObject({ name: 'ProviderError', outcome: ofSending });
    await expect(bank.status(ID)).rejects.toMatchObject({ name: 'ProviderError', outcome: ofAsking });
  });
});

describe('the sandbox bank', () => {
  let sandbox: OwnSandbox;
  let bank: PayoutBank;
  beforeEach(async () => {
    sandbox = await startTestSandbox();
    bank = createPayoutBank(sandbox.settings.payout);
  });
  afterEach(() => sandbox.stop());
  const say = (body: unknown) => sandbox.control('POST', '/payouts', body);

  test('accepts a file once and pays on request', async () => {
    await say({ outcome: 'manual' });
    expect(await bank.status(ID)).toEqual({ kind: 'unknown' });
    expect(await meaning(bank.send(INSTRUCTION))).toEqual(ACCEPTED);
    expect(await meaning(bank.send(INSTRUCTION))).toEqual(PENDING); // the bank says that this is a duplicate
    await say({ outcome: 'settled', reference: 'payout-1' });
    expect(await meaning(bank.status(ID))).toMatchObject({ kind: 'settled' });
    expect((await sandbox.control('GET', '/payouts')).body).toMatchObject([{ endToEndId: ID, files: 2 }]);
  });

  test('returns a payment on request', async () => {
    await bank.send(INSTRUCTION);
    await say({ outcome: 'rejected', reference: 'payout-1' });
    expect(await meaning(bank.status(ID))).toMatchObject({ kind: 'rejected' });
  });

  test('refuses callers without its token', async () => {
    const stranger = createPayoutBank({ ...sandbox.settings.payout, token: 'another' });
    await expect(stranger.status(ID)).rejects.toMatchObject({ outcome: 'unreachable' });
  });

  test.each([{ outcome: 'lost' }, {}, { outcome: 'settled', reference: '' }])('refuses %j', async (body) => {
    expect((await say(body)).status).toBe(400);
  });
});

describe('the sandbox bank with a file', () => {
  test('remembers its payments over a restart, even one that was killed while it wrote', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-bank-'));
    const [file, secrets] = [
      join(folder, 'bank.jsonl'),
      { gatewayWebhookKey: '', messagingAppSecret: '', messagingVerifyToken: '' },
    ];
    const first = await startSandbox(0, secrets, file);
    const other = { ...INSTRUCTION, endToEndId: 'WD2' };
    for (const instruction of [INSTRUCTION, other]) await createPayoutBank(first.settings.payout).send(instruction);
    await first.stop();
    appendFileSync(file, '["WD3", {"endTo');

    const second = await startSandbox(0, secrets, file);
    const bank = createPayoutBank(second.settings.payout);
    expect(await meaning(bank.send(other))).toEqual(PENDING);
    expect((await bank.status(ID)).kind).not.toBe('unknown');
    expect(await bank.status('WD3')).toEqual({ kind: 'unknown' });
    await second.stop();
    rmSync(folder, { recursive: true });
  });
});

describe('in a folder', () => {
  let folder: string;
  let bank: PayoutBank;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'payout-folder-'));
    for (const name of ['outbox', 'sent', 'inbox']) mkdirSync(join(folder, name));
    bank = createPayoutBank({ address: pathToFileURL(folder).href, debtor: DEBTOR });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const at = (...parts: string[]) => join(folder, ...parts);
  const report = (name: string, content: string, ageSeconds = 0) => {
    writeFileSync(at('inbox', name), content);
    const written = Date.now() / 1_000 - ageSeconds;
    utimesSync(at('inbox', name), written, written);
  };

  test('a payment is one complete file in the outbox and known from then on', async () => {
    expect(await bank.status(ID)).toEqual({ kind: 'unknown' });
    for (const _time of [1, 2]) expect(await meaning(bank.send(INSTRUCTION))).toEqual(PENDING);
    expect(readdirSync(at('outbox'))).toEqual([`${ID}.xml`]);
    expect(readPain001(readFileSync(at('outbox', `${ID}.xml`), 'utf8')).payments).toHaveLength(1);
    expect(await meaning(bank.status(ID))).toEqual(PENDING);
  });

  test('a file that the file-transfer program has sent is not written again', async () => {
    await bank.send(INSTRUCTION);
    renameSync(at('outbox', `${ID}.xml`), at('sent', `${ID}.xml`));
    expect(await meaning(bank.status(ID))).toEqual(PENDING);
    await bank.send(INSTRUCTION);
    expect(readdirSync(at('outbox'))).toEqual([]);
  });

  test("every report counts, in the order of the bank's times, not the files' times", async () => {
    await bank.send(INSTRUCTION);
    const at = (second: number) => new Date(Date.parse('2026-02-01T10:00:00.000Z') + second * 1_000);
    report('b.xml', renderPaymentReport(ID, { status: 'RJCT', reason: 'AC04' }, at(1)), 1);
    report('a.xml', renderPaymentReport(ID, { status: 'ACSC' }, at(2)), 60);
    report('c.xml', renderPaymentReport('WD2', { status: 'RJCT' }, at(3)));
    report('d.xml', `broken <OrgnlEndToEndId>${ID}</OrgnlEndToEndId>`);
    report('e.txt', renderPaymentReport(ID, { status: 'RJCT' }, at(4)));
    report('f.xml', renderFileReport(ID, { status: 'RJCT', reasons: [{ proprietary: 'already processed' }] }));
    expect(await meaning(bank.status(ID))).toEqual({ kind: 'settled', saidAt: at(2).toISOString(), concern: null });

    report('g.xml', renderPaymentReport(ID, { status: 'RJCT', reason: 'AC06' }, at(5)), 120);
    expect(await meaning(bank.status(ID))).toMatchObject({ kind: 'rejected', reason: 'AC06' });
    rmSync(join(folder, 'inbox', 'g.xml'));
    expect(await meaning(bank.status(ID))).toMatchObject({ kind: 'settled' });
  });

  test('a report that is written again under its name is read again', async () => {
    await bank.send(INSTRUCTION);
    report('a.xml', renderPaymentReport(ID, { status: 'PDNG' }), 20);
    expect(await meaning(bank.status(ID))).toEqual(PENDING);
    report('a.xml', renderPaymentReport(ID, { status: 'ACSC' }), 10);
    expect(await meaning(bank.status(ID))).toMatchObject({ kind: 'settled' });
  });

  test('several workers at once make one file', async () => {
    await Promise.all([1, 2, 3, 4].map(() => bank.send(INSTRUCTION)));
    expect(readdirSync(at('outbox'))).toEqual([`${ID}.xml`]);
  });

  test('a folder that cannot be used is an outage, not a refusal', async () => {
    for (const name of ['outbox', 'sent', 'inbox']) rmSync(at(name), { recursive: true }); // as when it is not mounted
    await expect(bank.status(ID)).rejects.toMatchObject({ name: 'ProviderError', outcome: 'unreachable' });
    await expect(bank.send(INSTRUCTION)).rejects.toMatchObject({ name: 'ProviderError' });
    expect(readdirSync(folder)).toEqual([]);
  });
});
