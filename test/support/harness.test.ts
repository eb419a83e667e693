import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Connection } from '@temporalio/client';
import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { freshDatabase, type TestDatabase } from './database.ts';
import { testTemporal } from './temporal.ts';

describe('the test harness', () => {
  let databases: TestDatabase[] = [];
  beforeAll(async () => {
    databases = [await freshDatabase(), await freshDatabase()];
  });
  afterAll(async () => {
    for (const database of databases) await database.drop();
  });

  test('gives each caller its own database', async () => {
    const names = databases.map((database) => database.name);
    const answers = await Promise.all(
      databases.map(({ ownerUrl }) =>
        withClient(ownerUrl, (client) => client.query('select current_database() as name')),
      ),
    );
    expect(answers.map((answer) => answer.rows[0].name)).toEqual(names);
    expect(new Set(names).size).toBe(2);
  });

  test('gives a Temporal server that answers, and a separate task queue', async () => {
    const { address, namespace, taskQueue } = testTemporal();
    const connection = await Connection.connect({ address });
    try {
      const found = await connection.workflowService.describeNamespace({ namespace });
      expect(found.namespaceInfo?.name).toBe(namespace);
      expect(taskQueue).not.toBe(testTemporal().taskQueue);
    } finally {
      await connection.close();
    }
  });
});
