import { readdirSync, readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';
import type { MigrationObject } from '@mikro-orm/postgresql';

/**
 * The files of `migrations/`, in the order of their names, as MikroORM migrations. They are SQL, because most of what they
 * say (row-level security, functions, triggers) has no other form; MikroORM runs each in a transaction and remembers it.
 * A file that was released is never edited: what comes later is a new file.
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
