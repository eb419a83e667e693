import { AsyncLocalStorage } from 'node:async_hooks';
import type { MikroORM } from '@mikro-orm/postgresql';
import pg, { type PoolClient, type QueryResult } from 'pg';
import { type CompanyId, isUuid } from '../../domain/ids.ts';
import { codeOf } from '../../observability/thrown.ts';
import { numbered } from './bound.ts';
import { isPooled } from './session.ts';

/**
 * Reads of a company without a transaction block (docs/adr/0034): one round trip sends the tenant and the statement, which PostgreSQL
 * runs one after the other in one implicit transaction. The tenant ends with it, so a connection that returns to the pool has none.
 * A statement is prepared once for each connection, except behind a pooler, where the names of prepared statements of several clients
 * would meet in one session.
 */

/** Null: of no company. */
const READER = new AsyncLocalStorage<CompanyId | null>();

/** Each statement of `work` is a read of its own for the company. Null: of rows that belong to none, prepared as well. */
export function asReader<T>(companyId: CompanyId | null, work: () => Promise<T>): Promise<T> {
  if (companyId !== null && !isUuid(companyId)) throw new TypeError('a company has a UUID');
  return READER.run(companyId, work);
}

const LONG = new AsyncLocalStorage<true>();

/**
 * The rows of the reads of `work` come in pieces, and the event loop is free between two of them: the driver parses all that has come in
 * one turn. It takes a round trip for each piece, and a failed read costs its connection.
 */
export function inPieces<T>(work: () => Promise<T>): Promise<T> {
  return LONG.run(true, work);
}

/** Of a piece. Parsing a transaction with its entries takes some 20 µs. */
const PIECE_ROWS = 100;

type Connection = ReturnType<MikroORM['em']['getConnection']>;

/** Lets a connection send the statements of `asReader` with their tenant. The values of `?` are bound. */
export function bindTenantReads(connection: Connection): void {
  const execute = connection.execute.bind(connection);
  const reading: Pick<Connection, 'execute'> = {
    execute: async (query, values = [], method, transaction, loggerContext) => {
      const companyId = READER.getStore();
      if (companyId === undefined || transaction !== undefined)
        return execute(query, values, method, transaction, loggerContext);
      const { sql, params } = partsOf(query, values);
      const pool = await connection.getNativeClient();
      const { rows } = await readOnce(pool, companyId, statementOf(sql), params);
      return method === 'get' ? rows[0] : rows;
    },
  };
  Object.assign(connection, reading);
}

type Query = Parameters<Connection['execute']>[0];

function partsOf(query: Query, values: unknown): { readonly sql: string; readonly params: readonly unknown[] } {
  if (typeof query !== 'string') return 'toRaw' in query ? query.toRaw() : query;
  if (!Array.isArray(values)) throw new TypeError('a read binds its values by their place');
  return { sql: query, params: values };
}

/** SQLSTATE of a prepared statement whose result has other columns since a migration. */
const CHANGED_RESULT = '0A000';

async function readOnce(
  pool: pg.Pool,
  companyId: CompanyId | null,
  statement: Statement,
  values: readonly unknown[],
): Promise<QueryResult> {
  const client = await pool.connect();
  try {
    return await send(client, companyId, statement, values);
  } catch (error) {
    if (codeOf(error) !== CHANGED_RESULT) throw error;
    await client.query('deallocate all');
    client.connection.parsedStatements = {};
    return await send(client, companyId, statement, values);
  } finally {
    client.release();
  }
}

const TENANT = { name: 'tenant', text: `select set_config('app.company_id', $1, true)` };

async function send(
  client: PoolClient,
  companyId: CompanyId | null,
  statement: Statement,
  values: readonly unknown[],
): Promise<QueryResult> {
  if (companyId === null)
    return client.query({ ...(isPooled(client) ? { text: statement.text } : statement), values: [...values] });
  const pieces = LONG.getStore() === true ? { rows: PIECE_ROWS } : {};
  if (isPooled(client))
    return client.query(new TenantQuery(companyId, { text: statement.text, values: [...values], ...pieces })).answered;
  if (client.connection.parsedStatements[TENANT.name] === undefined)
    await client.query({ ...TENANT, values: [companyId] });
  return client.query(new TenantQuery(companyId, { ...statement, values: [...values], ...pieces }, TENANT.name))
    .answered;
}

/** A query that sets the tenant first. Its own answer is that of its statement alone. */
export class TenantQuery extends pg.Query {
  readonly answered: Promise<QueryResult>;
  readonly #companyId: CompanyId;
  readonly #preparedTenant: string;
  readonly #isInPieces: boolean;
  #isTenantShown = false;
  #isTenantSet = false;

  /** `preparedTenant` names the prepared statement that sets the tenant; absent: there is none. */
  constructor(companyId: CompanyId, config: Config, preparedTenant = '') {
    const { promise, resolve, reject } = Promise.withResolvers<QueryResult>();
    super(config, (error, result) => (error == null ? resolve(result) : reject(error)));
    this.#companyId = companyId;
    this.#preparedTenant = preparedTenant;
    this.#isInPieces = config.rows !== undefined;
    this.answered = promise;
  }

  override prepare(connection: pg.Connection): void {
    if (this.#preparedTenant === '') connection.parse({ text: TENANT.text });
    connection.bind({ statement: this.#preparedTenant, values: [this.#companyId] });
    connection.execute({});
    super.prepare(connection);
  }

  override handleDataRow(message: unknown): void {
    if (this.#isTenantShown) super.handleDataRow(message);
    this.#isTenantShown = true;
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    if (this.#isTenantSet) super.handleCommandComplete(message, connection);
    this.#isTenantSet = true;
  }

  /** A read in pieces sends the end of its messages after the last piece, and PostgreSQL waits for it after an error too. */
  override handleError(error: Error, connection: pg.Connection): void {
    if (this.#isInPieces) connection.sync();
    super.handleError(error, connection);
  }
}

/** `rows`: of a piece. */
type Config = pg.QueryConfig & { readonly rows?: number };

declare module 'pg' {
  interface Connection {
    /** The text of each statement that is prepared on this connection. */
    parsedStatements: Record<string, string>;
    parse(config: { readonly text: string }): void;
    bind(config: { readonly statement: string; readonly values: readonly unknown[] }): void;
    execute(config: object): void;
    sync(): void;
  }
  interface PoolClient {
    readonly connection: Connection;
  }
  interface Query {
    prepare(connection: Connection): void;
    handleDataRow(message: unknown): void;
    handleCommandComplete(message: unknown, connection: Connection): void;
    handleError(error: Error, connection: Connection): void;
  }
}

type Statement = { readonly text: string; readonly name?: string };

/** Texts differ by filters and order. Beyond this number a statement is not prepared. */
const MAX_STATEMENTS = 500;
const STATEMENTS = new Map<string, Statement>();

/** The statement with numbered placeholders. */
function statementOf(query: string): Statement {
  const known = STATEMENTS.get(query);
  if (known !== undefined) return known;
  const text = numbered(query);
  if (STATEMENTS.size === MAX_STATEMENTS) return { text };
  const statement = { text, name: `read ${STATEMENTS.size}` };
  STATEMENTS.set(query, statement);
  return statement;
}
