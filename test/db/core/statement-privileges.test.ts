import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EntityMetadata } from '@mikro-orm/postgresql';
import { DISPUTE } from '../../../src/db/escrow/dispute-desk.ts';
import { SUBJECT_READERS } from '../../../src/db/events/subjects.ts';
import { DEPOSIT_ALONE, DEPOSIT_TOGETHER } from '../../../src/db/payments/deposits.ts';
import { RECONCILIATION } from '../../../src/db/treasury/bank-reconciliation.ts';
import { ENDPOINT } from '../../../src/db/webhooks/endpoints.ts';
import { withClient } from '../../../src/sandbox/stack/postgres-client.ts';
import { type Call, pieces, Source, split } from '../../support/source-statements.ts';
import { type Books, openBooks } from '../ledger/books.ts';

/**
 * Each statement in the code that a role can reach, against the privileges of that role. PostgreSQL checks the privileges of a
 * statement when it plans it for EXPLAIN, so nothing is executed. A statement that no other test runs is checked too: a missing
 * privilege would otherwise show in production first, as a step that is retried for ever.
 */

const ROLES = {
  escrow_api: { roots: /^src\/(api\/|roles\/api\.ts)/, url: 'apiUrl' },
  escrow_worker: {
    roots: /^src\/(worker\/|activities\/|roles\/(worker|rebuild-workflows)\.ts)/,
    url: 'workerUrl',
  },
} as const;
type Role = keyof typeof ROLES;

const ACCOUNT_CONDITIONS = 'a.company_id = ? and l.user_id = ? and l.id = ? and a.id = ? and a.type = ?';
const UNFINISHED = "t.company_id = ? and t.status <> 'COMPLETED' and t.status = any (?::text[])";
const OPEN = "(select 'x' as kind, id, company_id, currency, seq, updated_at from";
const RECORDS = [
  { rows: 'escrow', events: 'escrow_event', reference: 'escrow_id' },
  { rows: 'payment_link', events: 'payment_link_event', reference: 'link_id' },
  { rows: 'withdrawal', events: 'withdrawal_event', reference: 'withdrawal_id' },
];

/** The possible values of the expressions inside statements, by declaration. Each entry is one variant of the statement. */
const EXPRESSIONS: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>> = {
  listWork: [{ 'WORK.columns': 'w.id' }],
  findEventOf: RECORDS,
  recordsOf: RECORDS,
  noteLocale: [{ column: 'buyer_locale' }, { column: 'seller_locale' }],
  removeOldRows: [{ sweep: 'event_sweep' }, { sweep: 'webhook_sweep' }],
  refund: [{ at: 'now()' }, { at: 'null' }],
  findAccounts: [{ where: ACCOUNT_CONDITIONS }],
  countAccounts: [{ where: ACCOUNT_CONDITIONS }],
  countUnfinished: [{ where: UNFINISHED }],
  readPage: [
    {
      sql: `select t.id, t.type, t.created_at from ledger_transaction t where ${UNFINISHED} limit ? offset ?`,
      direction: 'desc',
      "sortKey('time').read('p.created_at')": 'p.created_at::text',
    },
    {
      sql: 'select a.transaction_id as id, a.type, a.created_at from ledger_activity a where a.company_id = ?',
      direction: 'asc',
      "sortKey('time').read('p.created_at')": 'p.created_at::text',
    },
  ],
  findOpenRuns: [
    {
      "from('escrow', 'total_cents', 'state', ESCROW_IS_OPEN)": `${OPEN} escrow where status = 'x')`,
      "from('payment_link', 'amount_cents', 'state', LINK_IS_OPEN)": `${OPEN} payment_link where state @@ '$.x == 1')`,
      "from('withdrawal', 'amount_cents', 'null::jsonb', WITHDRAWAL_IS_AT_THE_BANK)": `${OPEN} withdrawal)`,
      "from('withdrawal', 'amount_cents', 'null::jsonb', WITHDRAWAL_MAY_CHANGE)": `${OPEN} withdrawal)`,
    },
  ],
  requireEndpoint: [{ 'ENDPOINT.columns': ENDPOINT.columns }],
  addEndpoint: [{ 'ENDPOINT.columns': ENDPOINT.columns }],
  changeEndpoint: [{ 'ENDPOINT.columns': ENDPOINT.columns }],
  rotateSecret: [{ 'ENDPOINT.columns': ENDPOINT.columns }],
  findDispute: [{ 'DISPUTE.columns': DISPUTE.columns }],
  movementOf: [
    { named: 'select c.id from bank_capture c where c.company_id = ? and c.id = ?' },
    {
      named: `select (v.data ->> 'transactionId')::uuid from withdrawal_event v where v.company_id = ? and v.withdrawal_id = ?`,
    },
  ],
  claimQuestion: [{ column: 'asked_at' }, { column: 'changes_asked_at' }],
  findOpenAmong: [
    {
      isRecent: 'updated_at > now()',
      LISTENING_DAYS: '1',
      "FINAL_STATUSES.map((status) => `'${status}'`).join(', ')": "'x'",
    },
  ],
  lockLink: [{ "'linkId' in by ? 'id' : 'escrow_id'": 'id' }, { "'linkId' in by ? 'id' : 'escrow_id'": 'escrow_id' }],
  findEscrows: [{ source: 'escrows_for_commands(?::uuid[], ?::uuid[])' }],
  findEscrowHistory: [{ "createdIn('t')": 't.created_at >= ?' }],
  listEvents: [
    { chosen: 'e.company_id = ? and e.type = any(?::text[]) and e.object_id = ?' },
    { chosen: 'e.position in (select f.position from (select e.position from event e where e.created_at >= ?) f)' },
  ],
};

/** Statements that are a parameter of the declaration that executes them. */
const STATEMENTS: Readonly<Record<string, readonly string[]>> = {
  executeBound: [], // the statements are in its callers
  bindNumberedValues: [],
  bindTenantReads: [],
  TenantQuery: ["select set_config('app.company_id', ?, true)"],
  readFacts: Object.values(SUBJECT_READERS).map(({ statement }) => statement),
  askForKeys: [
    'select * from idempotency_claims(?::jsonb, ?::interval, ?::interval)',
    `select *, e.id from idempotency_claims(?::jsonb, ?::interval, ?::interval) c
     left join escrows_for_commands(?::uuid[], ?::uuid[]) e using (ordinal)`,
  ],
  depositAll: [DEPOSIT_ALONE, DEPOSIT_TOGETHER],
  readReconciliation: [RECONCILIATION],
  findOwner: [
    'select * from payment_attempt_by_checkout(?)',
    'select * from payment_notified(?, null, ?)',
    "select * from payment_notified(null, ?, 'other')",
  ],
};

/** The entities whose properties are assigned, and saved by a later flush, by declaration and first argument. */
const ASSIGNED: Readonly<Record<string, string>> = {
  'isNoLongerNeeded user': 'AppUser',
  'registerApiKeys old': 'ApiKey',
  'registerCompanyLogo row': 'Company',
  'registerCompanySettings row': 'Company',
  'registerIdentityAdmin await requireUser(em, c.var.companyId, id)': 'AppUser',
  'registerIdentityAdmin user': 'AppUser',
  'refer user': 'AppUser',
  'registerLinkId found': 'AppUser',
  'removeAdministrator key': 'ApiKey',
  'removeAdministrator row': 'Administrator',
  'endAccessTokens row': 'Administrator',
  'sign row': 'Administrator',
  'useCode row': 'Administrator',
};
/** What a spread in such an assignment contains. */
const SPREADS: Readonly<Record<string, readonly string[]>> = {
  '...given(changes)': [
    ...['name', 'autoReleaseHours', 'defaultSellerId', 'serviceFeeBasisPoints', 'systemFeeBasisPoints'],
    'defaultPhoneRegion',
  ],
  "...withChangedEvidence(user, 'DOCUMENT')": ['kycLevel', 'changedSinceApproval'],
  '...change': ['passwordHash', 'mustChangePassword'],
  '...factor': ['totpSecret', 'totpEnabled', 'totpUsedStep', 'recoveryHashes', 'factorVersion'],
  '...changes': ['idNumber', 'kycLevel', 'changedSinceApproval', 'customReference'],
};

/** Statements that only the worker runs: the API's audits keep no heads and compare with no checkpoint. */
const NEVER_ASKED: Readonly<Record<Role, RegExp | null>> = {
  escrow_api: /\b(ledger_keep_audit|checkpoint_mismatches)\(/,
  escrow_worker: null,
};

/** Rights whose statements this test does not see whole: assignments with a spread, upserts, and rows that a batch writes. */
const UNSEEN: Readonly<Record<Role, readonly RegExp[]>> = {
  escrow_api: [
    /^insert on table (audit_log|company_logo)$/,
    /^update \((digest|content)\) on table company_logo$/,
    /^update \(\w+\) on table (company|app_user)$/,
  ],
  escrow_worker: [],
};

/** Lists build their statements from tables of columns. They only read, and the tests of the API read each of them. */
const LIST_READER = 'createListReader';

let books: Books;
let source: Source;
beforeAll(async () => {
  books = await openBooks();
  source = new Source('src');
});
afterAll(() => books.close());

describe.each(Object.keys(ROLES) as Role[])('%s', (role) => {
  test('has the privileges for every statement of the code that it runs', async () => {
    const calls = source.callsFrom(ROLES[role].roots);
    const statements = [...new Set(calls.flatMap((call) => statementsOf(call)))].filter(
      (statement) => NEVER_ASKED[role]?.test(statement) !== true,
    );
    expect(statements.length).toBeGreaterThan(40);
    expect(await refusalsOf(role, statements)).toEqual([]);
  });

  test('has no right to change a table that none of these statements needs', async () => {
    const calls = source.callsFrom(ROLES[role].roots);
    const statements = [...new Set(calls.flatMap((call) => statementsOf(call)))].filter((one) => CHANGES.test(one));
    const useless = await uselessGrants(role, statements);
    expect(useless.filter((grant) => !UNSEEN[role].some((known) => known.test(grant)))).toEqual([]);
  });

  test('sorts by no value in the form of a text, in which 10 comes before 9', () => {
    const statements = source.callsFrom(ROLES[role].roots).flatMap((call) => statementsOf(call));
    expect(statements.filter(sortsByText)).toEqual([]);
    expect(sortsByText('select id::text as id from event_fact order by id limit 1')).toBe(true);
  });
});

describe('the comparison', () => {
  test.each([
    ['a read of all columns by the worker', 'escrow_worker', 'findOne', ['Administrator', '{ id }']],
    ['an unreadable column', 'escrow_worker', 'findOne', ['Administrator', '{ id }', "{ fields: ['email'] }"]],
    [
      'a change of a granted table in another column',
      'escrow_api',
      'nativeUpdate',
      ['Administrator', '{ id }', '{ role }'],
    ],
    ['a row of a table that is written by functions only', 'escrow_api', 'insert', ['EscrowEventRow', '{ escrowId }']],
    ['a statement in SQL', 'escrow_worker', 'execute', ["'update payout_destination set bank_code = ? where id = ?'"]],
  ] as const)('finds %s', async (_what, role, method, args) => {
    const call = { file: 'src/db/entities/index.ts', owner: 'test', method, args };
    expect(await refusalsOf(role, statementsOf(call))).toHaveLength(1);
  });
});

/** A bare name in "order by" is the column of the result, which may be the text of the value. */
function sortsByText(statement: string): boolean {
  const names = [...statement.matchAll(/::text as (\w+)/g)].map(([, name]) => name);
  return names.some((name) => new RegExp(`order by [^)]*(?<![\\w.])${name}\\b`).test(statement));
}

/** The statements that PostgreSQL refuses to plan for the role, with its reason. */
async function refusalsOf(role: Role, statements: readonly string[]): Promise<string[]> {
  const refused: string[] = [];
  await withClient(books.database[ROLES[role].url], async (client) => {
    for (const statement of statements)
      await client
        .query(`explain (generic_plan) ${statement}`)
        .catch((error: unknown) => refused.push(`${String(error)}: ${statement}`));
  });
  return refused;
}

/** A lock needs the right to change a column too. */
const LOCKS = /\bfor (no key )?update\b|\bfor share\b/i;
const CHANGES = /\b(insert into|update|delete from)\b|\bfor share\b/i;

/** The rights to change tables that the role can lose without any statement being refused, and those to update whole tables. */
async function uselessGrants(role: Role, statements: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const { ownerUrl } = books.database;
  const asRole = books.database[ROLES[role].url];
  const grants = await withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ statement: string }>('select statement from service_grants() order by 1');
    return rows
      .map(({ statement }) => /^((insert|update|delete)(?: \((\w+)\))? on table (\w+)) to (\w+)$/.exec(statement) ?? [])
      .filter((match) => match[5] === role);
  });
  await withClient(ownerUrl, (owner) =>
    withClient(asRole, async (client) => {
      for (const [, grant = '', privilege = '', column = '', table = ''] of grants) {
        const names = (verbs: string) => new RegExp(`\\b(${verbs}) ${table}\\b`, 'i');
        const isConcerned = (one: string) =>
          (names('insert into|update|delete from').test(one) &&
            one.toLowerCase().includes(privilege) &&
            (column === '' || one.includes(column))) ||
          (privilege === 'update' && LOCKS.test(one) && names('from|join').test(one));
        if (privilege === 'update' && column === '') {
          found.push(grant);
          continue;
        }
        const concerned = statements.filter(isConcerned);
        await owner.query(`revoke ${grant} from ${role}`);
        let isNeeded = false;
        for (const statement of concerned) {
          isNeeded = await client.query(`explain (generic_plan) ${statement}`).then(
            () => false,
            () => true,
          );
          if (isNeeded) break;
        }
        await owner.query(`grant ${grant} to ${role}`);
        if (!isNeeded) found.push(grant);
      }
    }),
  );
  return found;
}

/** The statements of a call, with `$1`, `$2` … for their values. */
function statementsOf(call: Call): string[] {
  const [first = ''] = call.args;
  if (call.owner === LIST_READER) return [];
  if (call.method === 'execute') return sqlOf(call, first).filter(isPlanned).map(numbered);
  const name = entityOf(call);
  if (name === undefined) return [];
  return [numbered(ormStatement(metadataOf(name), call))];
}

function sqlOf(call: Call, first: string): readonly string[] {
  if (first === "'all'") return []; // a query builder
  const constant = source.constant(call.file, first);
  if (constant !== undefined) return [filled(constant.file, constant.text, call.owner, {})];
  if (!/^['"`]/.test(first)) {
    const constant = source.constant(call.file, first);
    if (constant !== undefined) return [filled(constant.file, constant.text, call.owner, {})];
    const known = STATEMENTS[call.owner];
    if (known === undefined) throw new Error(`${call.file}: add the statements of ${call.owner} to STATEMENTS`);
    return known;
  }
  return (EXPRESSIONS[call.owner] ?? [{}]).map((values) => filled(call.file, first, call.owner, values));
}

function filled(file: string, literal: string, owner: string, values: Readonly<Record<string, string>>): string {
  const parts = pieces(literal).map(({ text, expression }) => {
    if (expression === undefined) return text;
    const given = values[expression];
    if (given !== undefined) return given;
    const constant = source.constant(file, expression);
    if (constant !== undefined) return filled(constant.file, constant.text, owner, values);
    if (/^[A-Z_]+$/.test(expression)) return '1'; // a number
    throw new Error(`${file}: add \${${expression}} of ${owner} to EXPRESSIONS`);
  });
  return parts.join('');
}

const isPlanned = (statement: string) => /^\s*(select|insert|update|delete|with)\b/i.test(statement);

function numbered(statement: string): string {
  let count = 0;
  return statement.replace(/\?/g, () => {
    count += 1;
    return `$${count}`;
  });
}

/** The entity of a call of the ORM; `undefined` for other methods of the same names. */
function entityOf({ file, owner, method, args }: Call): string | undefined {
  const [first = ''] = args;
  if (method === 'assign') {
    if (/^src\/(db\/core|observability|api\/openapi)\//.test(file)) return undefined;
    const name = ASSIGNED[`${owner} ${first}`];
    if (name === undefined) throw new Error(`${file}: add "${owner} ${first}" to ASSIGNED`);
    return name;
  }
  const name = source.declaredName(file, first);
  return name !== undefined && findMetadata(name) !== undefined ? name : undefined;
}

function findMetadata(name: string): EntityMetadata | undefined {
  return [...books.owner.getMetadata().getAll().values()].find((one) => one.name === name);
}

function metadataOf(name: string): EntityMetadata {
  const found = findMetadata(name);
  if (found === undefined) throw new Error(`there is no entity ${name}`);
  return found;
}

/** The statement that the ORM sends, as far as its columns are concerned. */
function ormStatement(entity: EntityMetadata, { method, args }: Call): string {
  const [, second = '{}', third = '{}'] = args;
  const table = entity.tableName;
  const columnOf = (key: string): string => {
    const column = entity.props.find(({ name }) => name === key)?.fieldNames?.[0];
    if (column === undefined) throw new Error(`${entity.name} has no property ${key}`);
    return column;
  };
  const all = entity.props.flatMap(({ fieldNames = [] }) => fieldNames);
  const key = entity.primaryKeys.map(columnOf);
  const where = (text: string) => ['true', ...keysOf(text).map((one) => `${columnOf(one)} is null`)].join(' and ');
  const chosen = third.match(/fields: \[([^\]]*)\]/)?.[1];
  const fields = chosen === undefined ? all : [...key, ...split(chosen).map((one) => columnOf(one.slice(1, -1)))];
  switch (method) {
    case 'insert':
    case 'create': {
      const columns = second.includes('...') || !second.startsWith('{') ? all : keysOf(second).map(columnOf);
      return `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => 'default').join(', ')}) returning ${key.join(', ')}`;
    }
    case 'assign':
      return `update ${table} set ${sets(keysOf(second).map(columnOf))} where ${key.map((one) => `${one} is null`).join(' and ')}`;
    case 'nativeUpdate':
      return `update ${table} set ${sets(keysOf(third).map(columnOf))} where ${where(second)}`;
    case 'nativeDelete':
      return `delete from ${table} where ${where(second)}`;
    case 'count':
      return `select count(${key[0] ?? '*'}) from ${table} where ${where(second)}`;
    default:
      return `select ${fields.join(', ')} from ${table} where ${where(second)}${/lockMode/.test(third) ? ' for update' : ''}`;
  }
}

const sets = (columns: readonly string[]) => columns.map((column) => `${column} = default`).join(', ');

/** The keys of the object literals in `text`. */
function keysOf(text: string): string[] {
  const withoutComments = text.replaceAll(/\/\/.*$/gm, '');
  const literals = withoutComments.startsWith('{')
    ? [withoutComments.slice(1, -1)]
    : [...withoutComments.matchAll(/\{([^{}]*)\}/g)].map(([, inner = '']) => inner);
  return literals
    .flatMap((literal) => split(literal))
    .flatMap((part) => {
      if (!part.startsWith('...')) return [part.split(':')[0]?.trim() ?? part];
      const known = SPREADS[part];
      if (known === undefined) throw new Error(`add ${part} to SPREADS`);
      return known;
    });
}
