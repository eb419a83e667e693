import type { MikroORM } from '@mikro-orm/postgresql';
import { SpanKind } from '@opentelemetry/api';
import { inSpan, isTracing } from './spans.ts';

/**
 * One span for every statement of the ORM, made where it runs them. PostgreSQL's driver would get the values too, which MikroORM
 * writes into the text; here they are still apart, and only the text with its question marks is kept.
 */

type Connection = ReturnType<MikroORM['em']['getConnection']>;
type Query = Parameters<Connection['execute']>[0];

/** None of ours holds anybody's data; should one ever, it is not told. */
const LITERAL = /'(?:[^']|'')*'/g;
const MAX_TEXT_CHARACTERS = 2_000;
const OPERATION = /^\s*(\w+)/;
/** What is read or written first. `extract(epoch from …)` names no table. */
const TARGET = /(?:(?<!\bepoch\s)\bfrom|\binto|^\s*update)\s+(?:"?public"?\.)?"?([a-z_]\w*)/i;
const COMPOSED = /^\s*with\b.*?\b(insert|update|delete)\s+(?:into\s+|from\s+)?(?:"?public"?\.)?"?([a-z_]\w*)/is;
const FUNCTION = /^\s*select\s+(\w+)\s*\(/i;

/** Only what is done for a traced request or activity: what begins with a statement is background work, and no trace. */
export function traceStatements(connection: Connection): void {
  const execute = connection.execute.bind(connection);
  const begin = connection.begin.bind(connection);
  const commit = connection.commit.bind(connection);
  const rollback = connection.rollback.bind(connection);
  const traced: Pick<Connection, 'execute' | 'begin' | 'commit' | 'rollback'> = {
    execute: (query, ...rest) => inStatement(query, () => execute(query, ...rest)),
    begin: (...rest) => inStatement('begin', () => begin(...rest)),
    commit: (...rest) => inStatement('commit', () => commit(...rest)),
    rollback: (...rest) => inStatement('rollback', () => rollback(...rest)),
  };
  Object.assign(connection, traced);
}

function inStatement<T>(query: Query, run: () => Promise<T>): Promise<T> {
  if (!isTracing()) return run();
  const text = textOf(query).replace(LITERAL, '?');
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, MAX_TEXT_CHARACTERS) };
  return inSpan(statementName(text), { kind: SpanKind.CLIENT, attributes }, run);
}

function textOf(query: Query): string {
  if (typeof query === 'string') return query;
  return 'toRaw' in query ? query.toRaw().sql : query.sql;
}

/** The operation and what it is about first: `insert escrow_event`, `select ledger_post`, and of several what is changed first. */
export function statementName(text: string): string {
  const [, change, changed] = COMPOSED.exec(text) ?? [];
  if (change !== undefined) return `${change.toLowerCase()} ${changed}`;
  const operation = OPERATION.exec(text)?.[1]?.toLowerCase() ?? 'statement';
  const target = FUNCTION.exec(text)?.[1] ?? TARGET.exec(text)?.[1];
  return target === undefined ? operation : `${operation} ${target}`;
}
