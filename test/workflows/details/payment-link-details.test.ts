import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../src/domain/payment-link/decide.ts';
import { LINK_STATUSES, type LinkCommand, type PaymentLink } from '../../../src/domain/payment-link/link.ts';
import { LINK_MESSAGE_TYPES, parseLinkCommand } from '../../../src/domain/payment-link/parse-command.ts';
import { linkDisplay } from '../../../src/workflows/details/payment-link-details.ts';
import { create, DAY, later, refunded, START, settle, simple, tell } from '../../domain/payment-link/build.ts';

/** What operators read about a payment link. */

/** An attempt has the id of its command. */
const ATTEMPT = '01900000-0000-7000-8000-000000000001';

const pending = () => tell([create()]);
const opened = () => tell([simple('open-checkout', ATTEMPT)], pending());
const processing = () => tell([simple('start-charge', ATTEMPT)], pending());
const paid = () => tell([settle(ATTEMPT, 'succeeded')], opened());
const takenBack = () => tell([takeBack()], paid());
const late = (link: PaymentLink) => tell([[settle(ATTEMPT, 'succeeded'), later(5)]], link);
const rejected = () => tell([simple('reject')], opened());
const closedWithItsEscrow = () => tell([simple('close-with-escrow')], opened());

const LINKS: readonly (readonly [string, PaymentLink, readonly string[]])[] = [
  ['new', pending(), ['open-checkout', 'start-charge', 'pay-from-balance', 'reject']],
  ['with an open form', opened(), ['open-checkout', 'start-charge', 'pay-from-balance', 'reject', 'check-attempt']],
  ['with a charge in progress', processing(), ['check-attempt']],
  ['after a declined charge', tell([settle(ATTEMPT, 'declined')], processing()), simpleTypes()],
  ['paid by card', paid(), ['take-back', 'check-attempt']],
  ['paid by mobile money', tell([settle(ATTEMPT, 'succeeded')], processing()), ['take-back']],
  ['paid from the balance', tell([simple('pay-from-balance')], pending()), []],
  ['paid and taken back', takenBack(), ['check-attempt']],
  ['rejected with an open form', rejected(), ['check-attempt']],
  ['with late money on the balance', late(rejected()), ['take-back', 'check-attempt']],
  ['with a refund that is due', late(closedWithItsEscrow()), ['check-attempt']],
  ['expired', tell([[simple('expire'), DAY]], pending()), []],
];

describe('the commands that a link waits for', () => {
  test('the links of the table have every status', () => {
    expect(new Set(LINKS.map(([, { status }]) => status))).toEqual(new Set(LINK_STATUSES));
  });

  test.each(LINKS)('a link %s lists what it accepts', (_which, link, expected) => {
    expect(new Set(linkDisplay.waitingFor(link))).toEqual(new Set(expected));
  });

  // A check is never decided as it is: the provider is asked first.
  test.each(LINKS)('a link %s accepts what it lists, and refuses every other command', (_which, link) => {
    for (const type of LINK_MESSAGE_TYPES.filter((one) => one !== 'check-attempt')) {
      const isListed = linkDisplay.waitingFor(link).includes(type);
      expect([type, decide(link, message(type), START).kind]).toEqual([type, isListed ? 'accepted' : 'refused']);
    }
  });
});

describe('late money', () => {
  const onBalance = '**Money came late** and is on the balance of the buyer.';

  test.each<[string, PaymentLink, string, boolean]>([
    ['without a refund', late(rejected()), onBalance, true],
    [
      'whose refund is due',
      late(closedWithItsEscrow()),
      '**Money came late** and is on hold until the provider has refunded it.',
      false,
    ],
    [
      'that was refunded',
      tell([refunded(ATTEMPT, 'refunded')], late(closedWithItsEscrow())),
      '**Money came late** and was refunded.',
      false,
    ],
    ['whose refund was refused', tell([refunded(ATTEMPT, 'refused')], late(closedWithItsEscrow())), onBalance, true],
  ])('%s is shown where it is', (_which, link, text, needsAttention) => {
    expect(linkDisplay.describe(link).filter((line) => line.includes('late'))).toEqual([text]);
    expect(linkDisplay.facts(link).attention).toEqual(needsAttention ? ['late_money'] : []);
  });

  test('that was taken back is not on the balance any more', () => {
    const link = tell([takeBack()], late(rejected()));
    expect(linkDisplay.describe(link).join()).not.toContain('late');
    expect(linkDisplay.describe(link)).toContain('**Taken back: 100.00 USD**');
    expect(linkDisplay.facts(link).attention).toEqual(['charged_back']);
  });
});

function simpleTypes(): readonly string[] {
  return ['open-checkout', 'start-charge', 'pay-from-balance', 'reject'];
}

function takeBack(): LinkCommand {
  return message('take-back');
}

function message(type: (typeof LINK_MESSAGE_TYPES)[number]): LinkCommand {
  const commandId = '01900000-0000-7000-8000-0000000000ff' as LinkCommand['commandId']; // tests name commands as they like
  const command = parseLinkCommand(type, commandId, { attemptId: ATTEMPT, isForced: true });
  if (command === undefined) throw new Error(`there is no message ${type}`);
  return command;
}
