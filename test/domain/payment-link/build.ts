import { decide } from '../../../src/domain/payment-link/decide.ts';
import { evolve } from '../../../src/domain/payment-link/evolve.ts';
import type { AttemptId, LinkCommand, LinkTerms, PaymentLink } from '../../../src/domain/payment-link/link.ts';
import { initiate, START, TERMS } from '../escrow/build.ts';

/** Given / when / then for payment links, like escrow/build.ts for escrows. */

const named = <T extends string>(name: string) => name as T; // tests name things as they like

export { START };
export const DAY = '2026-01-02T00:00:00.000Z';

export const LINK_TERMS: LinkTerms = {
  linkId: named('link'),
  escrowId: TERMS.escrowId,
  companyId: TERMS.companyId,
  buyerId: TERMS.buyerId,
  buyerAccountId: TERMS.buyerAccountId,
  clearingAccountIds: { card: named('account-of-cards'), mobile_money: named('account-of-mobile-money') },
  amountCents: 10_000n,
  currency: 'USD',
  expiresAt: DAY,
};

type Simple = 'open-checkout' | 'start-charge' | 'pay-from-balance' | 'reject' | 'expire' | 'close-with-escrow';
let counter = 0;
const fresh = () => named<LinkCommand['commandId']>(`command-${++counter}`);

export function simple(type: Simple, id?: string): LinkCommand {
  return { type, commandId: id === undefined ? fresh() : named(id) };
}

export function create(): LinkCommand {
  return { type: 'create', commandId: named('link'), terms: LINK_TERMS, escrow: initiate({ funding: 'awaited' }) };
}

export function settle(
  attempt: string,
  outcome: Extract<LinkCommand, { type: 'settle-attempt' }>['outcome'],
  isLate = false,
): LinkCommand {
  return { type: 'settle-attempt', commandId: fresh(), attemptId: named<AttemptId>(attempt), outcome, isLate };
}

export function hasten(attempt: string, askAt: string): LinkCommand {
  return { type: 'hasten-poll', commandId: fresh(), attemptId: named<AttemptId>(attempt), askAt };
}

export function refunded(attempt: string, outcome: 'refunded' | 'refused'): LinkCommand {
  return { type: 'settle-refund', commandId: fresh(), attemptId: named<AttemptId>(attempt), outcome };
}

export function postpone(attempt: string): LinkCommand {
  return { type: 'postpone-poll', commandId: fresh(), attemptId: named<AttemptId>(attempt) };
}

/** Applies commands to a link one after the other, each at its own time or at START; each must be accepted. */
export function tell(
  commands: readonly (LinkCommand | readonly [LinkCommand, string])[],
  from?: PaymentLink,
): PaymentLink {
  let link = from ?? null;
  for (const one of commands) {
    const [command, now] = 'type' in one ? [one, START] : one;
    const decision = decide(link, command, now);
    if (decision.kind === 'refused')
      throw new Error(`${command.type} was refused: ${decision.code} (${decision.detail})`);
    link = evolve(link, decision.event);
  }
  if (link === null) throw new Error('nothing was told');
  return link;
}

/** The refusal code of `command`, or the event's type if it is accepted. */
export function answer(link: PaymentLink, command: LinkCommand, now = START): string {
  const decision = decide(link, command, now);
  return decision.kind === 'refused' ? decision.code : decision.event.type;
}

export function later(seconds: number): string {
  return new Date(Date.parse(START) + seconds * 1_000).toISOString();
}
