import { beginEscrow, splitPlan } from '../escrows.ts';
import { offerLink } from '../links.ts';
import { done, newCompany } from '../service.ts';
import { byPlatform, once, type Stage } from './stage.ts';

/** The deadlines of everything here pass within a week. */
const WEEK_HOURS = 7 * 24;

export type TimeStory = ReturnType<typeof timeStory>;

/** A company of its own prepares everything that has a deadline, and then moves its clock once. */
export function timeStory({ service }: Pick<Stage, 'service'>) {
  return once(async () => {
    const company = await newCompany(service, 'Later');
    const delivered = async () => {
      const escrow = await beginEscrow(company, { autoReleaseHours: 1 });
      const items = [{ itemId: escrow.itemId, quantity: 2, price_per_item: 12_500 }];
      await done(company.post(`${escrow.path}/delivery-note`, { items }));
      return escrow;
    };
    const blacklist = (userId: string) =>
      done(byPlatform({ service, company }, `/v1/identity/admin/users/${userId}/status`, { status: 'BLACKLISTED' }));

    const [released, blocked, negotiated, unpaid, abandoned] = await Promise.all([
      delivered(),
      delivered(),
      beginEscrow(company),
      offerLink(service, company),
      offerLink(service, company, { expiresInHours: 2 * WEEK_HOURS }),
    ]);
    await blacklist(blocked.seller.id);
    const proposal = { actor: 'BUYER', newSplitPlan: splitPlan(0, 0, 10_000) };
    await done(company.post(`${negotiated.path}/negotiate`, proposal));
    await done(abandoned.say('eft-pay/initiate'));
    await done(company.post('/v1/sandbox/clock', { advanceHours: WEEK_HOURS }));

    const byTime = (objectId: string) => ({ objectId, requestId: null });
    return {
      company,
      autoReleased: byTime(released.id),
      blocked: byTime(blocked.id),
      lapsed: byTime(negotiated.id),
      expired: byTime(`pay_${unpaid.linkId}`),
      checkoutLapsed: byTime(`pay_${abandoned.linkId}`),
    };
  });
}
