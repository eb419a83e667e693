import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import type { TestService } from './service.ts';

/**
 * Runs a statement as the database's owner, for changes that no operation of the API makes. The change is committed like one of the
 * service, so that a later audit does not name it. Needs no jest: the screenshots run without it.
 */
export async function sql(
  service: Pick<TestService, 'database'>,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Record<string, unknown>[]> {
  return withClient(service.database.ownerUrl, async (client) => {
    await client.query('set app.as_service = on');
    return (await client.query(statement, [...values])).rows;
  });
}
