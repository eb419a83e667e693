import { inTenant } from '../../db/core/orm.ts';
import { erasureObstacle } from '../../db/identity/personal-data.ts';
import { lockUser } from '../../db/identity/users.ts';
import type { CompanyId, DocumentId, UserId } from '../../domain/ids.ts';
import type { ApiDependencies } from '../context.ts';
import { forget } from './documents.ts';

/** Deletes documents that are not needed any more, and what interrupted uploads and erasures left. */

const DOCUMENTS_AT_ONCE = 100;
const FIRST = '00000000-0000-0000-0000-000000000000';

type Row = { readonly company_id: CompanyId; readonly document_id: DocumentId; readonly user_id: UserId | null };
type Stores = Pick<ApiDependencies, 'orm' | 'documents' | 'log'>;

/**
 * Deletes the documents that nobody refers to, and those of people who have had nothing open for `days`, unless they are younger
 * themselves; without `days` the latter stay. Several processes may do so at the same time. Returns how many documents it deleted.
 */
export async function removeOldDocuments(stores: Stores, days: number | null): Promise<number> {
  let removed = 0;
  let after: readonly [string, string] = [FIRST, FIRST];
  for (;;) {
    const old = await stores.orm.em
      .fork()
      .execute<Row[]>('select * from documents_to_delete(make_interval(days => ?::integer), ?, ?, ?)', [
        ...[days, ...after, DOCUMENTS_AT_ONCE],
      ]);
    for (const row of old) {
      if (!(await isNoLongerNeeded(stores, row, days))) continue;
      await forget(stores, row.company_id, row.document_id);
      removed += 1;
    }
    const last = old.at(-1);
    if (last === undefined || old.length < DOCUMENTS_AT_ONCE) return removed;
    after = [last.company_id, last.document_id];
  }
}

/** Takes the document from its user, if nothing of theirs is open. */
function isNoLongerNeeded(
  { orm }: Stores,
  { company_id, document_id, user_id }: Row,
  days: number | null,
): Promise<boolean> {
  return inTenant(orm, company_id, async (em) => {
    if (user_id === null || days === null) return user_id === null;
    const user = await lockUser(em, company_id, user_id);
    if (user.documentId !== document_id) return true; // it was replaced meanwhile
    if ((await erasureObstacle(em, user.id, days)) !== null) return false;
    em.assign(user, { documentId: null, updatedAt: new Date() });
    await em.flush();
    return true;
  });
}
