import type { CommandOf, EscrowCommand } from '../../../src/domain/escrow/commands.ts';
import { decide } from '../../../src/domain/escrow/decide.ts';
import type { Escrow, EscrowFees, EscrowState, EscrowTerms, OrderedBy } from '../../../src/domain/escrow/escrow.ts';
import { evolve } from '../../../src/domain/escrow/evolve.ts';
import type { CommandId } from '../../../src/domain/ids.ts';
import type { Posting } from '../../../src/domain/ledger/postings.ts';

/** Given / when / then for escrows, without a database. A test states only what it depends on. */

const named = <T extends string>(name: string) => name as T; // tests name things as they like

export const START = '2026-01-01T00:00:00.000Z';

export const TERMS: EscrowTerms = {
  escrowId: named('escrow'),
  companyId: named('company'),
  buyerId: named('buyer'),
  sellerId: named('seller'),
  buyerAccountId: named('account-of-buyer'),
  sellerAccountId: named('account-of-seller'),
  serviceFeeAccountId: named('account-of-service-fee'),
  systemFeeAccountId: named('account-of-system-fee'),
  currency: 'USD',
  totalCents: 10_000n,
  feePayer: 'SELLER',
  items: [{ itemId: named('item'), quantity: 3, pricePerUnitCents: 1_000n }],
  autoReleaseHours: null,
};

let counter = 0;
/** A command of `type` with a fresh id and no particular author, unless `fields` names one. */
export function command<Type extends EscrowCommand['type']>(
  type: Type,
  fields: Omit<CommandOf<Type>, 'type' | 'commandId' | keyof OrderedBy> & Partial<OrderedBy>,
): CommandOf<Type> {
  const commandId = named<CommandId>(`command-${++counter}`);
  return { type, commandId, adminId: null, apiKeyId: null, ...fields } as unknown as CommandOf<Type>;
}

/** Fees of these basis points, in force since the start. */
export function feesOf(systemFeeBasisPoints: number, serviceFeeBasisPoints: number): EscrowFees {
  return { systemFeeBasisPoints, serviceFeeBasisPoints, systemFeeSince: START, serviceFeeSince: START };
}

export function initiate(
  fields: Partial<Omit<CommandOf<'initiate'>, 'type' | 'terms'>> & { terms?: Partial<EscrowTerms> } = {},
): CommandOf<'initiate'> {
  const { terms, ...rest } = fields;
  return command('initiate', {
    fees: feesOf(100, 0),
    splitPlan: null,
    milestones: [],
    funding: 'now',
    ...rest,
    terms: { ...TERMS, ...terms },
  });
}

/** Milestones m1, m2, … of these percentages. */
export function milestones(...percentages: readonly number[]): CommandOf<'initiate'>['milestones'] {
  return percentages.map((percentage, index) => ({
    milestoneId: named(`m${index + 1}`),
    weightHundredths: Math.round(percentage * 100),
  }));
}

export const plan = (systemFeeCents: bigint, serviceFeeCents: bigint, sellerPayoutCents: bigint) => ({
  systemFeeCents,
  serviceFeeCents,
  sellerPayoutCents,
});

export type Told = { readonly state: Escrow; readonly postings: readonly Posting[] };

/** Applies commands one after the other; each must be accepted. */
export function tell(commands: readonly EscrowCommand[], from: EscrowState = null, now = START): Told {
  let state = from;
  let postings: readonly Posting[] = [];
  for (const one of commands) {
    const decision = decide(state, one, now);
    if (decision.kind === 'refused') throw new Error(`${one.type} was refused: ${decision.code} (${decision.detail})`);
    state = evolve(state, decision.event);
    postings = [...postings, ...decision.postings];
  }
  if (state === null) throw new Error('nothing was told');
  return { state, postings };
}

/** The refusal code of `one`, or `accepted`. */
export function refusal(state: EscrowState, one: EscrowCommand, now = START): string {
  const decision = decide(state, one, now);
  return decision.kind === 'refused' ? decision.code : 'accepted';
}

/** The sum of the postings for each account. */
export function movements(postings: readonly Posting[]): Record<string, bigint> {
  const sums: Record<string, bigint> = {};
  for (const { legs } of postings)
    for (const { accountId, amountCents } of legs) sums[accountId] = (sums[accountId] ?? 0n) + amountCents;
  return sums;
}

/** For loops of thousands of checks, in which jest's `expect` would take most of the time. */
export function mustHold(isTrue: boolean, guarantee: string): void {
  if (!isTrue) throw new Error(`broken: ${guarantee}`);
}

/** Asserts that the value is defined. */
export function must<T>(value: T | undefined | null): T {
  if (value === undefined || value === null) throw new Error('the test expected a value here');
  return value;
}
