import { BigIntType, DateTimeType, type EntitySchema } from '@mikro-orm/core';
import { fromWire, type Wire } from '../../domain/messages/wire.ts';

/**
 * Read models: each field is declared once, with its SQL and its type. The columns of the statement, the row and the record
 * derive from the declaration, so that a selected column that no record has, or the reverse, can't be written.
 */

export type SqlRow = Readonly<Record<string, unknown>>;

type Column = { readonly sql: string; readonly as: string };
export type Field<Value> = {
  /** The columns of the field, named after its path in the record. */
  readonly columns: (path: string) => readonly Column[];
  readonly read: (row: SqlRow, path: string) => Value;
};
export type Fields = { readonly [Name in string]: Field<unknown> };
export type ValuesOf<Declared extends Fields> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Field<infer Value> ? Value : never;
};

function field<Value>(sql: string, convert: (read: unknown) => Value): Field<Value> {
  return { columns: (path) => [{ sql, as: path }], read: (row, path) => convert(row[path]) };
}

/** Text, a whole number, a boolean, an array or JSON: as the driver returns it. The declaration is trusted for the type. */
export const value = <Value>(sql: string): Field<Value> => field(sql, (read) => read as Value); // declared
/** A bigint column. */
export const cents = (sql: string): Field<bigint> => field(`${sql}::text`, (read) => BigInt(read as string)); // cast to text
export const time = (sql: string): Field<Date> => field(sql, (read) => new Date(read as string)); // the driver returns text
/** A folded state. */
export const wire = <State>(sql: string): Field<State> => field(sql, (read) => fromWire(read as Wire<State>)); // declared

/**
 * Joins the row of a tenant's table that `on` names, found by its own index for each row of the other side. As a plain join, a company that
 * is younger than PostgreSQL's statistics looks empty, and all its rows are read for each row of a page.
 */
export const looked = (join: 'join' | 'left join', table: string, alias: string, on: string) =>
  `${join} lateral (select * from ${table} ${alias} where ${on} offset 0) ${alias} on true`;

/** A field that is null in the rows where its first column is null. */
export function orNull<Value>({ columns, read }: Field<Value>): Field<Value | null> {
  const isNull = (row: SqlRow, path: string) =>
    columns(path)
      .slice(0, 1)
      .some(({ as }) => row[as] === null);
  return { columns, read: (row, path) => (isNull(row, path) ? null : read(row, path)) };
}

/** Fields as an object of their own in the record. */
export function group<Declared extends Fields>(fields: Declared): Field<ValuesOf<Declared>> {
  const pathOf = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);
  const entries = Object.entries(fields);
  return {
    columns: (path) => entries.flatMap(([name, { columns }]) => columns(pathOf(path, name))),
    read: (row, path) =>
      // Each field of `Declared`.
      Object.fromEntries(
        entries.map(([name, { read }]) => [name, read(row, pathOf(path, name))]),
      ) as ValuesOf<Declared>,
  };
}

export type ReadModel<Read> = { readonly columns: string; readonly toRecord: (row: SqlRow) => Read };
export type RecordOf<Model> = Model extends ReadModel<infer Read> ? Read : never;

export function readModel<Declared extends Fields>(fields: Declared): ReadModel<ValuesOf<Declared>> {
  const { columns, read } = group(fields);
  const selected = columns('').map(({ sql, as }) => `${sql} as "${as}"`);
  return { columns: selected.join(', '), toRecord: (row) => read(row, '') };
}

type Columns<Stored> = keyof Stored & string;
/** A row of a table with all its columns, for `em.insert`: a new column does not compile until it is written. */
export type FullRow<Stored> = { [Name in Columns<Stored>]-?: Exclude<Stored[Name], undefined> };

/** `amount_cents` for `amountCents`. */
export function columnOf(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

type Property = { readonly type: unknown; readonly nullable?: boolean | undefined };

/** A field for each column of a table: what is stored is read. `but`: those that only the row itself needs. */
export function columnsOf<Stored extends object, But extends Columns<Stored> = never>(
  table: EntitySchema<Stored>,
  alias: string,
  but: readonly But[] = [],
): { readonly [Name in Exclude<Columns<Stored>, But>]: Field<FullRow<Stored>[Name]> } {
  const properties: Readonly<Record<string, Property>> = table.meta.properties;
  const isRead = ([name]: readonly [string, Property]) => !but.some((one) => one === name);
  const fields = Object.entries(properties)
    .filter(isRead)
    .map(([name, { type, nullable }]) => {
      const read = fieldOf(type, `${alias}.${columnOf(name)}`);
      return [name, nullable === true ? orNull(read) : read];
    });
  return Object.fromEntries(fields);
}

function fieldOf(type: unknown, column: string): Field<unknown> {
  if (type === BigIntType || type instanceof BigIntType) return cents(column);
  return type === DateTimeType || type instanceof DateTimeType ? time(column) : value(column);
}
