import type { AdministratorId, ItemId } from '../../src/domain/ids.ts';
import { writeBehindTheRun } from './behind-the-run.ts';
import { eventually } from './eventually.ts';
import { offerLink } from './links.ts';
import { done, newParties, newUser, type TestCompany, type TestService, type WithTemporal } from './service.ts';

/** Scenarios for record-histories.ts in which time, a provider, a second writer or an operator decides. */

export type Scene = { readonly service: TestService & WithTemporal; readonly company: TestCompany };
type Scenario = (scene: Scene) => Promise<unknown>;

const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();

/** An escrow whose automatic release is due, while its run does not know it yet. */
async function due(scene: Scene) {
  const started = await begin(scene, { autoReleaseHours: 1 });
  const items = [{ itemId: started.itemId, quantity: 2, pricePerItemCents: 12_500n }];
  return {
    ...started,
    /** The run reads that the release is due. */
    fire: async () => {
      await writeBehindTheRun(scene.service, started.id, { type: 'delivery-note', items }, hoursAgo(2));
      await started.run.signal('refresh');
    },
  };
}

export const SCENARIOS_OF_OTHERS: Readonly<Record<string, Scenario>> = {
  async 'webhook-retried'({ service, company }) {
    const webhook = { url: 'http://127.0.0.1:9/hook', events: ['user.created'] }; // nothing listens there
    const { body } = await done(company.post('/v1/webhooks', webhook));
    const path = `/v1/webhooks/${body.id}`;
    const run = service.temporal.workflow.getHandle(`webhook/${body.id}`);
    /** A round has ended, and the run waits for a retry or for news. */
    const waited = (times: number) =>
      eventually(async () => {
        const { events = [] } = await run.fetchHistory();
        return (events ?? []).filter(({ timerStartedEventAttributes: timer }) => timer != null).length >= times;
      }, 30_000);
    await newUser(company);
    const [delivery] = await eventually(async () => {
      const { body: all } = await company.get(`${path}/deliveries`);
      return all.data[0]?.attempts.length > 0 && all.data;
    });
    await waited(1);
    await newUser(company);
    await done(company.post(`/v1/webhooks/deliveries/${delivery.id}/retry`));
    await eventually(async () => (await company.get(`${path}/deliveries`)).body.data.at(-1)?.attempts.length > 1);
    await waited(2);
  },
  async 'automatic-release'(scene) {
    const { run, fire } = await due(scene);
    await fire();
    await run.result();
  },
  async 'automatic-release-blocked'(scene) {
    const { seller, fire, eventsAre } = await due(scene);
    await scene.service.request('POST', `/v1/identity/admin/users/${seller.id}/status`, {
      headers: { 'x-api-key': scene.service.platform.apiKey, 'x-company-id': scene.company.id },
      body: { status: 'BLACKLISTED' },
    });
    await fire();
    await eventsAre('INITIATED', 'DELIVERY_NOTED', 'RELEASE_BLOCKED');
  },
  async 'proposal-lapses'(scene) {
    const { id, run, eventsAre } = await begin(scene);
    const plan = { systemFeeCents: 0n, serviceFeeCents: 0n, sellerPayoutCents: 20_000n };
    await writeBehindTheRun(scene.service, id, { type: 'negotiate', actor: 'BUYER', plan }, hoursAgo(24 * 30));
    await run.signal('refresh');
    await eventsAre('INITIATED', 'NEGOTIATION_PROPOSED', 'NEGOTIATION_LAPSED');
  },
  async 'told-again-and-again'(scene) {
    const { run, item, eventsAre } = await begin(scene);
    const message = { commandId: crypto.randomUUID(), items: [item] };
    await run.signal('delivery-note', message);
    await run.signal('delivery-note', message); // repeated
    await run.signal('refresh');
    await run.signal('refresh');
    await eventsAre('INITIATED', 'DELIVERY_NOTED');
  },
  async 'behind-another-writer'(scene) {
    const { id, run, item, eventsAre } = await begin(scene);
    await writeBehindTheRun(scene.service, id, { type: 'dispute', actor: 'BUYER' });
    await run.signal('delivery-note', { items: [item] }); // accepted by the state that the run knows, not written, and decided again
    await run.signal('add-evidence', { actor: 'SELLER' });
    await eventsAre('INITIATED', 'DISPUTED', 'EVIDENCE_ADDED');
  },
  async 'behind-its-last-step'(scene) {
    const { id, run } = await begin(scene);
    const adminId = scene.company.owner.id.slice('adm_'.length) as AdministratorId; // the id without its prefix
    await writeBehindTheRun(scene.service, id, { type: 'cancel', actor: 'ADMIN', adminId, apiKeyId: null });
    await run.signal('add-evidence', { actor: 'SELLER' }); // refused by both states, and the run ends
    await run.result();
  },
  async 'cancellation-refused'(scene) {
    const { path, run } = await begin(scene);
    await run.cancel();
    await done(scene.company.post(`${path}/release`));
    await run.result();
  },
  async 'card-paid'(scene) {
    const link = await offerLink(scene.service, scene.company);
    const { body: declined } = await done(link.say('eft-pay/initiate'));
    await scene.service.sandbox.settle(declined.checkoutId, 'declined');
    await eventually(async () => (await link.verify(declined.checkoutId)).body.status === 'DECLINED');
    const { body: paid } = await done(link.say('eft-pay/initiate'));
    await scene.service.sandbox.settle(paid.checkoutId, 'success');
    await eventually(async () => (await link.verify(paid.checkoutId)).body.status === 'ACCEPTED');
    await eventually(async () => (await link.events()).at(-1) === 'POLL_POSTPONED');
    await link.verify(paid.checkoutId); // a duplicate
  },
  async 'charged-back'(scene) {
    const link = await offerLink(scene.service, scene.company);
    const { body: checkout } = await done(link.say('eft-pay/initiate'));
    await scene.service.sandbox.settle(checkout.checkoutId, 'success');
    await eventually(async () => (await link.verify(checkout.checkoutId)).body.status === 'ACCEPTED');
    await scene.service.sandbox.change(checkout.checkoutId, 'CB');
    await eventually(async () => (await link.events()).includes('TAKEN_BACK'));
    await scene.service.sandbox.change(checkout.checkoutId, 'CR');
    await eventually(async () => (await link.events()).includes('BROUGHT_BACK'));
    await eventually(async () => (await link.events()).at(-1) === 'POLL_POSTPONED');
  },
  async 'mobile-money-asked-twice'(scene) {
    const link = await offerLink(scene.service, scene.company);
    const phoneNumber = link.buyer.mobileNumber;
    await scene.service.sandbox.mobileMoney(phoneNumber, 'silent');
    const answer = link.say('accept-payment', { phoneNumber });
    await eventually(async () => (await link.events()).filter((event) => event === 'POLL_POSTPONED').length > 1);
    await scene.service.sandbox.mobileMoney(phoneNumber, 'approve');
    await answer;
    await eventually(async () => (await link.escrow()).status === 'ACTIVE');
  },
  async 'late-money'(scene) {
    const link = await offerLink(scene.service, scene.company);
    const { body: checkout } = await done(link.say('eft-pay/initiate'));
    await done(link.say('reject-payment'));
    await scene.service.sandbox.settle(checkout.checkoutId, 'success');
    await eventually(async () => (await link.events()).includes('LATE_MONEY'));
    await eventually(async () => (await link.events()).at(-1) === 'POLL_POSTPONED');
  },
  async 'link-expired'(scene) {
    const link = await offerLink(scene.service, scene.company);
    const past = hoursAgo(1);
    await link.expireAt(past);
    await scene.service.temporal.workflow.getHandle(`payment-link/pay_${link.linkId}`).signal('refresh');
    await eventually(async () => (await link.escrow()).status === 'CANCELLED');
  },
  async 'link-closed-with-its-escrow'(scene) {
    const link = await offerLink(scene.service, scene.company);
    const run = scene.service.temporal.workflow.getHandle(`escrow/${link.escrowId}`);
    await eventually(() =>
      run.signal('cancel', { actor: 'BUYER' }).then(
        () => true,
        () => false,
      ),
    );
    await run.result();
  },
};

async function begin({ service, company }: Scene, fields: Record<string, unknown> = {}) {
  const { seller, escrow } = await newParties(company);
  const { body } = await done(company.post('/v1/escrow/initiate', escrow(fields)));
  const path = `/v1/escrow/${body.id}`;
  const { body: detail } = await company.get(path);
  const publicItemId = String(detail.items[0].id);
  return {
    id: String(body.id),
    path,
    seller,
    run: service.temporal.workflow.getHandle(`escrow/${body.id}`),
    item: { itemId: publicItemId, quantity: 2, price_per_item: 12_500 },
    itemId: publicItemId.slice('itm_'.length) as ItemId, // the id without its prefix
    /** Waits until exactly these events happened. */
    eventsAre: (...expected: string[]) =>
      eventually(async () => {
        const { body: timeline } = await company.get(`${path}/timeline`);
        return timeline.map(({ event }: { event: string }) => event).join() === expected.join();
      }),
  };
}
