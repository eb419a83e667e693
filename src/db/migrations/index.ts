import { readdirSync, readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';
import type { MigrationObject } from '@mikro-orm/postgresql';

/**
 * The files of `migrations/`, in the order of their names, as MikroORM migrations. They are SQL, because row-level security,
 * functions and triggers have no other form. Each file holds one idea and builds on those with lower numbers. MikroORM runs each
 * file in a transaction and records its name. Money is integer cents; outside the ledger's own files (100 to 160, 310, 330, 335)
 * the names of columns and parameters end in `_cents`. Until the first release, edit the file of the idea; after it, add a file.
 * A currency is always a separate file, at the end.
 */
const FOLDER = new URL('./', import.meta.url);

export const migrationsList: MigrationObject[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.sql'))
  .sort()
  .map((file) => ({ name: file.replace(/\.sql$/, ''), class: sqlMigration(file) }));

function sqlMigration(file: string) {
  return class extends Migration {
    override up(): void {
      this.addSql(readFileSync(new URL(file, FOLDER), 'utf8'));
    }
  };
}
