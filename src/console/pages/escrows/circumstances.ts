import { allows } from '../../../domain/escrow/transitions.ts';
import type { ApiClient } from '../../api-client.ts';
import type { EscrowView, TimelineView } from '../../api-types.ts';

/** What the actions on an escrow depend on, besides the escrow itself. */

export type Circumstances = {
  readonly isSellerBlacklisted: boolean;
  /** The buyer can postpone the automatic release once. */
  readonly isPostponed: boolean;
};

/** `timeline`: of the escrow, if the page has read it. */
export async function circumstancesOf(
  api: ApiClient,
  escrow: EscrowView,
  timeline?: TimelineView,
): Promise<Circumstances> {
  const [blacklisted, postponed] = await Promise.all([
    allows('release', escrow.status) ? isSellerBlacklisted(api, escrow) : false,
    escrow.autoReleaseAt === null ? false : wasPostponed(api, escrow, timeline),
  ]);
  return { isSellerBlacklisted: blacklisted, isPostponed: postponed };
}

/** A company that sells itself is never blacklisted. */
export async function isSellerBlacklisted(api: ApiClient, { seller }: EscrowView): Promise<boolean> {
  if (!seller.id.startsWith('usr_')) return false;
  const { identityStatus } = await api.get('/v1/identity/users/{id}', { path: { id: seller.id } });
  return identityStatus === 'BLACKLISTED';
}

async function wasPostponed(api: ApiClient, { id }: EscrowView, known?: TimelineView): Promise<boolean> {
  const timeline = known ?? (await api.get('/v1/escrow/{id}/timeline', { path: { id } }));
  return timeline.some(({ event }) => event === 'AUTO_RELEASE_EXTENDED');
}
