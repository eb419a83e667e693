import { type Connection, isGrpcServiceError } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../workflows/search-attributes.ts';

/** Temporal's number for attributes that hold one word (`INDEXED_VALUE_TYPE_KEYWORD`). */
const KEYWORD = 2;

/** Makes the search attributes known to a namespace, once. Those that are there stay. */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.keys(SEARCH_ATTRIBUTES).filter((name) => !Object.hasOwn(customAttributes ?? {}, name));
  if (missing.length === 0) return;
  try {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing.map((name) => [name, KEYWORD])),
    });
  } catch (error) {
    if (!isGrpcServiceError(error) || error.code !== 6) throw error; // another migrate was faster
  }
}
