import { createdSort, createListReader, NEWEST_FIRST } from '../core/list-reader.ts';
import { Administrator, ApiKey } from '../entities/tenancy.ts';

/** The lists of a company's administrators and keys. */

export const ADMINISTRATOR_SORTS = createdSort('a');

/** Administrators that are not removed. */
export const { list: listAdministrators } = createListReader<
  { readonly isRemoved: boolean },
  Administrator,
  keyof typeof ADMINISTRATOR_SORTS
>({
  table: 'administrator',
  alias: 'a',
  columns: 'a.*',
  conditions: { isRemoved: '(a.removed_at is not null) = ?' },
  sorts: ADMINISTRATOR_SORTS,
  defaultOrder: { by: 'createdAt', isDescending: false },
  toRecord: (row, em) => em.map(Administrator, row),
});

export const API_KEY_SORTS = createdSort('k');

export const { list: listApiKeys } = createListReader<
  Readonly<Record<string, never>>,
  ApiKey,
  keyof typeof API_KEY_SORTS
>({
  table: 'api_key',
  alias: 'k',
  columns: 'k.*',
  conditions: {},
  sorts: API_KEY_SORTS,
  defaultOrder: NEWEST_FIRST,
  toRecord: (row, em) => em.map(ApiKey, row),
});
