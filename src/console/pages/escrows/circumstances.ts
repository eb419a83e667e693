import { allows } from '../../../domain/escrow/commands.ts';
import type { ApiClient } from '../../api-client.ts';
import type { EscrowView, TimelineView } from '../../api-types.ts';

/** What the actions on an escrow depend on, besides the escrow itself. */

export type Circumstances = {
  readonly isSellerBlacklisted: boolean;
  /** The payer took the funding payment back, and nobody has made good for it yet. */
  readonly isUnpaid: boolean;
  /** The buyer can postpone the automatic release once. */
  readonly isPostponed: boolean;
};

/** `timeline`: of the escrow, if the page has read it. */
export async function circumstancesOf(
  api: ApiClient,
  escrow: EscrowView,
  timeline?: TimelineView,
): Promise<Circumstances> {
  const isReleasable = allows('release', escrow.status);
  const [blacklisted, unpaid, postponed] = await Promise.all([
    isReleasable && isSellerBlacklisted(api, escrow),
    isReleasable && isOwed(api, escrow),
    escrow.autoReleaseAt === null ? false : wasPostponed(api, escrow, timeline),
  ]);
  return { isSellerBlacklisted: blacklisted, isUnpaid: unpaid, isPostponed: postponed };
}

/** A company that sells itself is never blacklisted. */
export async function isSellerBlacklisted(api: ApiClient, { seller }: EscrowView): Promise<boolean> {
  if (!seller.id.startsWith('usr_')) return false;
  const { identityStatus } = await api.get('/v1/identity/users/{id}', { path: { id: seller.id } });
  return identityStatus === 'BLACKLISTED';
}

async function isOwed(api: ApiClient, { id: escrowId }: EscrowView): Promise<boolean> {
  const query = { escrowId, status: 'OPEN', limit: 1, maxTotal: 1 } as const;
  const { data } = await api.get('/v1/treasury/receivables', { query });
  return data.length > 0;
}

async function wasPostponed(api: ApiClient, { id }: EscrowView, known?: TimelineView): Promise<boolean> {
  const timeline = known ?? (await api.get('/v1/escrow/{id}/timeline', { path: { id } }));
  return timeline.some(({ event }) => event === 'AUTO_RELEASE_EXTENDED');
}
