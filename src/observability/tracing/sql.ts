import type { MikroORM } from '@mikro-orm/postgresql';
import { SpanKind } from '@opentelemetry/api';
import { inSpan, isTracing } from './spans.ts';

/**
 * One span for every statement, created where the ORM runs it. PostgreSQL's driver would also get the values, which MikroORM
 * writes into the text. Here they are still separate, and only the text with its question marks is kept.
 */

type Connection = ReturnType<MikroORM['em']['getConnection']>;
type Query = Parameters<Connection['execute']>[0];

/** Literals in our statements contain no personal data. Spans omit them nevertheless. */
const LITERAL = /'(?:[^']|'')*'/g;
const MAX_TEXT_CHARACTERS = 2_000;
const OPERATION = /^\s*(\w+)/;
/** The first table that is read or written. `extract(epoch from …)` names no table. */
const TARGET = /(?:(?<!\bepoch\s)\bfrom|\binto|^\s*update)\s+(?:"?public"?\.)?"?([a-z_]\w*)/i;
const COMPOSED = /^\s*with\b.*?\b(insert|update|delete)\s+(?:into\s+|from\s+)?(?:"?public"?\.)?"?([a-z_]\w*)/is;
const FUNCTION = /^\s*select\s+(\w+)\s*\(/i;

/** Only statements within a traced request or activity. A statement without a parent is background work and starts no trace. */
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

/** The operation and its first object: `insert escrow_event`, `select ledger_post`. Of several, the first one that is changed. */
export function statementName(text: string): string {
  const [, change, changed] = COMPOSED.exec(text) ?? [];
  if (change !== undefined) return `${change.toLowerCase()} ${changed}`;
  const operation = OPERATION.exec(text)?.[1]?.toLowerCase() ?? 'statement';
  const target = FUNCTION.exec(text)?.[1] ?? TARGET.exec(text)?.[1];
  return target === undefined ? operation : `${operation} ${target}`;
}
