import type { EntityManager } from '@mikro-orm/postgresql';
import { isRefusalCode, Refusal } from '../../domain/errors.ts';
import type { Posting } from '../../domain/ledger/postings.ts';
import { postToLedger } from './post.ts';

/** Posts all of them, or throws the first refusal. */
export async function postAll(em: EntityManager, postings: readonly Posting[]): Promise<void> {
  for (const outcome of await postToLedger(em, postings)) {
    if (outcome.kind !== 'refused') continue;
    if (!isRefusalCode(outcome.code)) throw new Error(`the ledger refused a posting: ${outcome.code}`);
    throw new Refusal(outcome.code, undefined, { details: outcome.details });
  }
}
