import { newAdministrator } from '../support/api.ts';
import { offerLink } from '../support/links.ts';
import { newCompany, newUser, PLATFORM, type TestCompany, type TestService } from '../support/service.ts';

/** A company with an escrow in every state that a page shows differently, for tests of the console and its screenshots. */

export type ConsoleWorld = {
  readonly service: TestService;
  readonly company: TestCompany;
  readonly people: Readonly<Record<ConsoleRole, { readonly email: string; readonly password: string }>>;
  readonly sellerId: string;
  /** The public ids of escrows. */
  readonly active: string;
  readonly staged: string;
  readonly done: string;
  readonly linkId: string;
  /** The seller's account in USD, and the ledger that it belongs to. */
  readonly accountId: string;
  readonly ledgerId: string;
  readonly payoutId: string;
  /** The id of a receipt in suspense, with its reference. */
  readonly receipt: string;
  readonly webhookId: string;
  /** A fresh disputed escrow of 25,000 cents with evidence of both sides. */
  newDispute(reference?: string): Promise<string>;
};
export const CONSOLE_ROLES = ['owner', 'admin', 'manager', 'platform'] as const;
export type ConsoleRole = (typeof CONSOLE_ROLES)[number];

export async function newConsoleWorld(service: TestService, suffix = ''): Promise<ConsoleWorld> {
  const company = await newCompany(service, `Harvest Market${suffix}`);
  const people = {
    owner: company.owner,
    admin: await newAdministrator(service, company, 'admin'),
    manager: await newAdministrator(service, company, 'manager'),
    platform: PLATFORM,
  };
  const buyer = await newUser(company, { firstName: 'Bea', lastName: `Buyerson${suffix}` });
  const seller = await newUser(company, { firstName: 'Sam', lastName: `Sellerson${suffix}` });
  await company.post('/v1/payments/deposit', { userId: buyer.id, amount: 900_000, currency: 'USD' });
  let counter = 1_000;
  const begin = async (fields: object = {}): Promise<string> => {
    counter += 1;
    const { body } = await company.post('/v1/escrow/initiate', {
      buyerId: buyer.id,
      sellerId: seller.id,
      buyerAccountId: buyer.usdAccountId,
      items: [{ name: 'Maize, 50 kg', description: 'White, grade A', quantity: 20, pricePerUnit: 1_250 }],
      externalReference: `order-${counter}${suffix}`,
      ...fields,
    });
    return body.id;
  };
  const active = await begin();
  await company.post(`/v1/escrow/${active}/negotiate`, {
    actor: 'SELLER',
    newSplitPlan: { system_fee_cents: 100, service_fee_cents: 100, seller_payout_cents: 22_000 },
    notes: 'Two bags were short.',
  });
  const milestones = ['Drilling', 'Casing', 'Pump'].map((title, index) => ({
    title,
    percentage: index === 0 ? 50 : 25,
  }));
  const staged = await begin({ milestones });
  const { body: view } = await company.get(`/v1/escrow/${staged}`);
  await company.post(`/v1/escrow/${staged}/release?milestoneId=${view.milestones[0].id}`);
  const done = await begin();
  await company.post(`/v1/escrow/${done}/release`);
  const { linkId } = await offerLink(service, company, {
    sellerId: seller.id,
    amount: 25_000,
    items: [{ name: 'Maize, 50 kg', description: 'White, grade A', quantity: 2, pricePerUnit: 12_500 }],
    externalReference: `order-${counter + 1}${suffix}`,
  });
  counter += 1;
  const { body: payout } = await company.post('/v1/treasury/withdraw', {
    accountId: seller.usdAccountId,
    amount: 12_000,
    externalReference: `payout-${counter}${suffix}`,
    bank_name: 'CBZ',
    branch_code: '6101',
    account_number: '4000123456',
    account_name: 'Sam Sellerson',
  });
  const reference = 'INV 4711 SELLERSON';
  const { body: capture } = await company.post('/v1/treasury/bank/capture', {
    amount: 70_000,
    currency: 'USD',
    reference,
  });
  const { body: webhook } = await company.post('/v1/webhooks', {
    url: 'http://127.0.0.1:9/hook',
    events: ['*'],
    description: 'The shop',
  });
  return {
    linkId,
    accountId: seller.usdAccountId,
    ledgerId: seller.ledgerId,
    payoutId: payout.id,
    receipt: `${capture.id}?${new URLSearchParams({ reference })}`,
    webhookId: webhook.id,
    service,
    company,
    people,
    sellerId: seller.id,
    active,
    staged,
    done,
    async newDispute(reference) {
      const id = await begin(reference === undefined ? {} : { externalReference: reference });
      await company.post(`/v1/escrow/${id}/dispute`, {
        actor: 'BUYER',
        reason: 'Half of the bags were wet when they arrived.',
      });
      await company.post(`/v1/escrow/${id}/dispute/evidence`, {
        actor: 'SELLER',
        note: 'The bags were dry when they left; the photo is from the loading bay.',
        documentUrl: 'https://files.example/loading-bay.jpg',
      });
      return id;
    },
  };
}
