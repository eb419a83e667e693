import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startHousekeeping } from '../../../src/db/operations/housekeeping.ts';
import { storeRefusal } from '../../../src/db/operations/refused-commands.ts';
import { claimKeys } from '../../../src/db/requests/request-store.ts';
import type { CommandId } from '../../../src/domain/ids.ts';
import { eventually } from '../../support/eventually.ts';
import { addCompany, type Books, newId, openBooks, type TestCompany } from '../ledger/books.ts';

/** The rows that every worker removes in the background. */

const HOUR = 1 / 24;

let books: Books;
let company: TestCompany;
beforeAll(async () => {
  books = await openBooks();
  company = await addCompany(books.owner.em.fork());
});
afterAll(() => books.close());

async function claim(key: string, expiredForDays: number): Promise<void> {
  const asked = { companyId: company.id, operation: 'POST /v1/x', key, fingerprint: Buffer.alloc(32) };
  await claimKeys(books.api.em.fork(), [{ ...asked, commandId: newId<CommandId>() }]);
  const age = 'update idempotency set expires_at = now() - make_interval(secs => ? * 86400) where key = ?';
  await books.owner.em.fork().execute(age, [expiredForDays, key]);
}

async function session(expiredForDays: number): Promise<string> {
  const [id, administrator] = [newId<string>(), newId<string>()];
  const em = books.owner.em.fork();
  await em.execute(
    `insert into administrator (id, company_id, first_name, last_name, email, password_hash, proof, role, must_change_password)
     values (?, ?, 'A', 'B', ?, 'none', 'none', 'OWNER', false)`,
    [administrator, company.id, `${administrator}@test.example`],
  );
  await em.execute(
    `insert into session (id, company_id, administrator_id, last_used_at) values (?, ?, ?, now() - make_interval(days => ? + 7))`,
    [id, company.id, administrator, expiredForDays],
  );
  await em.execute(
    `insert into refresh_token (id, company_id, administrator_id, session_id, token_hash, expires_at)
     values (?, ?, ?, ?, decode(?, 'hex'), now() - make_interval(days => ?))`,
    [id, company.id, administrator, id, id.replaceAll('-', ''), expiredForDays],
  );
  return id;
}

const keysLeft = async () =>
  (await books.owner.em.fork().execute<{ key: string }[]>('select key from idempotency order by key')).map(
    ({ key }) => key,
  );
const sessionsLeft = async () =>
  (
    await books.owner.em
      .fork()
      .execute<{ id: string }[]>('select id from refresh_token union all select id from session order by id')
  ).map(({ id }) => id);

test('expired rows are removed in several calls, even by parallel workers; other rows stay', async () => {
  for (let number = 0; number < 40; number += 1) await claim(`old ${number}`, HOUR);
  await claim('new', -HOUR);
  const [known] = [await session(29), await session(31)];
  const sweeps = Array.from({ length: 8 }, () =>
    books.worker.em.fork().execute<{ swept: number }[]>("select sweep_expired(10, '30 days') as swept"),
  );
  const swept = (await Promise.all(sweeps)).map(([row]) => row?.swept ?? 0);
  expect(Math.max(...swept)).toBeLessThanOrEqual(10);
  const stop = new AbortController();
  const errors: object[] = [];
  const log = { error: (details: object) => errors.push(details), info: () => undefined };
  const running = startHousekeeping(books.worker, 30, { intervalMs: 5, log, signal: stop.signal });
  await eventually(async () => (await keysLeft()).length <= 1 && (await sessionsLeft()).length <= 2);
  stop.abort();
  await running;
  expect(await keysLeft()).toEqual(['new']);
  expect(await sessionsLeft()).toEqual([known, known]); // the session and its token
  expect(errors).toEqual([]);
});

describe('the refusals of commands', () => {
  const refuse = async (sentAt: string | null) => {
    const [entityId, commandId] = [newId<string>(), newId<string>()];
    const refusal = { kind: 'refused', code: 'wrong_state', detail: 'no' } as const;
    await storeRefusal(books.worker.em.fork(), { entityId, commandId, sentAt, ...refusal });
    const [row] = await books.owner.em
      .fork()
      .execute<{ hours: number }[]>(
        'select round(extract(epoch from expires_at - now()) / 3600)::int as hours from refused_command where command_id = ?',
        [commandId],
      );
    return { commandId, keptHours: row?.hours };
  };
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const left = async () => {
    const rows = await books.owner.em
      .fork()
      .execute<{ command_id: string }[]>('select command_id from refused_command');
    return rows.map(({ command_id }) => command_id);
  };

  test.each([
    ['two days, because the message is refused as too old after one', 0, 48],
    ['two days from now, of an old message', -100, 48],
    ['two days longer, of a message that was sent in the future', 5, 53],
    ['a year at most', 100_000, 366 * 24],
  ])('are kept for %s', async (_what, sentInHours, hours) => {
    expect((await refuse(inHours(sentInHours))).keptHours).toBe(hours);
  });

  test('are kept for a year when the message does not say when it was sent', async () => {
    expect((await refuse(null)).keptHours).toBe(366 * 24);
  });

  test('are removed when they have expired, within the bound of a call, and not before', async () => {
    await books.owner.em.fork().execute('alter table refused_command disable trigger user');
    const expired = [await refuse(null), await refuse(null), await refuse(null)].map(({ commandId }) => commandId);
    const kept = await refuse(null);
    await books.owner.em
      .fork()
      .execute(
        "update refused_command set expires_at = now() - interval '1 second' where command_id = any (?::uuid[])",
        [`{${expired.join(',')}}`],
      );
    await books.owner.em.fork().execute('alter table refused_command enable trigger user');
    const remaining = async () => (await left()).filter((id) => expired.includes(id)).length;

    await books.worker.em.fork().execute("select sweep_expired(2, '30 days')");
    expect(await remaining()).toBe(1);
    await books.worker.em.fork().execute("select sweep_expired(2, '30 days')");
    expect(await remaining()).toBe(0);
    expect(await left()).toContain(kept.commandId);
  });

  test('cannot be removed or changed before they expire', async () => {
    const { commandId } = await refuse(null);
    const owner = (statement: string) => books.owner.em.fork().execute(statement, [commandId]);
    await expect(owner('delete from refused_command where command_id = ?')).rejects.toThrow(/never changed or deleted/);
    await expect(owner('update refused_command set expires_at = now() where command_id = ?')).rejects.toThrow(
      /never changed or deleted/,
    );
  });
});

test('the API cannot remove expired rows', async () => {
  await expect(books.api.em.fork().execute("select sweep_expired(1, '30 days')")).rejects.toThrow(/permission denied/);
});

test('the hash of a reference that was given up is removed once others may have the reference', async () => {
  const owner = books.owner.em.fork();
  const refer = (reference: string | null) =>
    owner.execute("update app_user set custom_reference = ? where company_id = ? and mobile_number = '+0'", [
      ...[reference, company.id],
    ]);
  await refer('older');
  for (const [next, days] of [
    ['newer', 91],
    [null, 89],
  ] as const) {
    await refer(next);
    await owner.execute(
      `update given_up_reference set given_up_at = now() - make_interval(days => ?)
       where given_up_at > now() - interval '1 hour' and company_id = ?`,
      [days, company.id],
    );
  }
  await books.worker.em.fork().execute("select sweep_expired(100, '7 days')");
  const left = await owner.execute<object[]>(
    "select reference_hash = reference_hash(company_id, 'newer') as newer from given_up_reference where company_id = ?",
    [company.id],
  );
  expect(left).toEqual([{ newer: true }]);
});

test('what is kept about messages is removed after its days', async () => {
  const owner = books.owner.em.fork();
  const write = (days: number) =>
    owner.execute(
      `with at (at) as (select now() - make_interval(days => ?)), passwords as (
         insert into one_time_password (asked_hash, network_hash, link_ids, code_hash, created_at, expires_at)
         select 'a', 'n', '{}', 'c', at, '{}' from at
       ), reports as (
         insert into messaging_event (message_id, kind, recorded_at) select 'wamid.' || ?::text, 'sent', at from at
       )
       insert into sandbox_message (company_id, mobile_number, code, merchant, amount, sent_at)
       select ?, '+263771000000', '000000', 'm', 'USD 1.00', at from at`,
      [days, days, company.id],
    );
  for (const days of [8, 6]) await write(days);
  await books.worker.em.fork().execute("select sweep_expired(100, '7 days')");
  const left = await owner.execute<{ ages: number }[]>(
    `select extract(day from now() - at)::int as ages from (
       select created_at from one_time_password union all select recorded_at from messaging_event
       union all select sent_at from sandbox_message) kept (at)`,
  );
  expect(left.map(({ ages }) => ages)).toEqual([6, 6, 6]);
});
