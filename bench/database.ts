import { createReadStream, mkdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type FieldKey, parseFieldKey } from '../src/db/core/field-cipher.ts';
import { migrate } from '../src/db/migrations/migrate.ts';
import type { CompanyId } from '../src/domain/ids.ts';
import { codeOf } from '../src/observability/thrown.ts';
import { lockDirectory } from '../src/sandbox/stack/lock.ts';
import { anyFreePort } from '../src/sandbox/stack/ports.ts';
import { ensureDatabase, startPostgres } from '../src/sandbox/stack/postgres.ts';
import { addressFor, SUPERUSER } from '../src/sandbox/stack/postgres-client.ts';
import { loadSecrets, type Secrets } from '../src/sandbox/stack/secrets.ts';

/** The PostgreSQL that read benchmarks fill and measure: started for the run, with data in a directory that is kept. */

const DATABASE = 'bench';
const DEFAULT_DIRECTORY = '.data/bench';

export type BenchDatabase = {
  readonly ownerUrl: string;
  readonly apiUrl: string;
  readonly workerUrl: string;
  readonly superuserUrl: string;
  readonly secrets: Secrets;
  readonly fieldKey: FieldKey;
  /**
   * Reads all of its files once, so that they are in the system's cache. The benchmark then measures the statement and not the
   * disk.
   */
  warm(): Promise<void>;
  stop(): Promise<void>;
};

/** Uses the directory in BENCH_DIR, else `.data/bench`. The database is migrated. */
export async function openBenchDatabase(env: NodeJS.ProcessEnv = process.env): Promise<BenchDatabase> {
  const dataDir = resolve(env.BENCH_DIR ?? DEFAULT_DIRECTORY);
  mkdirSync(dataDir, { recursive: true });
  const lock = lockDirectory(dataDir);
  const secrets = loadSecrets(dataDir);
  const postgres = await startPostgres({
    dataDir,
    port: await anyFreePort(),
    superuserPassword: secrets.postgresSuperuserPassword,
    ownerPassword: secrets.postgresOwnerPassword,
  });
  const stop = async () => {
    await postgres.child.stop();
    lock.release();
  };
  try {
    const ownerUrl = postgres.ownerUrl(DATABASE);
    await ensureDatabase(postgres.ownerUrl('postgres'), DATABASE);
    await migrate({
      databaseUrl: ownerUrl,
      apiPassword: secrets.postgresApiPassword,
      workerPassword: secrets.postgresWorkerPassword,
      isProduction: false,
    });
    const urlOf = (user: string, password: string) => addressFor(ownerUrl, { user, password });
    return {
      ownerUrl,
      apiUrl: urlOf('escrow_api', secrets.postgresApiPassword),
      workerUrl: urlOf('escrow_worker', secrets.postgresWorkerPassword),
      superuserUrl: urlOf(SUPERUSER, secrets.postgresSuperuserPassword),
      secrets,
      fieldKey: fieldKeyOf(secrets),
      warm: () => readAll(join(dataDir, 'postgres', 'base')),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

export function fieldKeyOf({ fieldEncryptionKey }: Secrets): FieldKey {
  const key = parseFieldKey(fieldEncryptionKey);
  if (key === undefined) throw new Error('no field key');
  return key;
}

/** The company that `bench:seed` fills. */
export async function benchCompany(em: EntityManager): Promise<CompanyId> {
  const [row] = await em.execute<{ id: CompanyId }[]>(`select id from company where slug = 'bench'`);
  if (row === undefined) throw new Error('Nothing is seeded, or seeding did not end: npm run bench:seed -- 1000000');
  return row.id;
}

async function readAll(directory: string): Promise<void> {
  for (const file of await readdir(directory, { withFileTypes: true, recursive: true })) {
    if (!file.isFile()) continue;
    try {
      for await (const _ of createReadStream(join(file.parentPath, file.name), { highWaterMark: 1 << 20 }));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error; // PostgreSQL has replaced the file
    }
  }
}
