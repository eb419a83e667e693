import { bare, sql } from '../api.ts';
import { eventually } from '../eventually.ts';
import { actOnPage } from '../order-pages.ts';
import { PLATFORM, type TestService } from '../service.ts';
import type { Outside } from './cast.ts';

/** What happens outside the API, with the sandbox of a test service. */
export function outsideOf(service: TestService, webhookUrl: string): Outside {
  return {
    platform: { ...PLATFORM, apiKey: service.platform.apiKey },
    messaging: service.sandbox.settings.messaging,
    codeFor: service.sandbox.codeFor,
    actOnPage: (page) => actOnPage(service, page),
    resetTokenFor: service.sandbox.resetTokenFor,
    // The gateway's notification comes first: the examples say where the payment came from.
    async payByCard(checkoutId) {
      await service.sandbox.settle(checkoutId, 'success');
      const paid = `select from payment_attempt a join payment_link l on l.company_id = a.company_id and l.id = a.link_id
        where a.checkout_id = $1 and l.status = 'ACCEPTED'`;
      await eventually(async () => (await sql(service, paid, [checkoutId])).length > 0);
    },
    webhookUrl,
    bankWaits: async () => void (await service.sandbox.control('POST', '/payouts', { outcome: 'manual' })),
    detailsWait: async (ledgerId) => {
      const later = "update bank_details set effective_at = now() + interval '1 day' where ledger_id = $1";
      await sql(service, later, [bare(ledgerId)]);
    },
    bankIsAway: (isAway) => service.sandbox.outage('payout', isAway ? 600 : 0),
  };
}
