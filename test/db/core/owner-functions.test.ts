import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sqlStateOf } from '../../../src/db/core/database-errors.ts';
import { inTenant } from '../../../src/db/core/orm.ts';
import { UNTIED_FUNCTIONS } from '../../support/catalogue.ts';
import { addCompany, type Books, openBooks, type TestCompany } from '../ledger/books.ts';

/** Functions with the owner's rights bypass row-level security, so each compares its rows with the transaction's company. */

const INSUFFICIENT_PRIVILEGE = '42501';

let books: Books;
let ours: TestCompany;
let theirs: TestCompany;
let platform: TestCompany;

beforeAll(async () => {
  books = await openBooks();
  const em = books.owner.em.fork();
  platform = await addCompany(em, { isPlatform: true, users: 0 });
  [ours, theirs] = [await addCompany(em), await addCompany(em)];
});
afterAll(() => books.close());

const asOwner = <Row extends object>(sql: string, values: unknown[] = []) =>
  books.owner.em.fork().execute<Row[]>(sql, values);
const asApi = <Row extends object>(company: TestCompany, sql: string, values: unknown[] = []) =>
  inTenant(books.api, company.id, (em) => em.execute<Row[]>(sql, values));

test("each that the API's role may execute reads the transaction's company, unless there is a reason", async () => {
  const found = await asOwner<{ name: string }>(
    `select p.proname as name from pg_proc p
     where p.pronamespace = 'public'::regnamespace and p.prosecdef and has_function_privilege('escrow_api', p.oid, 'execute')
       and p.prosrc !~ '(current_company|current_companies|require_company)\\(' order by 1`,
  );
  expect(found.map(({ name }) => name).sort()).toEqual(Object.values(UNTIED_FUNCTIONS).flat().sort());
});

describe('another company', () => {
  const AUDITS = [
    'ledger_verify(:company)',
    'transactions_without_cause(:company, false)',
    `audited_entities('escrow', :company, false, :nil, :nil, 10)`,
    'derived_mismatches(:company, 10)',
    'commitment_mismatches(:company, 10)',
    `stored_details('app_user.bank_account', '{id}', :company, :nil, :nil, 10)`,
  ];
  const PLATFORM = [
    'platform_companies(null, null, 10)',
    'platform_payout_limits(array[:company])',
    'platform_operations()',
    'platform_audits(10)',
    'platform_concerns(10, 10)',
  ];
  const NIL = "'00000000-0000-0000-0000-000000000000'::uuid";
  const named = (call: string, company: string) =>
    `select * from ${call.replaceAll(':company', company).replaceAll(':nil', NIL)}`;
  const result = async (company: TestCompany, sql: string) => {
    try {
      await asApi(company, sql);
      return 'answered';
    } catch (error) {
      return sqlStateOf(error);
    }
  };

  test.each(AUDITS)('is not audited: %s', async (call) => {
    const of = (company: TestCompany) => named(call, `'${company.id}'::uuid`);
    expect([
      await result(ours, of(ours)),
      await result(ours, of(theirs)),
      await result(ours, named(call, 'null')),
    ]).toEqual(['answered', INSUFFICIENT_PRIVILEGE, INSUFFICIENT_PRIVILEGE]);
    expect(await result(platform, named(call, 'null'))).toBe('answered');
  });

  test.each(PLATFORM)('is seen by the platform alone: %s', async (call) => {
    const sql = named(call, `'${theirs.id}'::uuid`);
    expect([await result(ours, sql), await result(platform, sql)]).toEqual([INSUFFICIENT_PRIVILEGE, 'answered']);
  });

  test('keeps its registrations', async () => {
    const id = randomUUID();
    await asOwner(
      `insert into checkout_registration (id, company_id, mobile_number, first_name) values (?, ?, '+1', 'Ann')`,
      [id, theirs.id],
    );
    const nameAfter = async (company: TestCompany) => {
      await asApi(company, 'select registration_forget(?)', [id]);
      const [row] = await asOwner<{ first_name: string | null }>(
        'select first_name from checkout_registration where id = ?',
        [id],
      );
      return row?.first_name;
    };
    expect([await nameAfter(ours), await nameAfter(theirs)]).toEqual(['Ann', null]);
  });

  test('matches its own bank entries', async () => {
    const [statement, entry, transaction] = [randomUUID(), randomUUID(), randomUUID()];
    await asOwner(`select * from ledger_post(?::jsonb)`, [
      JSON.stringify([
        {
          ...{ id: transaction, company_id: theirs.id, key: `capture/${transaction}`, type: 'BANK_CAPTURE' },
          ...{ status: 'COMPLETED', amount: 5, currency: 'USD', reference: 'rent', escrow_id: null, holds: [] },
          legs: [
            { account_id: theirs.account('BANK'), amount: -5 },
            { account_id: theirs.account('SUSPENSE'), amount: 5 },
          ],
        },
      ]),
    ]);
    await asOwner(
      `insert into bank_capture (id, company_id, reference, currency, amount_cents, matched_kind, matched_id, account_id)
       values (?, ?, 'rent', 'USD', 5, 'SUSPENSE', ?, ?)`,
      [transaction, theirs.id, theirs.account('SUSPENSE'), theirs.account('SUSPENSE')],
    );
    await asOwner(
      `insert into bank_statement (id, company_id, account, currency, number, from_date, to_date, opening_cents, closing_cents, entries, duplicates)
       values (?, ?, 'a', 'USD', '1', '2026-01-01', '2026-01-01', 0, 5, 1, 0)`,
      [statement, theirs.id],
    );
    await asOwner(
      `insert into bank_entry (id, company_id, statement_id, account, currency, entry_key, part, direction, amount_cents, date, is_reversal, search)
       values (?, ?, ?, 'a', 'USD', 'k', 1, 'CREDIT', 5, '2026-01-01', false, '{rent}')`,
      [entry, theirs.id, statement],
    );
    const matchesAfter = async (company: TestCompany) => {
      await asApi(company, `select bank_match_text('rent')`);
      await asApi(company, `select * from bank_match_open('2025-01-01', ?, 10)`, [randomUUID()]);
      return (await asOwner('select from bank_match where company_id = ?', [theirs.id])).length;
    };
    expect([await matchesAfter(ours), await matchesAfter(theirs)]).toEqual([0, 1]);
  });

  test('keeps the reasons of its reversals, and hides whether a file was sent', async () => {
    const id = randomUUID();
    await asOwner(
      `insert into command_text (command_id, company_id, content) values (?, ?, '{"reason": "stolen card"}')`,
      [id, theirs.id],
    );
    const shown = async (company: TestCompany) => {
      const [row] = await asApi<{ shown: object }>(
        company,
        `select shown_metadata(jsonb_populate_record(null::ledger_transaction,
           jsonb_build_object('id', ?::text, 'company_id', ?::text, 'type', 'REVERSAL', 'metadata', '{}'::jsonb))) as shown`,
        [id, theirs.id],
      );
      return row?.shown;
    };
    expect([await shown(ours), await shown(theirs)]).toEqual([{}, { reason: 'stolen card' }]);
    const functions = await asOwner<{ prosecdef: boolean }>(
      `select prosecdef from pg_proc where proname in ('shown_metadata', 'is_file_sent')`,
    );
    expect(functions).toEqual([{ prosecdef: false }, { prosecdef: false }]);
  });

  test('keeps its fee account', async () => {
    const found = await asApi(ours, `select * from fee_accounts('USD')`);
    expect(found).toEqual([
      {
        service_fee_account_id: ours.account('SERVICE_FEE'),
        system_fee_account_id: platform.account('SYSTEM_FEE'),
      },
    ]);
  });

  test("gets no line of this company's command in its audit log", async () => {
    const commandId = randomUUID();
    const line = {
      ...{ company_id: theirs.id, actor_kind: 'api_key', actor_id: randomUUID(), actor_role: 'OWNER' },
      ...{ operation: 'POST /v1/x', status: 200, request_id: 'r', source: 'API' },
    };
    const command = { company_id: ours.id, command_id: commandId };
    await asApi(ours, 'select audit_announces(?::jsonb)', [JSON.stringify([{ ...command, line }])]);
    await asApi(ours, 'select audit_announced(?::jsonb)', [JSON.stringify([command])]);
    expect(await asOwner('select company_id from audit_log')).toEqual([{ company_id: ours.id }]);
  });
});
