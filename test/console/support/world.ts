import sharp from 'sharp';
import { PAGES } from '../../../src/console/pages/index.ts';
import { eventually } from '../../support/eventually.ts';
import { offerLink } from '../../support/links.ts';
import { sendEvidence } from '../../support/order-pages.ts';
import { done, newCompany, newUser, type TestCompany, type TestService, untilAnswered } from '../../support/service.ts';

/** A company with something of every kind, so that each page of the console has something to show. */

export type World = {
  readonly company: TestCompany;
  readonly buyerId: string;
  readonly sellerAccountId: string;
  /** Page path → the address of such a page below `/console`. */
  readonly addresses: Readonly<Record<string, string>>;
};

export type WorldOptions = {
  /** Absent: a new one. */
  readonly company?: TestCompany;
  /** Different in each world of one company. */
  readonly customReference?: string;
};

/** `text` is in every field that takes a person's text. */
export async function newWorld(service: TestService, text = 'Tendai', options: WorldOptions = {}): Promise<World> {
  const plain = text.replaceAll('\u202e', ''); // names of companies and references of banks have no marks of direction
  const { company = await newCompany(service, plain), customReference = 'TENDAI' } = options;
  const post = async (path: string, body?: unknown) => {
    const answer = await company.post(path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const seller = await newUser(company, {
    firstName: text,
    lastName: 'Moyo',
    email: 'tendai@test.example',
    customReference,
    metadata: { note: text },
  });
  const form = await identityCard();
  await done(untilAnswered(() => company.request('POST', `/v1/identity/users/${seller.id}/document`, { form })));
  const item = { name: text, description: text, quantity: 20, pricePerUnit: 5_500 };
  const link = await offerLink(service, company, {
    sellerId: seller.id,
    amount: 110_000,
    items: [item],
    externalReference: text,
    userReference: text,
  });
  await link.say('eft-pay/initiate');
  await post('/v1/payments/deposit', {
    userId: seller.id,
    amount: 900_000,
    currency: 'USD',
    externalReference: text,
    userReference: text,
  });
  await post('/v1/payments/deposit', { amount: 900_000, currency: 'USD' });
  const deposit = await post('/v1/payments/deposit', { userId: link.buyer.id, amount: 500_000, currency: 'USD' });
  const escrow = await post('/v1/escrow/initiate', {
    buyerId: link.buyer.id,
    sellerId: seller.id,
    buyerAccountId: link.buyer.usdAccountId,
    externalReference: `${text}-order`,
    items: [item],
  });
  const disputed = await post('/v1/escrow/initiate', {
    buyerId: link.buyer.id,
    sellerId: seller.id,
    buyerAccountId: link.buyer.usdAccountId,
    externalReference: `${text}-dispute`,
    items: [item],
  });
  await post(`/v1/escrow/${disputed.id}/dispute`, { actor: 'BUYER', reason: text });
  await post(`/v1/escrow/${disputed.id}/dispute/notes`, { note: text });
  const file = await sendEvidence(service, company, disputed.id);
  const payout = await post('/v1/treasury/withdraw', {
    accountId: seller.usdAccountId,
    amount: 40_000,
    externalReference: plain,
    bank_name: 'CBZ',
    branch_code: '6101',
    account_number: '4000123456',
    account_name: 'Tendai Moyo',
  });
  const reference = 'payment of tendai moyo';
  const capture = await post('/v1/treasury/bank/capture', { amount: 70_000, currency: 'USD', reference });
  const webhook = await post('/v1/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['*'], description: text });
  const event = await eventually(async () => (await company.get('/v1/events?limit=1')).body.data[0]);
  const ids: Readonly<Record<string, string>> = {
    '/links/:id': link.linkId,
    '/users/:id': seller.id,
    '/users/:id/document': seller.id,
    '/users/:id/export': seller.id,
    '/transactions/:id': deposit.id,
    '/withdrawals/:id': payout.id,
    '/receipts/:id': capture.id,
    '/events/:id': event.id,
    '/webhooks/:id': webhook.id,
    '/escrows/:id': escrow.id,
    '/escrows/:id/files/:fileId': disputed.id,
  };
  const filled = (path: string) =>
    path
      .replace(':ledgerId', seller.ledgerId)
      .replace(':accountId', seller.usdAccountId)
      .replace(':fileId', file)
      .replace(
        ':id',
        ids[path.replace(/\/export\.csv$/, '')] ?? (path.startsWith('/disputes/') ? disputed.id : escrow.id),
      );
  const addresses = Object.fromEntries(
    PAGES.map(({ path }) => [
      path,
      path === '/receipts/:id' ? `${filled(path)}?${new URLSearchParams({ reference })}` : filled(path),
    ]),
  );
  return { company, addresses, buyerId: link.buyer.id, sellerAccountId: seller.usdAccountId };
}

/** A small photograph. */
async function identityCard(): Promise<FormData> {
  const area = (width: number, height: number, background: string) =>
    ({ create: { width, height, channels: 3, background } }) as const;
  const parts = [
    { input: area(170, 220, '#9fb6cc'), left: 40, top: 90 },
    { input: area(300, 26, '#6d879f'), left: 250, top: 100 },
    { input: area(220, 20, '#9fb6cc'), left: 250, top: 160 },
  ];
  const card = await sharp(area(640, 400, '#dfe9f3'))
    .composite(parts)
    .png()
    .toBuffer();
  const form = new FormData();
  form.append('document', new Blob([new Uint8Array(card)]), 'card.png');
  return form;
}
