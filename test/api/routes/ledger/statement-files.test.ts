import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { parse } from 'csv-parse/sync';
import { connect } from '../../../../src/db/core/orm.ts';
import type { AccountId, CompanyId } from '../../../../src/domain/ids.ts';
import { createLog } from '../../../../src/observability/log.ts';
import { bare } from '../../../support/api.ts';
import { addEntries } from '../../../support/entries.ts';
import { newCompany, newUser, type TestCompany } from '../../../support/service.ts';
import { fetchStatement, readStatements } from '../../../support/statements.ts';
import { type OwnService, startService } from '../../../support/whole-service.ts';

/** Statements of more entries than are read at once: files are sent while their entries are read. */

const ENTRIES = 1_300;
const FROM = new Date('2026-01-01T00:00:00Z');
const WINDOW = `startDate=${FROM.toISOString()}`;

let service: OwnService;
let company: TestCompany;
let owner: MikroORM;
let bank: string;
const logged: string[] = [];

beforeAll(async () => {
  service = await startService({ withWorker: false, log: createLog('error', { write: (line) => logged.push(line) }) });
  owner = await connect({ databaseUrl: service.database.ownerUrl, poolMax: 1, applicationName: 'test' });
  company = await newCompany(service);
  const { body } = await company.get('/v1/ledger/company/accounts');
  bank = body.find((one: { type: string; currency: string }) => one.type === 'BANK' && one.currency === 'USD').id;
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});

/** A user's account with many entries. A broken one cannot be read: it has no transaction. */
async function accountWithEntries({ isLastBroken = false } = {}): Promise<string> {
  const { usdAccountId } = await newUser(company);
  const sides = {
    companyId: bare(company.id) as CompanyId, // as the API shows it
    account: bare(usdAccountId) as AccountId,
    contra: bare(bank) as AccountId,
  };
  await addEntries(owner.em.fork(), { ...sides, count: ENTRIES, from: FROM });
  const from = new Date(FROM.getTime() + ENTRIES * 1_000);
  if (isLastBroken) await addEntries(owner.em.fork(), { ...sides, count: 1, from, areTransactionsMissing: true });
  return usdAccountId;
}

const file = (account: string, format: string) =>
  fetchStatement(service, company, account, `?format=${format}&${WINDOW}`);

test('all formats have every entry, and the same totals', async () => {
  const account = await accountWithEntries();
  const read = await readStatements(service, company, account, WINDOW);
  expect(read.json.entries).toHaveLength(ENTRIES);
  expect(read.json).toMatchObject({ opening: '0', credits: '867', debits: '433', closing: '434' });
  expect(read.csv).toEqual(read.json);
  expect(read['camt.053']).toEqual(read.json);
  expect(read.pdf).toEqual({ ...read.json, entries: null });
  const lines: Record<string, string>[] = parse(await (await file(account, 'csv')).text(), { columns: true });
  let balance = 0;
  for (const line of lines.filter(({ record }) => record === 'ENTRY')) {
    balance += line.direction === 'CREDIT' ? 1 : -1;
    expect(line.balance_after_cents).toBe(String(balance));
  }
});

describe('a statement whose last entry cannot be read', () => {
  let broken: string;
  beforeAll(async () => {
    broken = await accountWithEntries({ isLastBroken: true });
  });

  test.each(['csv', 'camt.053'])('begins as %s, and breaks off before it looks complete', async (format) => {
    const answer = await file(broken, format);
    expect(answer.status).toBe(200);
    const decoder = new TextDecoder();
    let text = '';
    const readAll = async () => {
      for await (const part of answer.body ?? []) text += decoder.decode(part, { stream: true });
    };
    await expect(readAll()).rejects.toThrow('terminated');
    expect(text).toMatch(/^record,|^<\?xml/);
    expect(text).not.toMatch(/CLOSING_BALANCE|<\/Document>/);
  });

  test('is logged with its request, and only the log has the error', async () => {
    const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    try {
      const answer = await file(broken, 'csv');
      await expect(answer.text()).rejects.toThrow('terminated');
      const requestId = answer.headers.get('x-request-id') ?? '';
      const line = logged.find((one) => one.includes('a file download failed') && one.includes(requestId));
      expect(line).toContain('have no transaction');
      expect(printed.mock.calls).toEqual([[new Error(`a file download failed, see the log of request ${requestId}`)]]);
    } finally {
      printed.mockRestore();
    }
  });

  test.each(['json', 'pdf'])('is not a file as %s, because this format needs all entries at once', async (format) => {
    const answer = await file(broken, format);
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 500,
      body: { code: 'internal_error' },
    });
  });
});
