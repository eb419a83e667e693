import { describe, expect, test } from '@jest/globals';
import { LANGUAGES } from '../../../src/api/checkout/texts/languages.ts';
import { buyerStanding, type StandingView } from '../../../src/api/checkout/view.ts';
import { isCancelledByConsent, possibleActs } from '../../../src/api/orders/acts.ts';
import { ORDER_LANGUAGES } from '../../../src/api/orders/texts/languages.ts';
import { type OrderSources, orderView, sellerStanding } from '../../../src/api/orders/view.ts';
import type { EscrowRecord } from '../../../src/db/escrow/escrows.ts';
import type { EscrowCommand } from '../../../src/domain/escrow/commands.ts';
import type { Escrow, Party } from '../../../src/domain/escrow/escrow.ts';
import { type BuyerDebts, NO_DEBTS } from '../../../src/domain/escrow/proceeds.ts';
import {
  type AdministratorId,
  type ItemId,
  idMadeBy,
  type MilestoneId,
  type TransactionId,
} from '../../../src/domain/ids.ts';
import { LOCALES, type Locale } from '../../../src/domain/locale.ts';
import { type OrderAct, orderPageSettings } from '../../../src/domain/order-pages.ts';
import { command, initiate, milestones, plan, tell } from '../../domain/escrow/build.ts';

/** What the two pages of an order of USD 100.00 say, whose fees are USD 1.00. */

const FIRST = 'm1' as MilestoneId;
const ADMIN = 'admin' as AdministratorId;

const noted = () =>
  command('delivery-note', { items: [{ itemId: 'item' as ItemId, quantity: 3, pricePerItemCents: 1_000n }] });
const disputed = () => command('dispute', { actor: 'BUYER' });
const decided = (sellerCents: bigint, feeCents: bigint) =>
  command('admin-resolve', { plan: plan(feeCents, 0n, sellerCents), adminId: ADMIN });
const paid = (milestoneId: MilestoneId) => command('release-milestone', { milestoneId });

/** A proposal of the buyer that the seller accepts. */
function agreedOn(sellerCents: bigint, feeCents: bigint): readonly EscrowCommand[] {
  const proposed = command('negotiate', { actor: 'BUYER', plan: plan(feeCents, 0n, sellerCents) });
  return [proposed, acceptanceOf(proposed, null)];
}

function adjusted(milestoneId: MilestoneId, sellerPayoutCents: bigint): readonly EscrowCommand[] {
  const proposed = command('adjust-milestone', { actor: 'BUYER', milestoneId, sellerPayoutCents });
  return [proposed, acceptanceOf(proposed, milestoneId)];
}

function acceptanceOf({ commandId }: EscrowCommand, milestoneId: MilestoneId | null): EscrowCommand {
  return command('accept-negotiation', {
    ...{ actor: 'SELLER', negotiationId: idMadeBy('negotiation', commandId), milestoneId },
  });
}

const order = (...then: readonly EscrowCommand[]) =>
  tell([initiate({ terms: { autoReleaseHours: 72 } }), ...then]).state;
const refused = (escrow: Escrow) =>
  tell([command('block-release', { reason: 'account_frozen' })], escrow, escrow.autoReleaseAt ?? undefined).state;
const inParts = (...then: readonly EscrowCommand[]) =>
  tell([initiate({ milestones: milestones(40, 60) }), ...then]).state;

/** The state after the payment was taken back, or that much of it. */
const takenBack = (escrow: Escrow, amountCents = 10_000n): Escrow =>
  tell(
    [command('note-chargeback', { change: 'charged_back', amountCents, transactionId: 'cb' as TransactionId })],
    escrow,
  ).state;
const then = (escrow: Escrow, ...commands: readonly EscrowCommand[]) => tell(commands, escrow).state;
const cancelled = () => command('cancel', { actor: 'ADMIN', adminId: ADMIN });

function standingOfParty(party: Party, state: Escrow, locale: Locale, debts: BuyerDebts): StandingView {
  const site = { language: LANGUAGES[locale], timeZone: 'UTC', isTest: false };
  const record = { state } as EscrowRecord; // all that a standing is made of
  return party === 'BUYER'
    ? buyerStanding(record, debts, site, 'Harvest Market')
    : sellerStanding(record, debts, ORDER_LANGUAGES[locale], site, null);
}

function said(party: Party, state: Escrow, locale: Locale = 'en', debts = NO_DEBTS): string {
  const { heading, sentences } = standingOfParty(party, state, locale, debts);
  return [heading, ...sentences].join(' | ').replaceAll('\u00a0', ' ');
}

const BACK = 'went back to your balance with Harvest Market.';
const TO_SELLER = 'has been released to the seller.';
const SETTLED = 'The dispute about this order is settled';
const IN_TIME = 'This happens on 4 January 2026 at 00:00 UTC, unless';
const HELD = 'The money stays held until it is released.';

/** What happened; what the buyer reads; what the seller reads. */
const STANDINGS: readonly [string, Escrow, string, string][] = [
  [
    'an accepted split, before its release',
    order(noted(), ...agreedOn(5_900n, 100n)),
    `Your order was sent | As agreed with the seller, you get USD 40.00 back of what is held. | The seller gets USD 59.00. | ${IN_TIME} you raise a problem before then.`,
    `You sent the order | As agreed with the buyer, you get USD 59.00 of what is held. | USD 40.00 goes back to the buyer. | ${IN_TIME} the buyer raises a problem before then.`,
  ],
  [
    'an accepted split, after its release',
    order(noted(), ...agreedOn(5_900n, 100n), command('release', {})),
    `This order is complete | The money was divided as agreed. | USD 59.00 ${TO_SELLER} | USD 40.00 ${BACK}`,
    'This order is complete | The money was divided as agreed. | You got USD 59.00. | USD 40.00 went back to the buyer.',
  ],
  [
    'an accepted cancellation, before its release',
    order(noted(), ...agreedOn(0n, 0n)),
    `Your order was sent | As agreed with the seller, you get USD 100.00 back of what is held. | The seller gets nothing. | ${IN_TIME} you raise a problem before then.`,
    `You sent the order | As agreed with the buyer, you get nothing of what is held. | USD 100.00 goes back to the buyer. | ${IN_TIME} the buyer raises a problem before then.`,
  ],
  [
    'an accepted cancellation, after its release',
    order(noted(), ...agreedOn(0n, 0n), command('release', {})),
    `Your money came back | The order ended as agreed. | The seller got nothing. | USD 100.00 ${BACK}`,
    'The money went back to the buyer | The order ended as agreed. | You got nothing. | USD 100.00 went back to the buyer.',
  ],
  [
    'an agreement that leaves nothing but the fees',
    order(...agreedOn(0n, 10_000n), command('release', {})),
    'This order is complete | The money was divided as agreed. | The seller got nothing.',
    'This order is complete | The money was divided as agreed. | You got nothing.',
  ],
  [
    'a split of an order with milestones',
    inParts(...agreedOn(5_900n, 100n)),
    `Thank you. Your payment is complete. | As agreed with the seller, you get USD 40.00 back of what is held. | The seller gets USD 59.00. | ${HELD}`,
    `The buyer has paid | As agreed with the buyer, you get USD 59.00 of what is held. | USD 40.00 goes back to the buyer. | ${HELD}`,
  ],
  [
    'the first release of a split',
    inParts(...agreedOn(5_900n, 100n), paid(FIRST)),
    `Thank you. Your payment is complete. | As agreed with the seller, you get USD 24.00 back of what is held. | The seller gets USD 35.40. | ${HELD} | USD 23.60 ${TO_SELLER} | USD 16.00 ${BACK}`,
    `The buyer has paid | As agreed with the buyer, you get USD 35.40 of what is held. | USD 24.00 goes back to the buyer. | ${HELD} | You got USD 23.60. | USD 16.00 went back to the buyer.`,
  ],
  [
    'an adjusted milestone among others',
    inParts(...adjusted(FIRST, 0n)),
    `Thank you. Your payment is complete. | As agreed with the seller, you get USD 39.60 back of what is held. | The seller gets USD 59.40. | ${HELD}`,
    `The buyer has paid | As agreed with the buyer, you get USD 59.40 of what is held. | USD 39.60 goes back to the buyer. | ${HELD}`,
  ],
  [
    'the release of an adjusted milestone: the others pay the seller',
    inParts(...adjusted(FIRST, 0n), paid(FIRST)),
    `Thank you. Your payment is complete. | USD 60.00 is still held in escrow. | USD 39.60 ${BACK}`,
    'The buyer has paid | USD 60.00 is still held in escrow. | USD 39.60 went back to the buyer.',
  ],
  [
    'a split that is accepted in a dispute',
    order(noted(), disputed(), ...agreedOn(5_900n, 100n)),
    `${SETTLED} | USD 59.00 ${TO_SELLER} | USD 40.00 ${BACK}`,
    `${SETTLED} | You got USD 59.00. | USD 40.00 went back to the buyer.`,
  ],
  [
    'a cancellation that is accepted in a dispute',
    order(noted(), disputed(), ...agreedOn(0n, 0n)),
    `${SETTLED} | The seller got nothing. | USD 100.00 ${BACK}`,
    `${SETTLED} | You got nothing. | USD 100.00 went back to the buyer.`,
  ],
  [
    'a decision for both',
    order(disputed(), decided(6_000n, 100n)),
    `${SETTLED} | USD 60.00 ${TO_SELLER} | USD 39.00 ${BACK}`,
    `${SETTLED} | You got USD 60.00. | USD 39.00 went back to the buyer.`,
  ],
  [
    'a decision for the seller',
    order(disputed(), decided(9_900n, 100n)),
    `${SETTLED} | USD 99.00 ${TO_SELLER}`,
    `${SETTLED} | You got USD 99.00.`,
  ],
  [
    'a decision for the buyer, after an agreement that no release paid',
    order(...agreedOn(5_900n, 100n), disputed(), decided(0n, 0n)),
    `${SETTLED} | The seller got nothing. | USD 100.00 ${BACK}`,
    `${SETTLED} | You got nothing. | USD 100.00 went back to the buyer.`,
  ],
  [
    'a cancellation of a disputed order by an administrator',
    order(noted(), disputed(), cancelled()),
    `This order was cancelled | USD 100.00 ${BACK}`,
    'This order was cancelled | USD 100.00 went back to the buyer.',
  ],
  [
    'a cancellation of what is left',
    inParts(paid(FIRST), command('cancel', { actor: 'SELLER', adminId: null })),
    `This order was cancelled | USD 39.60 ${TO_SELLER} | USD 60.00 ${BACK}`,
    'This order was cancelled | You got USD 39.60. | USD 60.00 went back to the buyer.',
  ],
  [
    'an order that was cancelled before anybody paid',
    tell([initiate({ funding: 'awaited' }), cancelled()]).state,
    'This order was cancelled | It was never paid, so no money moved.',
    'This order was cancelled | It was never paid, so no money moved.',
  ],
  [
    'the release of a part',
    inParts(paid(FIRST)),
    `Thank you. Your payment is complete. | USD 60.00 is still held in escrow. | USD 39.60 ${TO_SELLER}`,
    'The buyer has paid | USD 60.00 is still held in escrow. | You got USD 39.60.',
  ],
  [
    'a release that was refused on its date',
    refused(order(noted())),
    'Your order was sent | The seller has reported that your order was sent. Your money is still held in escrow. | The release was refused. It is tried again on 5 January 2026 at 00:00 UTC.',
    'You sent the order | The money is still held in escrow until the buyer has received it. | The release was refused. It is tried again on 5 January 2026 at 00:00 UTC.',
  ],
  [
    'a release of an accepted split that was refused on its date',
    refused(order(noted(), ...agreedOn(5_900n, 100n))),
    'Your order was sent | As agreed with the seller, you get USD 40.00 back of what is held. | The seller gets USD 59.00. | The release was refused. It is tried again on 5 January 2026 at 00:00 UTC.',
    'You sent the order | As agreed with the buyer, you get USD 59.00 of what is held. | USD 40.00 goes back to the buyer. | The release was refused. It is tried again on 5 January 2026 at 00:00 UTC.',
  ],
];

describe.each(STANDINGS)('%s', (_, state, buyer, seller) => {
  test('is told to both', () => {
    expect(said('BUYER', state)).toBe(buyer);
    expect(said('SELLER', state)).toBe(seller);
  });

  test('names the same amounts in every language', () => {
    const amountsIn = (text: string) => [...text.matchAll(/\d+[.,]\d\d/g)].map(([amount]) => amount.replace(',', '.'));
    for (const party of ['BUYER', 'SELLER'] as const)
      for (const locale of LOCALES)
        expect([locale, ...amountsIn(said(party, state, locale))]).toEqual([locale, ...amountsIn(said(party, state))]);
  });
});

const WITH = 'with Harvest Market';
const TAKEN = (amount: string) => `USD ${amount} of your payment was taken back (charged back or refunded).`;
const TAKEN_FROM_BUYER = (amount: string) => `USD ${amount} of the payment was taken back (charged back or refunded).`;
const USED = (amount: string) => `USD ${amount} of your money ${WITH} was taken for that.`;
const OWED = (amount: string) => `You still owe Harvest Market USD ${amount} for that.`;
const SETTLED_THAT = (amount: string) => `USD ${amount} of what was held settled that.`;
const CANCELLED = 'This order was cancelled';
const NOTHING_PAID = 'Until that is made good, nothing is released';
const forBuyer = `${NOTHING_PAID} for this order. Questions? Contact Harvest Market.`;
const forSeller = `${NOTHING_PAID}. Send nothing before you have asked the merchant.`;
const debts = (given: Partial<BuyerDebts>): BuyerDebts => ({ ...NO_DEBTS, ...given });

/** What happened; what the debts have to do with it; what the buyer reads; what the seller reads. */
const TAKEN_BACK: readonly [string, Escrow, BuyerDebts, string, string][] = [
  ...[order(), order(noted()), order(noted(), disputed()), order(...agreedOn(5_900n, 100n))].map(
    (escrow): [string, Escrow, BuyerDebts, string, string] => [
      `a payment in ${escrow.status} that was taken back`,
      takenBack(escrow),
      debts({ owedCents: 10_000n }),
      `Your payment was taken back | ${TAKEN('100.00')} | ${forBuyer}`,
      `The payment was taken back | ${TAKEN_FROM_BUYER('100.00')} | ${forSeller}`,
    ],
  ),
  [
    'a part of it that is made good in part',
    takenBack(order(), 4_000n),
    debts({ owedCents: 1_500n }),
    `Your payment was taken back | ${TAKEN('40.00')} | ${USED('25.00')} | ${OWED('15.00')} | ${forBuyer}`,
    `The payment was taken back | ${TAKEN_FROM_BUYER('40.00')} | ${forSeller}`,
  ],
  [
    'a payment that was taken back and made good',
    takenBack(order()),
    NO_DEBTS,
    `Thank you. Your payment is complete. | Your money is now held in escrow. The seller can see it and can send your order. | ${TAKEN('100.00')} | ${USED('100.00')} | That is made good.`,
    `The buyer has paid | The money is held in escrow for you. You can send the order. | ${TAKEN_FROM_BUYER('100.00')} | That is made good.`,
  ],
  [
    'a cancellation after all of it',
    then(takenBack(order()), cancelled()),
    debts({ settledCents: 10_000n }),
    `${CANCELLED} | ${TAKEN('100.00')} | ${SETTLED_THAT('100.00')}`,
    `${CANCELLED} | ${TAKEN_FROM_BUYER('100.00')} | ${SETTLED_THAT('100.00')}`,
  ],
  [
    'a cancellation after it was made good from the balance',
    then(takenBack(order()), cancelled()),
    NO_DEBTS,
    `${CANCELLED} | USD 100.00 ${BACK} | ${TAKEN('100.00')} | ${USED('100.00')}`,
    `${CANCELLED} | USD 100.00 went back to the buyer.`,
  ],
  [
    'a cancellation after the company bore it',
    then(takenBack(order()), cancelled()),
    debts({ writtenOffCents: 10_000n }),
    `${CANCELLED} | USD 100.00 ${BACK} | ${TAKEN('100.00')}`,
    `${CANCELLED} | USD 100.00 went back to the buyer.`,
  ],
  [
    'a decision for the buyer after all of it',
    then(takenBack(order(disputed())), decided(0n, 0n)),
    debts({ settledCents: 10_000n }),
    `${SETTLED} | The seller got nothing. | ${TAKEN('100.00')} | ${SETTLED_THAT('100.00')}`,
    `${SETTLED} | You got nothing. | ${TAKEN_FROM_BUYER('100.00')} | ${SETTLED_THAT('100.00')}`,
  ],
  [
    'a decision for both after a part of it',
    then(takenBack(order(disputed()), 1_600n), decided(6_000n, 100n)),
    debts({ settledCents: 1_600n }),
    `${SETTLED} | USD 60.00 ${TO_SELLER} | USD 23.00 ${BACK} | ${TAKEN('16.00')} | ${SETTLED_THAT('16.00')}`,
    `${SETTLED} | You got USD 60.00. | USD 23.00 went back to the buyer. | ${TAKEN_FROM_BUYER('16.00')} | ${SETTLED_THAT('16.00')}`,
  ],
  [
    'a split, and then all of it, with nothing left on the balance',
    takenBack(order(disputed(), decided(6_000n, 100n))),
    debts({ owedCents: 6_100n }),
    `${SETTLED} | USD 60.00 ${TO_SELLER} | USD 39.00 ${BACK} | ${TAKEN('100.00')} | ${USED('39.00')} | ${OWED('61.00')}`,
    `${SETTLED} | You got USD 60.00. | USD 39.00 went back to the buyer.`,
  ],
  [
    'a refund that settled it, and then the bank gave it back',
    then(
      then(takenBack(order()), cancelled()),
      command('note-chargeback', {
        ...{ change: 'chargeback_reversed', amountCents: 10_000n, transactionId: 'cr' as TransactionId },
      }),
    ),
    debts({ settledCents: 10_000n }),
    `${CANCELLED} | USD 100.00 ${BACK}`,
    `${CANCELLED} | USD 100.00 went back to the buyer.`,
  ],
  [
    'a cancellation whose refund settled another debt',
    order(cancelled()),
    debts({ otherCents: 3_000n }),
    `${CANCELLED} | USD 70.00 ${BACK} | USD 30.00 of what was held settled other debts of yours ${WITH}.`,
    `${CANCELLED} | USD 100.00 went back to the buyer.`,
  ],
  [
    'a release, and then all of it',
    takenBack(order(noted(), command('release', {}))),
    debts({ owedCents: 10_000n }),
    `This order is complete | The money has been released to the seller. | ${TAKEN('100.00')} | ${OWED('100.00')}`,
    'The money was released to you | You got USD 99.00.',
  ],
];

test.each(TAKEN_BACK)('%s: each reads where the money is', (_, state, owed, buyer, seller) => {
  expect(said('BUYER', state, 'en', owed)).toBe(buyer);
  expect(said('SELLER', state, 'en', owed)).toBe(seller);
  const amountsIn = (text: string) => [...text.matchAll(/\d+[.,]\d\d/g)].map(([amount]) => amount.replace(',', '.'));
  for (const party of ['BUYER', 'SELLER'] as const)
    for (const locale of LOCALES)
      expect([locale, ...amountsIn(said(party, state, locale, owed)).sort()]).toEqual([
        locale,
        ...amountsIn(said(party, state, 'en', owed)).sort(),
      ]);
});

function sourcesOf(party: Party, state: Escrow): OrderSources {
  const escrow = { state, content: {}, externalReference: null } as unknown as EscrowRecord;
  return {
    ...{ party, escrow, company: { name: 'Harvest Market' }, settings: orderPageSettings({}), timeline: [] },
    ...{ paid: null, debts: NO_DEBTS, names: { buyer: null, seller: null }, phone: '', mayAct: false },
    ...{ requests: [], money: null },
  } as unknown as OrderSources;
}

test.each([
  [0n, ['The money went back to the buyer on its date', 'L’argent a été rendu à l’acheteur à la date prévue']],
  [5_900n, ['The money was paid out on its date', 'L’argent a été versé à la date prévue']],
] as const)('the story of a release that gives the seller %p says whose the money is', (sellerCents, titles) => {
  const state = order(noted(), ...agreedOn(sellerCents, sellerCents === 0n ? 0n : 100n), command('release', {}));
  const shares = {
    systemFeeCents: '0',
    serviceFeeCents: '0',
    sellerPayoutCents: String(sellerCents),
    buyerRefundCents: '100',
  };
  const event = { type: 'AUTO_RELEASED', shares };
  const timeline = [{ event, actor: 'SYSTEM', at: new Date(), source: 'SYSTEM', content: {}, files: [] }];
  const sources = { ...sourcesOf('BUYER', state), timeline } as unknown as OrderSources;
  const titleIn = (locale: Locale) =>
    orderView(
      sources,
      { language: LANGUAGES[locale], timeZone: 'UTC', isTest: false },
      ORDER_LANGUAGES[locale],
      new Date(),
    ).story[0]?.title;
  expect([titleIn('en'), titleIn('fr')]).toEqual(titles);
});

const NO_MONEY = {
  ...{ availableCents: 0n, isStopped: false, destination: null, isUnusable: false, notBefore: null, next: null },
  payouts: [],
};

test.each([
  ['is on the balance', 9_900n, [], 'Your money is on your balance.'],
  ['was paid out', 0n, [9_900n], 'Your money was paid out to your bank.'],
  ['was paid out in part', 4_900n, [5_000n], undefined],
  ['was paid out, and other money came', 9_900n, [9_900n], undefined],
] as const)('the page of a seller whose money %s claims nothing else', (_, availableCents, paidOut, sentence) => {
  const state = order(noted(), command('release', {}));
  const at = new Date();
  const payouts = paidOut.map((amountCents) => ({ amountCents, status: 'COMPLETED', createdAt: at }));
  const money = { ...NO_MONEY, availableCents, payouts };
  const shares = { systemFeeCents: '100', serviceFeeCents: '0', sellerPayoutCents: '9900', buyerRefundCents: '0' };
  const event = { type: 'FUNDS_RELEASED', shares };
  const timeline = [{ event, actor: 'BUYER', at, source: 'API', content: {}, files: [] }];
  const sources = { ...sourcesOf('SELLER', state), timeline, money } as unknown as OrderSources;
  const site = { language: LANGUAGES.en, timeZone: 'UTC', isTest: false };
  const { sentences } = orderView(sources, site, ORDER_LANGUAGES.en, at).standing;
  expect(sentences.slice(1)).toEqual(sentence === undefined ? [] : [sentence]);
});

test('one side alone cannot cancel what both agreed on', () => {
  expect(isCancelledByConsent(order())).toBe(false);
  expect(isCancelledByConsent(order(...agreedOn(5_900n, 100n)))).toBe(true);
  expect(isCancelledByConsent(inParts(...adjusted(FIRST, 3_000n)))).toBe(true);
});

test('a payout that would be refused is not offered', () => {
  const { createdAt } = order();
  const around = { party: 'SELLER', asked: [], isTakenBack: false, now: new Date(createdAt) } as const;
  const destination = { bankName: 'Green Bank', maskedNumber: '******7788' };
  const actsOf = (isStopped: boolean) =>
    possibleActs(order(), {
      ...around,
      settings: orderPageSettings({ acts: { payout: 'direct' } }),
      money: { availableCents: 9_900n, isStopped, destination },
    });
  expect(actsOf(false)).toContain('payout');
  expect(actsOf(true)).not.toContain('payout');
});

test.each<[string, Party, Escrow, boolean, OrderAct]>([
  ['ask for a refund of the rest, while the payment is taken back', 'BUYER', inParts(paid(FIRST)), true, 'ask_cancel'],
  ['propose in a dispute, while the payment is taken back', 'BUYER', order(noted(), disputed()), true, 'propose'],
  ['ask again for all, which is agreed', 'BUYER', order(noted(), ...agreedOn(0n, 0n)), false, 'ask_cancel'],
  ['send an order that was cancelled by both', 'SELLER', order(...agreedOn(0n, 0n)), false, 'dispatch'],
])('nobody is invited to %s', (_, party, state, isTakenBack, act) => {
  const around = { party, settings: orderPageSettings({}), now: new Date(state.createdAt), asked: [], money: null };
  expect(possibleActs(state, { ...around, isTakenBack })).not.toContain(act);
  const usual = party === 'BUYER' ? inParts(paid(FIRST)) : order();
  expect(possibleActs(usual, { ...around, isTakenBack: false })).toContain(act);
});

test('a fee that the buyer pays is in the amount and the total of the buyer alone', () => {
  const { state: unpaid } = tell([initiate({ terms: { feePayer: 'BUYER' }, funding: 'awaited' })]);
  const { state: cancelled } = tell([command('cancel', { actor: 'BUYER', adminId: null })], order());
  const amountsOf = (party: Party, state: Escrow) => {
    const site = { language: LANGUAGES.en, timeZone: 'UTC', isTest: false };
    const sources = sourcesOf(party, state);
    const { amount, fees } = orderView(sources, site, ORDER_LANGUAGES.en, new Date(state.createdAt));
    return [amount, fees].map((text) => text?.replace('\u00a0', ' ') ?? null);
  };
  const paid = tell([initiate({ terms: { feePayer: 'BUYER' } })]).state;
  for (const state of [unpaid, paid]) {
    expect(amountsOf('BUYER', state)).toEqual(['USD 101.00', 'USD 1.00']);
    expect(amountsOf('SELLER', state)).toEqual(['USD 100.00', null]);
  }
  for (const party of ['BUYER', 'SELLER'] as const) expect(amountsOf(party, cancelled)).toEqual(['USD 100.00', null]);
});
