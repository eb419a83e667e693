import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { NIL } from 'uuid';
import { connect } from '../../../../src/db/core/orm.ts';
import type { MismatchKind } from '../../../../src/db/ledger/audit/mismatch.ts';
import { sealLedger } from '../../../../src/db/ledger/sealer.ts';
import { auditWithin, verifyLedger } from '../../../../src/db/ledger/verify.ts';
import { unauditedEntities as unauditedTotal } from '../../../../src/observability/metrics.ts';
import { bare } from '../../../support/api.ts';
import { eventually } from '../../../support/eventually.ts';
import { LINK_CENTS, offerLink } from '../../../support/links.ts';
import { type OwnService, ownService } from '../../../support/own-service.ts';
import { newCompany, newParties, newUser, type TestCompany } from '../../../support/service.ts';

/**
 * A superuser changes rows without triggers, rules and foreign keys. The audit finds and names every listed change: alone, and
 * together with each of the others. The data was created over the API; each change is rolled back after its audit.
 */
describe('an audit names', () => {
  let service: OwnService;
  let superuser: MikroORM;
  let company: TestCompany;
  let escrowId: string;
  let withdrawalId: string;

  beforeAll(async () => {
    service = await ownService();
    superuser = await connect({ databaseUrl: service.database.superuserUrl, poolMax: 2, applicationName: 'test' });
    company = await newCompany(service);
    await company.post('/v1/treasury/seed-configs');
    await live();
    await sealAll();
    await keep();
    // A second round, so that there are blocks after the first kept head, and a second kept head over them.
    await live();
    await sealAll();
    await keep();
  });
  afterAll(async () => {
    await superuser.close();
    await service.stop();
  });

  /** An open escrow, a paid one, and one whose link payment is charged back; a deposit in transit; a paid withdrawal. */
  async function live(): Promise<void> {
    const { buyer, escrow } = await newParties(company);
    escrowId = bare((await company.post('/v1/escrow/initiate', escrow())).body.id);
    await sealAll(); // so that the escrow is not in the last block, whose loss would hide its other changes
    const paid = (await company.post('/v1/escrow/initiate', escrow())).body.id;
    expect((await company.post(`/v1/escrow/${paid}/release`)).status).toBe(200);
    const link = await offerLink(service, company);
    const { body: checkout } = await link.say('eft-pay/initiate');
    await service.sandbox.settle(checkout.checkoutId, 'success');
    await eventually(async () => (await link.verify(checkout.checkoutId)).body.status === 'ACCEPTED');
    expect((await link.escrow()).heldAmount).toBe(String(LINK_CENTS));
    await service.sandbox.change(checkout.checkoutId, 'CB');
    await eventually(async () => (await link.escrow()).chargedBackAmount === String(LINK_CENTS));
    const reference = `receipt ${escrowId}`;
    const money = { amount: 700, currency: 'USD', externalReference: reference };
    await company.post('/v1/payments/deposit', { userId: buyer.id, isTransit: true, ...money });
    const user = await newUser(company);
    await company.post('/v1/payments/deposit', { userId: user.id, amount: 10_000, currency: 'USD' });
    const { body } = await company.post('/v1/treasury/withdraw', {
      ...{ accountId: user.usdAccountId, amount: 5_000, externalReference: `payout ${escrowId}` },
      ...{ bank_name: 'CBZ', branch_code: '6101', account_number: '0123456789', account_name: 'T. Moyo' },
    });
    withdrawalId = bare(body.id);
    await eventually(
      async () => (await company.get(`/v1/treasury/withdrawals/${body.id}`)).body.status === 'COMPLETED',
    );
  }

  async function sealAll(): Promise<void> {
    await eventually(async () => {
      await sealLedger(superuser.em.fork());
      const [row] = await superuser.em
        .fork()
        .execute<{ open: boolean }[]>(
          `select exists (select from seal_queue) or exists (select from unsealed_transactions(null)) as open`,
        );
      return row?.open === false;
    });
  }

  async function keep(): Promise<void> {
    const verification = await verifyLedger(superuser.em.fork(), null, { keep: true });
    expect(verification.mismatches).toEqual([]);
    expect(verification.kept).not.toBeNull();
  }

  /** Each change, and the minimum that the audit must report. `$escrow` and `$withdrawal` stand for ids. */
  const TAMPERINGS: Readonly<Record<string, { readonly statements: readonly string[]; readonly kind: MismatchKind }>> =
    {
      'a hold and the held balance': {
        statements: [
          `update account set held = held - 1 where id = (select account_id from hold where id = '$escrow')`,
          `update hold set remaining = remaining - 1 where id = '$escrow'`,
        ],
        kind: 'hold_changed',
      },
      'the status of a transaction': {
        statements: [`update ledger_transaction set status = 'FAILED' where id = '$withdrawal'`],
        kind: 'status_changed',
      },
      'the state of an escrow: who is paid': {
        statements: [
          `update escrow set state = jsonb_set(state, '{terms,sellerAccountId}', to_jsonb(gen_random_uuid())) where id = '$escrow'`,
        ],
        kind: 'entity_changed',
      },
      'the last event of an escrow, deleted': {
        statements: [
          `delete from escrow_event e where seq > 1 and seq = (select max(seq) from escrow_event x where x.escrow_id = e.escrow_id)`,
        ],
        kind: 'entity_changed',
      },
      'all events of an escrow, deleted': {
        statements: [`delete from escrow_event where escrow_id = '$escrow'`],
        kind: 'event_missing',
      },
      'an escrow with its events, deleted': {
        statements: [`delete from escrow_event where escrow_id = '$escrow'`, `delete from escrow where id = '$escrow'`],
        kind: 'record_deleted',
      },
      'an event of an escrow with its row': {
        statements: [
          `update escrow_event set data = jsonb_set(data, '{terms,sellerAccountId}', '"7"') where escrow_id = '$escrow' and seq = 1`,
          `update escrow set state = jsonb_set(state, '{terms,sellerAccountId}', '"7"') where id = '$escrow'`,
        ],
        kind: 'record_changed',
      },
      'an event of a payment link': {
        statements: [`update payment_link_event set actor = 'SYSTEM' where type = 'CREATED'`],
        kind: 'record_changed',
      },
      'the amount of a payment link': {
        statements: [`update payment_link set amount_cents = amount_cents + 1`],
        kind: 'entity_changed',
      },
      'the amount of a withdrawal': {
        statements: [`update withdrawal set amount_cents = 90071992547409 where id = '$withdrawal'`],
        kind: 'entity_changed',
      },
      'the status of a withdrawal': {
        statements: [`update withdrawal set status = 'FAILED' where id = '$withdrawal'`],
        kind: 'entity_changed',
      },
      'the turnover of an account': {
        statements: [`update account_turnover set credits = credits + 1 where unit = 'day'`],
        kind: 'turnover',
      },
      'the activity of a ledger': {
        statements: [`delete from ledger_activity where transaction_id = '$withdrawal'`],
        kind: 'activity',
      },
      'the number of transactions of an hour': {
        statements: [`update transaction_tally set transactions = transactions + 1 where unit = 'hour'`],
        kind: 'tally',
      },
      'a balance at an entry': {
        statements: [
          `insert into balance_checkpoint (account_id, company_id, entry_id, balance)
         select account_id, company_id, id, 1 from entry where id = (select max(id) from entry)`,
        ],
        kind: 'balance_checkpoint',
      },
      'the number of users of a company': {
        statements: [
          `insert into company_count_change (company_id, counted, change)
         select company_id, 'users', 1 from hold where id = '$escrow'`,
        ],
        kind: 'company_count',
      },
      'the number of open escrows of a company': {
        statements: [
          `insert into open_escrow_change (company_id, currency, status, since, escrows, held_cents)
         select company_id, 'USD', 'ACTIVE', now(), 1, 500 from hold where id = '$escrow'`,
        ],
        kind: 'open_escrows',
      },
      'a receivable, deleted': {
        statements: ['delete from receivable'],
        kind: 'receivable',
      },
      'a forged deposit that balances and is sealed as genuine': {
        statements: [
          `insert into ledger_transaction (id, company_id, type, status, posted_status, amount, currency, key, content_hash)
         select '01900000-0000-7000-8000-000000000001', company_id, 'DEPOSIT', 'COMPLETED', 'COMPLETED', 5, 'USD',
           'deposit/01900000-0000-7000-8000-000000000001', '\\x00' from escrow where id = '$escrow'`,
          `insert into entry (transaction_id, account_id, company_id, amount, currency, created_at)
         select '01900000-0000-7000-8000-000000000001', a.id, a.company_id, case a.type when 'BANK' then -5 else 5 end, 'USD', now()
         from account a join escrow x on x.id = '$escrow' and x.company_id = a.company_id
         where a.currency = 'USD' and a.type in ('BANK', 'COMPANY')`,
          `insert into account_delta select account_id, company_id, amount from entry
         where transaction_id = '01900000-0000-7000-8000-000000000001'`,
        ],
        kind: 'transaction_without_cause',
      },
      "the tail of the company's chain, cut off": {
        statements: [
          `delete from block b where seq = (select max(seq) from block x where x.company_id = b.company_id)`,
        ],
        kind: 'chain_cut',
      },
      'an entry and its pair': {
        statements: [
          `update entry set amount = amount * 2 where transaction_id = (
           select transaction_id from entry where company_id = (select company_id from escrow where id = '$escrow') limit 1)`,
        ],
        kind: 'entry_changed',
      },
      'a balance': {
        statements: [`update account set posted = posted + 1 where type = 'USER' and posted > 0`],
        kind: 'balance',
      },
      'a record of the journal': {
        statements: [`delete from transaction_status_change`],
        kind: 'record_deleted',
      },
      'a forged record of the journal': {
        statements: [
          `insert into hold_change (transaction_id, hold_id, account_id, company_id, kind, amount_cents)
         select transaction_id, id, account_id, company_id, 'capture', -1 from hold where id = '$escrow'`,
          `update hold set remaining = remaining - 1 where id = '$escrow'`,
          `update account set held = held - 1 where id = (select account_id from hold where id = '$escrow')`,
        ],
        kind: 'record_inserted',
      },
    };
  const NAMES = Object.keys(TAMPERINGS);
  const EVENTS = {
    escrow_event: 'escrow_id',
    payment_link_event: 'link_id',
    withdrawal_event: 'withdrawal_id',
  } as const;

  /** Pairs in which one change leaves nothing for the other to change, so only one of the two can be found. */
  const EXCLUDES: Readonly<Record<string, readonly string[]>> = {
    'an event of an escrow with its row': ['the state of an escrow: who is paid'],
    'an escrow with its events, deleted': [
      'the state of an escrow: who is paid',
      'all events of an escrow, deleted',
      'an event of an escrow with its row',
      'a forged deposit that balances and is sealed as genuine',
      'an entry and its pair',
    ],
    'all events of an escrow, deleted': [
      'the state of an escrow: who is paid',
      'an event of an escrow with its row',
      'the last event of an escrow, deleted',
    ],
  };

  async function tamper(em: EntityManager, name: string): Promise<void> {
    for (const statement of TAMPERINGS[name]?.statements ?? [])
      await em.execute(statement.replaceAll('$escrow', escrowId).replaceAll('$withdrawal', withdrawalId));
  }

  async function kindsAfter(...names: readonly string[]): Promise<ReadonlySet<MismatchKind>> {
    const em = superuser.em.fork();
    await em.begin();
    try {
      await em.execute('set local session_replication_role = replica');
      for (const name of names) await tamper(em, name);
      const { mismatches } = await auditWithin(em, null);
      return new Set(mismatches.map(({ kind }) => kind));
    } finally {
      await em.rollback();
    }
  }

  test('nothing if nothing was changed', async () => {
    expect(await kindsAfter()).toEqual(new Set());
  });

  test('no entity with an event that a later version wrote, if that version migrated the database', async () => {
    const em = superuser.em.fork();
    await em.begin();
    try {
      for (const [table, reference] of Object.entries(EVENTS))
        await em.execute(
          `insert into ${table} (${reference}, seq, company_id, command_id, type, actor, at, status, data)
           select ${reference}, seq + 1, company_id, gen_random_uuid(), 'LATER', actor, at, status, data || '{"type": "LATER"}'
           from ${table} order by company_id, ${reference}, seq desc limit 1`,
        );
      const { mismatches } = await auditWithin(em, null);
      expect(mismatches.map(({ kind }) => kind)).toEqual(Object.keys(EVENTS).map(() => 'event_missing'));
      await em.execute(`insert into installation (kind, name, value) values ('migration', '999-later', 'x')`);
      const { length: unauditedEntities } = Object.keys(EVENTS);
      expect(await auditWithin(em, null)).toMatchObject({ mismatches: [], unauditedEntities });
      expect((await unauditedTotal.get()).values).toMatchObject([{ value: unauditedEntities }]);
    } finally {
      await em.rollback();
    }
  });

  test.each(NAMES)('%s', async (name) => {
    expect(await kindsAfter(name)).toContain(TAMPERINGS[name]?.kind);
  });

  /** Groups in which each change meets each other, unless one excludes the other. A group has one change of a kind, or is two of a kind. */
  function groups(): string[][] {
    const kindOf = (name: string) => TAMPERINGS[name]?.kind;
    const isExcluded = (one: string, other: string) => EXCLUDES[one]?.includes(other) || EXCLUDES[other]?.includes(one);
    const pairOf = (one: string, other: string) => [one, other].toSorted().join(' and ');
    const pairs = NAMES.flatMap((one, index) => NAMES.slice(index + 1).map((other) => [one, other] as const));
    const missing = new Set(pairs.filter((pair) => !isExcluded(...pair)).map((pair) => pairOf(...pair)));
    const made: string[][] = [];
    for (const pair of pairs.filter((one) => missing.has(pairOf(...one)))) {
      if (!missing.has(pairOf(...pair))) continue; // an earlier group has it
      const group: string[] = [...pair];
      const newPairsWith = (name: string) => group.filter((member) => missing.has(pairOf(member, name))).length;
      const joins = (name: string) =>
        group.every((member) => kindOf(member) !== kindOf(name) && !isExcluded(member, name)) && newPairsWith(name) > 0;
      while (kindOf(pair[0]) !== kindOf(pair[1])) {
        const [next] = NAMES.filter(joins).toSorted((one, other) => newPairsWith(other) - newPairsWith(one));
        if (next === undefined) break;
        group.push(next);
      }
      for (const one of group) for (const other of group) missing.delete(pairOf(one, other));
      made.push(group);
    }
    return made;
  }

  test.each(groups().map((group) => [group.slice(0, 2).join(' and '), group] as const))(
    '%s, with others that they met nowhere else',
    async (_first, group) => {
      const kinds = [...(await kindsAfter(...group))];
      expect([group, kinds]).toEqual([group, expect.arrayContaining(group.map((name) => TAMPERINGS[name]?.kind))]);
    },
  );

  test('the new entities of one company, and of no other', async () => {
    const other = await newCompany(service);
    for (const one of [company, other]) {
      const { escrow } = await newParties(one);
      expect((await one.post('/v1/escrow/initiate', escrow())).status).toBe(201);
    }
    const newOf = (companyId: string | null) =>
      superuser.em
        .fork()
        .execute('select distinct company_id from audited_entities(?, ?, true, ?, ?, 1000) order by 1', [
          ...['escrow', companyId, NIL, NIL],
        ]);
    const all = [bare(company.id), bare(other.id)].toSorted();
    expect(await newOf(null)).toEqual(all.map((id) => ({ company_id: id })));
    for (const id of all) expect(await newOf(id)).toEqual([{ company_id: id }]);
  });
});
