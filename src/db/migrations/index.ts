import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';
import type { EntityManager, MigrationObject } from '@mikro-orm/postgresql';
import { textArray } from '../core/bound.ts';

/**
 * The files of `migrations/`, in the order of their names, as MikroORM migrations. They are SQL, because row-level security,
 * functions and triggers have no other form. Each file holds one idea and builds on those with lower numbers. MikroORM runs each
 * file in a transaction and records its name. Money is integer cents; outside the ledger's own files (100 to 160, 310, 330, 335)
 * the names of columns and parameters end in `_cents`. A file that `released.json` lists is frozen: a change of it is a new file at the
 * end. Other changes edit the file of the idea. A currency is always a separate file, at the end. The table `installation` gets the
 * checksum of each file, and the grants after it, in the file's transaction.
 */
export const MIGRATIONS_FOLDER = new URL('./', import.meta.url);

export type SqlFile = { readonly name: string; readonly sql: string; readonly checksum: string };

export function sqlFilesIn(folder: URL): readonly SqlFile[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const sql = readFileSync(new URL(file, folder), 'utf8');
      return { name: file.replace(/\.sql$/, ''), sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

const FILES = sqlFilesIn(MIGRATIONS_FOLDER);

export const migrationsList: MigrationObject[] = FILES.map((file) => ({ name: file.name, class: sqlMigration(file) }));

function sqlMigration({ name, sql, checksum }: SqlFile) {
  return class extends Migration {
    override up(): void {
      this.addSql(sql);
      this.addSql(`insert into installation (kind, name, value) values ('migration', '${name}', '${checksum}')`);
      this.addSql(`delete from installation where kind = 'grant'`);
      this.addSql(`insert into installation (kind, name) select distinct 'grant', statement from service_grants()`);
    }
  };
}

/** The oldest PostgreSQL that has every function of the migrations: uuidv7. */
const OLDEST_POSTGRES = 18;

/** @throws SchemaDiffers if the server is older than `oldest`. */
export async function requirePostgres(em: EntityManager, oldest = OLDEST_POSTGRES): Promise<void> {
  const [server] = await em.execute<{ major: number; version: string }[]>(
    `select current_setting('server_version_num')::integer / 10000 as major, current_setting('server_version') as version`,
  );
  if (server === undefined || server.major >= oldest) return;
  throw new SchemaDiffers(
    `The service needs PostgreSQL ${oldest} or later, and this server is ${server.version}. Upgrade the server.`,
  );
}

/** The server is too old, or the database has another schema than this version. The message says what to do. */
export class SchemaDiffers extends Error {
  override readonly name = 'SchemaDiffers';
}

/** Whether a later version has migrated the database. */
export async function hasLaterMigration(em: EntityManager): Promise<boolean> {
  const rows = await em.execute<unknown[]>(
    `select name from installation where kind = 'migration' and name <> all (?::text[]) limit 1`,
    [textArray(FILES.map(({ name }) => name))],
  );
  return rows.length > 0;
}

/**
 * Compares the checksums in the database with the files. Migrations that only the database has are those of a later version, which
 * are compatible with this one.
 * @param applied the migrations that the database must have; the others may be missing
 * @throws SchemaDiffers
 */
export async function requireSchema(em: EntityManager, applied = FILES.map(({ name }) => name)): Promise<void> {
  const [table] = await em.execute<{ exists: boolean }[]>(`select to_regclass('installation') is not null as exists`);
  const rows = table?.exists
    ? await em.execute<{ name: string; value: string }[]>(
        `select name, value from installation where kind = 'migration'`,
      )
    : [];
  const stored = new Map(rows.map(({ name, value }) => [name, value]));
  const changed = FILES.filter(({ name, checksum }) => stored.has(name) && stored.get(name) !== checksum);
  if (changed.length > 0)
    throw new SchemaDiffers(
      `The database was made by another version: ${changed[0]?.name} differs. Start the version that made it, or restore a backup: docs/operations/symptoms.md.`,
    );
  const missing = FILES.find(({ name }) => applied.includes(name) && !stored.has(name));
  if (missing !== undefined)
    throw new SchemaDiffers(
      `The database has no migration ${missing.name} of this version. Run npm run migrate. If that says the same, restore a backup: docs/operations/symptoms.md.`,
    );
}
