import { type Connection, isGrpcServiceError } from '@temporalio/client';
import { SEARCH_ATTRIBUTES, type SearchAttributeName } from '../workflows/search-attributes.ts';
import { GRPC } from './connection.ts';

/** Temporal's numbers for the types of search attributes (`INDEXED_VALUE_TYPE_…`). */
const TYPE_NUMBERS = { Keyword: 2, Int: 3, Datetime: 6, KeywordList: 7 } as const satisfies Record<
  (typeof SEARCH_ATTRIBUTES)[SearchAttributeName],
  number
>;

/** Registers the search attributes that the namespace lacks. */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.entries(SEARCH_ATTRIBUTES).filter(([name]) => !Object.hasOwn(customAttributes ?? {}, name));
  if (missing.length === 0) return;
  try {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing.map(([name, type]) => [name, TYPE_NUMBERS[type]])),
    });
  } catch (error) {
    if (!isGrpcServiceError(error) || error.code !== GRPC.ALREADY_EXISTS) throw error; // another migration was faster
  }
}
