import { createHmac } from 'node:crypto';
import { authenticatorOf } from '../authenticator.ts';
import { BUYER, MAIZE, meetPeople, type Outside, OWNER, type People } from './cast.ts';
import { chargeBack, moveMoneyToBanks, platformDecides, readTheBooks } from './money-story.ts';
import type { Recorder } from './recorder.ts';

/**
 * A first integration, operation by operation, in the order in which an integrator meets them. Its requests and answers are the
 * examples in the API's description. A new operation with a body needs a step here; a test says so.
 */

export async function integrate(record: Recorder, outside: Outside): Promise<void> {
  const account = await begin(record, outside);
  await administrate(record, account);
  const people = await meetPeople(record);
  await takePayments(record, outside, people);
  await holdAndRelease(record, people);
  await negotiateAndDispute(record, outside, people);
  await readTheBooks(record, people);
  await moveMoneyToBanks(record, outside, people);
  await chargeBack(record, people);
  await platformDecides(record, people);
  await followEvents(record, outside);
  await moveTime(record);
  await forgetAPerson(record);
  await beNotified(record, outside);
  await record('logOut', { as: 'owner' });
}

async function begin(record: Recorder, outside: Pick<Outside, 'resetTokenFor'>) {
  for (const probe of ['getHealth', 'getReadiness', 'getServing'])
    await record(probe, { as: 'nobody', until: ({ status }) => status === 'ok' });
  const company = await record('registerCompany', {
    as: 'nobody',
    body: { name: 'Green Market', slug: 'green-market', admin: OWNER },
  });
  record.actFor(company.id);
  const { email, password } = OWNER;
  await record('forgetPassword', { as: 'nobody', body: { email } });
  const token = await outside.resetTokenFor(email);
  record.hide(token, '01900000-0000-7000-8000-000000000001.1769853600.example');
  await record('resetPassword', { as: 'nobody', body: { token, newPassword: password } });
  const session = await record('logIn', { as: 'nobody', body: { email, password } });
  const refreshed = await record('refreshSession', {
    as: 'nobody',
    body: { refreshToken: session.refreshToken, userId: session.userId },
  });
  record.credentials.owner = refreshed.accessToken;
  const changed = await record('changePassword', {
    as: 'owner',
    body: { currentPassword: password, newPassword: 'a longer passphrase' },
  });
  record.credentials.owner = changed.accessToken;
  await useSecondFactor(record, { email, password: 'a longer passphrase' });
  const made = await record('createApiKey', { as: 'owner', body: { name: 'shop server' } });
  record.credentials.key = made.key;
  return { company, owner: session.userId };
}

async function forgetAPerson(record: Recorder): Promise<void> {
  const body = { mobileNumber: '+263775550123', idNumber: '63-5550123K00' };
  const { id } = await record.quietly('createUser', { body });
  await record('exportUser', { path: { id }, until: ({ events }) => events.length > 0 });
  await record('eraseUser', { path: { id }, body: { reason: 'The person asked for it.' } });
}

async function useSecondFactor(record: Recorder, credentials: { email: string; password: string }): Promise<void> {
  const app = authenticatorOf((await record('beginSecondFactor', { as: 'owner' })).secret);
  const code = () => {
    const shown = app();
    record.hideWord(shown, '123456');
    return shown;
  };
  await record('confirmSecondFactor', { as: 'owner', body: { code: code() } });
  const { mfaToken } = await record('logIn', { as: 'nobody', example: 'withSecondFactor', body: credentials });
  await record('finishLogin', { as: 'nobody', body: { mfaToken, code: code() } });
  await record('disableSecondFactor', { as: 'owner', body: { code: code() } });
  const sessions: { id: string; current: boolean }[] = await record('listSessions', { as: 'owner' });
  await record('endSession', { as: 'owner', path: { id: sessions.find(({ current }) => !current)?.id ?? '' } });
}

async function administrate(record: Recorder, { company }: Awaited<ReturnType<typeof begin>>): Promise<void> {
  // The last use of a key is written a moment later, and is not written while the key is being rolled.
  const isEachUsed = (keys: { last_used_at: string | null }[]) => keys.every((one) => one.last_used_at !== null);
  await record.quietly('listApiKeys', { until: isEachUsed });
  const rolled = await record('rollApiKey', { body: { name: 'shop server, 2027', graceSeconds: 3_600 } });
  record.credentials.key = rolled.secret_key;
  const [, old] = await record('listApiKeys', { until: isEachUsed });
  await record('revokeApiKey', { path: { id: old.id } });
  const ada = await record('addAdministrator', {
    body: { firstName: 'Ada', lastName: 'Moyo', email: 'ada@green-market.example', role: 'manager' },
  });
  await record('listAdministrators', {});
  await record('resetSecondFactor', { path: { id: ada.id } });
  await record('removeAdministrator', { path: { id: ada.id } });
  await record('getCompany', {});
  await record('updateCompany', {
    body: { service_fee_basis_points: 50, auto_release_hours: 72, default_phone_region: 'ZW' },
  });
  await record('updateCompany', {
    example: 'checkout',
    body: {
      checkout_hosts: ['green-market.example'],
      brand_color: '#7a3e00',
      support_email: 'help@green-market.example',
      terms_url: 'https://green-market.example/terms',
      time_zone: 'Africa/Harare',
      order_pages: { enabled: true, ask_hours: 24, acts: { propose: 'ask' } },
    },
  });
  await record('storeLogo', { logo: true });
  await record('removeLogo', {});
  await record('updatePlatformFee', {
    as: 'platform',
    path: { id: company.id },
    body: { system_fee_basis_points: 150 },
  });
  await record('seedFeeConfigs', {});
  await record('getFeeConfigs', {});
}

async function takePayments(record: Recorder, outside: Outside, { buyer, seller }: People): Promise<void> {
  const deposit = await record('createDeposit', {
    body: { userId: buyer.id, amount: 200_000, currency: 'USD', externalReference: 'bank-2026-0001' },
  });
  await record('getTransaction', { path: { id: deposit.id } });
  const bounced = await record('createDeposit', {
    example: 'inTransit',
    body: { userId: buyer.id, amount: 5_000, currency: 'USD', externalReference: 'bank-2026-0002', isTransit: true },
  });
  await record('reverseDeposit', { path: { id: bounced.id }, body: { reason: 'The transfer bounced.' } });

  const offer = (externalReference: string) => ({
    buyerId: buyer.id,
    sellerId: seller.id,
    amount: 25_000,
    currency: 'USD',
    items: [MAIZE],
    externalReference,
  });
  const card = await record('createPaymentLink', { body: offer('order-1001') });
  await record('getLinkDetails', { as: 'nobody', path: { hash: card.hash } });
  const checkout = await record('initiateCardPayment', {
    as: 'nobody',
    body: { paymentSlug: card.hash },
    isSameTwice: true,
  });
  await outside.payByCard(checkout.checkoutId);
  const verification = { resourcePath: `/v1/checkouts/${checkout.checkoutId}/payment` };
  await record('verifyCardPayment', {
    as: 'nobody',
    body: verification,
    isSameTwice: true,
    until: ({ status }) => status === 'ACCEPTED',
  });
  await record('receiveGatewayNotification', { as: 'nobody', body: { id: checkout.checkoutId } });

  await record('createPaymentLink', {
    example: 'allOptions',
    body: {
      ...offer('order-1005'),
      expiresInHours: 72,
      successUrl: 'https://green-market.example/orders/1005/paid',
      cancelUrl: 'https://green-market.example/basket',
      locale: 'pt',
      feePayer: 'BUYER',
      milestones: [
        { title: 'On delivery', percentage: 60 },
        { title: 'After the harvest check', percentage: 40 },
      ],
    },
  });
  const balance = await record('createPaymentLink', { example: 'fromBalance', body: offer('order-1002') });
  await record('registerCheckoutUser', {
    as: 'nobody',
    body: { mobileNumber: '+263772345678', idNumber: '63-2345678C00', firstName: 'Cara', paymentSlug: balance.hash },
  });
  await record('requestCheckoutOtp', {
    as: 'nobody',
    body: { messagingNumber: BUYER.mobileNumber, paymentSlug: balance.hash },
  });
  const otp = await outside.codeFor(BUYER.mobileNumber);
  record.hideWord(otp, '123456');
  await record('acceptPayment', {
    as: 'nobody',
    example: 'fromBalance',
    body: { paymentSlug: balance.hash, messagingNumber: BUYER.mobileNumber, otp },
    isSameTwice: true,
  });
  const mobile = await record('createPaymentLink', { example: 'byMobileMoney', body: offer('order-1003') });
  await record('acceptPayment', {
    as: 'nobody',
    example: 'byMobileMoney',
    body: { paymentSlug: mobile.hash, phoneNumber: '077 123 4567' },
  });
  const declined = await record('createPaymentLink', { example: 'declined', body: offer('order-1004') });
  await record('rejectPayment', { as: 'nobody', body: { paymentSlug: declined.hash } });
  const links = await record('listPaymentLinks', { query: { status: 'ACCEPTED' } });
  // The last poll of a paid link asks for chargebacks. It comes soon, and may come after this read.
  await record('getPaymentLink', {
    path: { id: links.data.at(-1).id },
    until: ({ timeline }) => timeline.some(({ event }: { event: string }) => event === 'POLL_POSTPONED'),
  });
}

async function holdAndRelease(record: Recorder, { buyer, seller, buyerAccountId }: People): Promise<void> {
  const order = (externalReference: string) => ({
    buyerId: buyer.id,
    sellerId: seller.id,
    buyerAccountId,
    items: [MAIZE],
    externalReference,
  });
  await record('quoteEscrow', { body: { amount: 25_000, currency: 'USD', feePayer: 'BUYER' } });
  await record('quoteEscrow', {
    example: 'milestones',
    body: { amount: 60_000, currency: 'USD', milestones: [{ percentage: 40 }, { percentage: 40 }, { percentage: 20 }] },
  });
  const escrow = await record('initiateEscrow', { body: { ...order('order-2001'), autoReleaseHours: 72 } });
  const path = { id: escrow.id };
  const { items } = await record('getEscrow', { path });
  const item = { itemId: items[0].id, quantity: 2, price_per_item: 12_500 };
  await record('recordDelivery', { path, body: { items: [item], notes: 'Sent by truck' } });
  await record('confirmReceipt', { path, body: { items: [item] } });
  await record('extendAutoRelease', { path, body: { actor: 'BUYER', hours: 24 } });
  await record('getEscrowProgress', { path });
  await record('releaseEscrow', { path });
  await record('getEscrowTimeline', { path });

  const cancelled = await record('initiateEscrow', {
    example: 'feesOnTop',
    body: { ...order('order-2002'), feePayer: 'BUYER' },
  });
  await record('listActiveEscrows', {});
  await record('cancelEscrow', { path: { id: cancelled.id }, body: { actor: 'SELLER', reason: 'Out of stock' } });
  await record('listEscrows', { query: { status: 'ACTIVE,COMPLETED', limit: '2' } });
}

async function negotiateAndDispute(
  record: Recorder,
  outside: Pick<Outside, 'actOnPage'>,
  { buyer, seller, buyerAccountId }: People,
): Promise<void> {
  const work = await record('initiateEscrow', {
    example: 'milestones',
    body: {
      buyerId: buyer.id,
      sellerId: seller.id,
      buyerAccountId,
      items: [{ name: 'Borehole, 60 m', quantity: 1, pricePerUnit: 60_000 }],
      externalReference: 'order-3001',
      milestones: [
        { title: 'Drilling', percentage: 40 },
        { title: 'Casing', percentage: 40 },
        { title: 'Pump', description: 'Installed and tested', percentage: 20 },
      ],
    },
  });
  const path = { id: work.id };
  const { milestones } = await record('getEscrow', { path, example: 'milestones' });
  const [drilling, casing, pump] = milestones;
  await record('releaseEscrow', { path, query: { milestoneId: drilling.id }, example: 'milestone' });
  const adjust = (milestone: { id: string }, proposedSellerPayoutCents: number) =>
    record('proposeMilestonePayout', {
      path: { ...path, milestoneId: milestone.id },
      body: { actor: 'BUYER', proposedSellerPayoutCents, reason: 'Two days late' },
    });
  const late = await adjust(casing, 22_000);
  const answer = (milestone: { id: string }, of: { negotiationId: string }) => ({
    path: { ...path, milestoneId: milestone.id, negId: of.negotiationId },
    body: { actor: 'SELLER' },
  });
  await record('acceptMilestonePayout', answer(casing, late));
  await record('rejectMilestonePayout', answer(pump, await adjust(pump, 1_000)));

  const propose = (seller_payout_cents: number) =>
    record('proposeSplit', {
      path,
      body: {
        actor: 'SELLER',
        newSplitPlan: { system_fee_cents: 300, service_fee_cents: 100, seller_payout_cents },
        notes: 'The pump was dearer than planned.',
      },
    });
  const reply = (of: { negotiationId: string }) => ({
    path: { ...path, negId: of.negotiationId },
    body: { actor: 'BUYER' },
  });
  await record('rejectSplit', reply(await propose(33_000)));
  await record('acceptSplit', reply(await propose(30_000)));

  const { buyerUrl, sellerUrl } = await record('createOrderPages', { path });
  const ask = (url: string, mobileNumber: string, amount: string) =>
    outside.actOnPage({ url, mobileNumber, act: 'propose', fields: { amount, note: 'It came late.' } });
  await ask(buyerUrl, BUYER.mobileNumber, '150.00');
  const { data: waiting } = await record('listOrderRequests', { path, query: { status: 'PENDING' } });
  const about = (request: { id: string }) => ({ path: { ...path, requestId: request.id } });
  await record('refuseOrderRequest', { ...about(waiting[0]), body: { reason: 'Talk to the seller first.' } });
  await ask(sellerUrl, seller.mobileNumber, '140.00');
  const { data: asked } = await record('listOrderRequests', { path, query: { status: 'PENDING' }, example: 'seller' });
  await record('approveOrderRequest', about(asked[0]));
  await record('endOrderPages', { path });
  await record('disputeEscrow', { path, body: { actor: 'BUYER', reason: 'The pump does not run.' } });
  await record('addDisputeEvidence', {
    path,
    body: {
      actor: 'SELLER',
      note: 'It ran when we left.',
      documentUrl: 'https://green-market.example/files/pump.jpg',
    },
  });
  const [owner] = await record('listAdministrators', { example: 'afterRemoval' });
  await record('listDisputes', { query: { sort: '-amount' } });
  await record('listWork', { query: { kind: 'DISPUTE' } });
  await record('assignDispute', { path, body: { adminId: owner.id } });
  await record('addDisputeNote', { path, body: { note: 'The seller sent a photo; the buyer sent none.' } });
  await record('getDispute', { path });
  await record('resolveDispute', {
    path,
    body: {
      reason: 'The pump has to be replaced.',
      adminId: owner.id,
      newSplitPlan: { system_fee_cents: 300, service_fee_cents: 100, seller_payout_cents: 20_000 },
    },
  });
}

async function followEvents(record: Recorder, { webhookUrl }: Outside): Promise<void> {
  record.hide(webhookUrl, 'https://shop.example/hooks/escrow');
  const { data } = await record('listEvents', {
    query: { type: 'user.created', limit: '1' },
    until: (body) => body.data.length > 0,
  });
  await record('getEvent', { path: { id: data[0].id } });
  await record('streamEvents', {});

  const webhook = await record('createWebhook', {
    as: 'owner',
    body: { url: webhookUrl, events: ['user.created'], description: 'Orders' },
  });
  const path = { id: webhook.id };
  await record('listWebhooks', { as: 'owner' });
  await record('getWebhook', { as: 'owner', path });
  await record('updateWebhook', { as: 'owner', path, body: { description: 'Orders and payouts' } });
  await record('pingWebhook', { as: 'owner', path });
  await record('replayEvents', { as: 'owner', path, body: { from: data[0].createdAt } });
  const deliveries = await record('listDeliveries', {
    as: 'owner',
    path,
    query: { status: 'DELIVERED', limit: '1' },
    // The ping and both users: the list is newest first, so an earlier answer would show another delivery.
    until: (body) => body.total === 3 && body.data[0]?.attempts.length > 0,
  });
  await record('retryDelivery', { as: 'owner', path: { id: deliveries.data[0].id } });
  await record('rotateWebhookSecret', { as: 'owner', path, body: { graceSeconds: 3_600 } });
  await record('deleteWebhook', { as: 'owner', path });
}

async function moveTime(record: Recorder): Promise<void> {
  await record('listSandboxMessages', { query: { to: BUYER.mobileNumber } });
  await record('advanceClock', { body: { advanceHours: 72 } });
  await record('getClock', {});
}

async function beNotified(record: Recorder, { messaging }: Outside): Promise<void> {
  await record('verifyMessagingWebhook', {
    as: 'nobody',
    query: { 'hub.mode': 'subscribe', 'hub.verify_token': messaging.verifyToken, 'hub.challenge': '1158201444' },
  });
  const body = { object: 'whatsapp_business_account', entry: [] };
  const signature = createHmac('sha256', messaging.appSecret).update(JSON.stringify(body)).digest('hex');
  await record('receiveMessagingNotification', {
    as: 'nobody',
    headers: { 'x-hub-signature-256': `sha256=${signature}` },
    body,
  });
}
