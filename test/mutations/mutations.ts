/**
 * Small mistakes in the rules, each of which a test of the default lane must find: a sign, a bound, a state, a check that is left
 * out. `npm run try:mutations` makes each in a copy and runs the tests that it names.
 */
export type Mutation = {
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replaceBy: string;
  /** Below test/domain. */
  readonly killedBy: readonly string[];
};

const ESCROW = [
  'escrow/transitions.test.ts',
  'escrow/amounts.test.ts',
  'escrow/settlement.test.ts',
  'escrow/model.test.ts',
];
const LINK = [
  'payment-link/payment-link.test.ts',
  'payment-link/payment-changes.test.ts',
  'payment-link/provider-reports.test.ts',
];
const WITHDRAWAL = ['withdrawal/withdrawal.test.ts', 'withdrawal/payout-conversation.test.ts'];
const MONEY = ['money.test.ts', 'escrow/amounts.test.ts'];

const inFile =
  (file: string, killedBy: readonly string[]) =>
  (find: string, replaceBy: string): Mutation => ({ file: `src/domain/${file}`, find, replaceBy, killedBy });

const money = inFile('money.ts', MONEY);
const shares = inFile('escrow/shares.ts', ESCROW);
const decide = inFile('escrow/decide.ts', ESCROW);
const deadlines = inFile('escrow/deadlines.ts', ESCROW);
const payout = inFile('withdrawal/payout.ts', WITHDRAWAL);
const linkDeadlines = inFile('payment-link/deadlines.ts', LINK);

export const MUTATIONS: readonly Mutation[] = [
  money('return a < b ? a : b;', 'return a > b ? a : b;'),
  money('return a > b ? a : b;', 'return a < b ? a : b;'),
  money('total += amount;', 'total -= amount;'),
  money('+ BASIS_POINTS / 2n) /', '- BASIS_POINTS / 2n) /'),
  money('+ BASIS_POINTS / 2n) /', ') /'),
  money('const BASIS_POINTS = 10_000n;', 'const BASIS_POINTS = 1_000n;'),
  money('index === weights.length - 1 ? amountCents', 'index === 0 ? amountCents'),
  shares(
    'shares.systemFeeCents + shares.serviceFeeCents + shares',
    'shares.systemFeeCents - shares.serviceFeeCents + shares',
  ),
  shares('paidCents(shares) + shares.buyerRefundCents', 'paidCents(shares) - shares.buyerRefundCents'),
  shares('a.buyerRefundCents + b.buyerRefundCents', 'a.buyerRefundCents'),
  shares('heldCents - paidCents(plan)', 'heldCents'),
  shares("feePayer === 'BUYER' ? totalCents :", "feePayer === 'SELLER' ? totalCents :"),
  shares('totalCents - systemFeeCents - serviceFeeCents', 'totalCents - systemFeeCents'),
  shares('fees.serviceFeeBasisPoints), totalCents - systemFeeCents)', 'fees.serviceFeeBasisPoints), totalCents)'),
  shares('allocate(shares.serviceFeeCents, weights)', 'allocate(shares.systemFeeCents, weights)'),
  decide('if (terms.sellerId === terms.buyerId)', 'if (false as boolean)'),
  decide('if (!allows(command.type, state.status))', 'if (false as boolean)'),
  decide('if (missing !== null) return missing;', ''),
  decide('heldCents: isFundedNow ? dueCents : 0n', 'heldCents: dueCents'),
  decide('escrow.autoReleaseAt !== null && now >= escrow.autoReleaseAt', 'escrow.autoReleaseAt !== null'),
  decide('if (escrow.autoReleaseExtended)', 'if (false as boolean)'),
  decide("escrow.status === 'DISPUTED' && command.actor !== 'ADMIN'", 'false as boolean'),
  decide("command.actor === 'BUYER' && escrow.milestones.some", "command.actor === 'SELLER' && escrow.milestones.some"),
  decide('refundCents: escrow.heldCents,', 'refundCents: 0n,'),
  decide('if (paidCents(command.plan) > escrow.heldCents)', 'if (paidCents(command.plan) >= escrow.heldCents)'),
  decide('sharesOf(command.plan, escrow.heldCents)', 'sharesOf(command.plan, escrow.terms.totalCents)'),
  decide('ordered.pricePerUnitCents !== pricePerItemCents', 'false as boolean'),
  decide('if (total > item.quantity)', 'if (total > item.quantity + 1)'),
  decide('counted.set(itemId, total);', ''),
  decide("if (item === undefined) return refuse('unknown_item'", "if (item === undefined) return refuse('not_found'"),
  deadlines('if (isFinal(escrow.status)) return null;', ''),
  deadlines("status === 'PENDING'", "status !== 'PENDING'"),
  deadlines('all.sort(byInstant)', 'all.sort(byInstant).reverse()'),
  payout("if (status === 'PROCESSING') return { ...by, type: 'settle', saidAt };", ''),
  payout("status === 'COMPLETED' ? { ...by, type: 'return'", "status === 'FAILED' ? { ...by, type: 'return'"),
  payout("command.type === 'return' && command.taxFrom === 'TAX'", 'false as boolean'),
  payout('mayResend || (submittedAt === null', 'mayResend || (submittedAt !== null'),
  payout("if (status !== 'PROCESSING' || isHoldBack(concern)) return false;", ''),
  payout('>= LISTENING_DAYS * DAY_MS', '>= 0'),
  linkDeadlines("link.status === 'PENDING' ?", "link.status !== 'PENDING' ?"),
  linkDeadlines('.sort(byInstant)', ''),
];
