import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';

/**
 * Statements whose values PostgreSQL binds. MikroORM writes the values of `?` into the text of a statement, which costs the API a
 * copy of every value. The busiest statements are therefore sent with numbered placeholders ($1), which MikroORM leaves alone.
 */

type Connection = ReturnType<MikroORM['em']['getConnection']>;
type Client = Pick<ReturnType<Connection['getClient']>, 'executeQuery'>;

const NUMBERED = /\$1\b/;

/** Runs a statement with bound values: text, bytes or null. Each `?` needs a type in the statement: a cast, or a function's argument. */
export function executeBound<Row>(
  em: EntityManager,
  statement: string,
  values: readonly (string | Buffer | null)[],
): Promise<Row[]> {
  return em.execute<Row[]>(numbered(statement), [...values]);
}

/** A literal, a quoted name, or a placeholder. */
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g;

/** The statement with $1, $2 … for its placeholders. A question mark in quotes is text. */
export function numbered(statement: string): string {
  let number = 0;
  return statement.replace(TOKEN, (token) => {
    if (token !== '?') return token;
    number += 1;
    return `$${number}`;
  });
}

/** Lets a connection bind the values of statements with numbered placeholders. */
export function bindNumberedValues(connection: Connection): void {
  const execute = connection.execute.bind(connection);
  const binding: Pick<Connection, 'execute'> = {
    execute: async (query, values, method, transaction, loggerContext) => {
      if (typeof query !== 'string' || !Array.isArray(values) || !NUMBERED.test(query))
        return execute(query, values, method, transaction, loggerContext);
      await connection.ensureConnection();
      const client: Client = transaction ?? connection.getClient();
      const bound: Client = {
        executeQuery: (compiled, options) => client.executeQuery({ ...compiled, parameters: values }, options),
      };
      return execute(query, [], method, bound, loggerContext);
    },
  };
  Object.assign(connection, binding);
}

/** A text array in PostgreSQL's notation. */
export function textArray(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
