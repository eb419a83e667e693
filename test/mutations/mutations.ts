/**
 * Small mistakes in the rules, each of which a test of the default lane must find: a sign, a bound, a state, a check that is left
 * out. `npm run try:mutations` makes each in a copy and runs the tests that it names.
 */
export type Mutation = {
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replaceBy: string;
  /** Below test. */
  readonly killedBy: readonly string[];
};

const ESCROW = [
  'domain/escrow/transitions.test.ts',
  'domain/escrow/amounts.test.ts',
  'domain/escrow/settlement.test.ts',
  'domain/escrow/model.test.ts',
];
const LINK = [
  'domain/payment-link/payment-link.test.ts',
  'domain/payment-link/payment-changes.test.ts',
  'domain/payment-link/provider-reports.test.ts',
  'domain/payment-link/chargeback-histories.test.ts',
];
const WITHDRAWAL = ['domain/withdrawal/withdrawal.test.ts', 'domain/withdrawal/payout-conversation.test.ts'];
const MONEY = ['domain/money.test.ts', 'domain/escrow/amounts.test.ts'];

const inFile =
  (file: string, killedBy: readonly string[]) =>
  (find: string, replaceBy: string): Mutation => ({ file: `src/${file}`, find, replaceBy, killedBy });

const money = inFile('domain/money.ts', MONEY);
const shares = inFile('domain/escrow/shares.ts', ESCROW);
const price = inFile('domain/escrow/price.ts', ESCROW);
const decide = inFile('domain/escrow/decide.ts', ESCROW);
const negotiation = inFile('domain/escrow/negotiation.ts', ESCROW);
const evolve = inFile('domain/escrow/evolve.ts', ESCROW);
const deliveries = inFile('domain/escrow/deliveries.ts', ESCROW);
const escrowPostings = inFile('domain/escrow/postings.ts', ESCROW);
const deadlines = inFile('domain/escrow/deadlines.ts', ESCROW);
const link = inFile('domain/payment-link/decide.ts', LINK);
const linkEvolve = inFile('domain/payment-link/evolve.ts', LINK);
const changes = inFile('domain/payment-link/changes.ts', LINK);
const linkDeadlines = inFile('domain/payment-link/decide.ts', LINK);
const withdrawal = inFile('domain/withdrawal/decide.ts', WITHDRAWAL);
const withdrawalEvolve = inFile('domain/withdrawal/evolve.ts', WITHDRAWAL);
const withdrawalPostings = inFile('domain/withdrawal/postings.ts', WITHDRAWAL);
const payout = inFile('domain/withdrawal/payout.ts', WITHDRAWAL);
const reports = inFile('domain/withdrawal/bank-reports.ts', WITHDRAWAL);
const sources = inFile('domain/withdrawal/sources.ts', WITHDRAWAL);
const codec = inFile('domain/messages/codec.ts', ['domain/messages/codec.test.ts']);
const postings = inFile('domain/ledger/postings.ts', ['domain/ledger/postings.test.ts']);
const statement = inFile('domain/ledger/bank-statement.ts', ['domain/ledger/bank-statement.test.ts']);
const camt = inFile('api/statements/read-camt053.ts', ['api/statements/read-camt053.test.ts']);
const clientAddress = inFile('api/middleware/client-address.ts', ['api/middleware/client-address.test.ts']);
const session = inFile('console/session/session.ts', ['console/session-rules.test.ts']);
const formToken = inFile('console/session/csrf.ts', ['console/session-rules.test.ts']);
const fieldKey = inFile('db/core/field-cipher.ts', ['db/core/field-cipher.test.ts']);
const webhookAddress = inFile('providers/webhooks.ts', ['providers/webhooks.test.ts']);
const csv = inFile('csv/csv.ts', ['csv/csv.test.ts']);

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
  money('cumulative += weight;', 'cumulative = weight;'),
  money('allocated = upToHere;', ''),
  money('padStart(decimals + 1', 'padStart(decimals'),
  money('fraction.length > decimals', 'fraction.length > decimals + 1'),
  price('splitPlan !== null && paidCents(splitPlan) !== totalCents', 'false as boolean'),
  price('weight !== MAX_BASIS_POINTS', 'weight > MAX_BASIS_POINTS'),
  price('if (dueCents > MAX_TOTAL_CENTS)', 'if (false as boolean)'),
  decide('now < stop.until', 'now > stop.until'),
  decide('>= MAX_RELEASE_STOPS', '> MAX_RELEASE_STOPS'),
  decide('if (stopOf(escrow, requestId) !== undefined)', 'if (false as boolean)'),
  decide('addHours(escrow.autoReleaseAt, command.hours)', 'addHours(now, command.hours)'),
  decide("actor === 'ADMIN' && adminId !== null ? [", "actor === 'SELLER' && adminId !== null ? ["),
  decide("change === 'chargeback_reversed'", "change !== 'chargeback_reversed'"),
  decide("[{ kind: 'may_resolve_disputes', adminId: command.adminId }]", '[]'),
  negotiation('if (paidCents(command.plan) > escrow.heldCents)', 'if (paidCents(command.plan) >= escrow.heldCents)'),
  negotiation('if (command.sellerPayoutCents > mostCents)', 'if (false as boolean)'),
  negotiation(
    'open.milestoneId === milestoneId && isOpen(open, now)',
    'open.milestoneId !== milestoneId && isOpen(open, now)',
  ),
  negotiation('if (negotiation.proposer === command.actor)', 'if (false as boolean)'),
  negotiation("negotiation.status === 'PENDING' && now < negotiation.lapsesAt", "negotiation.status === 'PENDING'"),
  negotiation("negotiation?.status !== 'PENDING' || now < negotiation.lapsesAt", "negotiation?.status !== 'PENDING'"),
  negotiation('if (paidCents(negotiation.plan) > heldCents)', 'if (false as boolean)'),
  negotiation("if (escrow.status !== 'DISPUTED') return", "if (escrow.status === 'DISPUTED') return"),
  negotiation('&& candidate.milestoneId === milestoneId', ''),
  evolve('heldCents: escrow.heldCents - heldCentsOf(shares)', 'heldCents: escrow.heldCents - shares.sellerPayoutCents'),
  evolve("event.heldCents === 0n ? 'PENDING'", "event.heldCents !== 0n ? 'PENDING'"),
  evolve('event.isPartial ? null', '!event.isPartial ? null'),
  evolve('escrow.chargedBackCents - event.amountCents', 'escrow.chargedBackCents + event.amountCents'),
  evolve('autoReleaseAt > counted', 'autoReleaseAt < counted'),
  evolve("wasLast ? 'COMPLETED' : escrow.status", "'COMPLETED'"),
  evolve("isFinal(next.status) || event.type === 'DISPUTED'", 'isFinal(next.status)'),
  evolve('requestId !== event.requestId', 'requestId === event.requestId'),
  evolve('milestone.shares.sellerPayoutCents > 0n ?', 'milestone.shares.sellerPayoutCents === 0n ?'),
  evolve('isReplanned ? null : applied.blockedBy', 'applied.blockedBy'),
  evolve('surplus-- <= 0', 'surplus-- <= 1'),
  evolve(
    'rebaseProposals(withShares(escrow, sharesOf(plan, escrow.heldCents)))',
    'withShares(escrow, sharesOf(plan, escrow.heldCents))',
  ),
  deliveries('piecesOf(received, itemId) >= quantity', 'piecesOf(received, itemId) > quantity'),
  deliveries('{ noted: [], received: added(', '{ noted, received: added('),
  escrowPostings('paid + refund === escrow.heldCents', 'paid === escrow.heldCents'),
  escrowPostings('(refund === 0n ? closing : [])', 'closing'),
  changes('maxCents(chargedBack - reversed, 0n)', '(chargedBack - reversed)'),
  changes('minCents(maxCents(reported, floor - reversed), paidCents)', 'maxCents(reported, floor - reversed)'),
  changes('floor = paidCents + reversed', 'floor = paidCents'),
  changes('!byHand && attempt.changes.some', 'byHand && attempt.changes.some'),
  changes('attempt.changes.length >= MAX_CHANGES', 'attempt.changes.length > MAX_CHANGES'),
  changes('isForced: !byHand || command.isForced', 'isForced: true'),
  changes('isWhole: after === paidCents', 'isWhole: isTaken'),
  link('now >= link.terms.expiresAt', 'now > link.terms.expiresAt'),
  link('link.attempts.length >= MAX_ATTEMPTS', 'link.attempts.length > MAX_ATTEMPTS'),
  link("if (attempt.refund === 'due') return refuse(", 'if (false as boolean) return refuse('),
  link('!isTaken && link.isCancelled', '!isTaken && !link.isCancelled'),
  link('!command.isLate && (', '('),
  link("outcome === 'pending' && kind === 'card'", "outcome === 'pending'"),
  link('pollAt > latest ?', 'pollAt < latest ?'),
  link('isHeld: true,', 'isHeld: false,'),
  link('if (now < expiryOf(link))', 'if (now <= expiryOf(link))'),
  link("if (attempt?.refund !== 'due')", 'if (attempt === undefined)'),
  linkEvolve("isCancelled: event.actor === 'SYSTEM'", 'isCancelled: true'),
  linkEvolve("link.attempts.some(({ status }) => status === 'pending')", 'false as boolean'),
  linkEvolve("link.status === 'PENDING' || link.status === 'PROCESSING' ? status : link.status", 'status'),
  linkEvolve("kind === 'card' ? at : null", 'at'),
  withdrawal("if (submittedAt !== null) return refuse('wrong_state', 'the bank has the payment');", ''),
  withdrawal('if (!isHoldBack(state.concern))', 'if (false as boolean)'),
  withdrawalEvolve('owesTax ? event.transactionId : null', 'null'),
  withdrawalEvolve('withdrawal.firstEnd ?? status;', 'status;'),
  withdrawalPostings('settlements === 1 ?', 'settlements >= 1 ?'),
  withdrawalPostings("taxFrom === 'TAX' ?", "taxFrom !== 'TAX' ?"),
  withdrawalPostings('one.amountCents < 0n ? -cents : cents', 'cents'),
  payout('if (isLater(knownAt, answer.saidAt)) return null;', ''),
  payout('&& !isLater(answer.saidAt, now)', ''),
  payout('attempts < MAX_ATTEMPTS', 'attempts <= MAX_ATTEMPTS'),
  payout('sinceVerdictMs < DAILY_DAYS * DAY_MS', 'sinceVerdictMs > DAILY_DAYS * DAY_MS'),
  reports('sent.attempts <= 1 ||', 'sent.attempts <= 2 ||'),
  reports("if (line.level !== 'payment')", "if (line.level === 'file')"),
  reports('&& !isDuplicate(line)', ''),
  reports('b.isPaid && !isLater(a.saidAt, b.saidAt) ? b : a', 'a'),
  sources("roles: ['SUPER_ADMIN']", 'roles: null'),
  codec('amount <= most ?', 'amount < most ?'),
  codec('raw >= least && raw <= most', 'raw >= least'),
  postings('!== 0n) throw new Error(`unbalanced', '> 0n) throw new Error(`unbalanced'),
  postings('amountCents === 0n ? []', 'amountCents <= 0n ? []'),
  statement('feeCents >= 0n &&', ''),
  statement('if (sum >= netCents) break;', 'if (sum > netCents) break;'),
  statement('<= grossCents * BigInt(maxFeeBasisPoints)', '< grossCents * BigInt(maxFeeBasisPoints)'),
  camt("statusOf(node) !== 'BOOK'", 'false as boolean'),
  camt('if (!addsUp([...named.values()])) throw', 'if (false as boolean) throw'),
  camt('entries > MAX_BANK_ENTRIES ||', ''),
  clientAddress('const GROUPS_OF_A_NETWORK = 4;', 'const GROUPS_OF_A_NETWORK = 5;'),
  session('nowMs - session.seenAtMs > idleTimeoutMs ||', ''),
  session('|| isTooOld(session, nowMs)', ''),
  formToken('given.length === expected.length && timingSafeEqual(given, expected)', 'true as boolean'),
  fieldKey('new Set(key).size >= MIN_DISTINCT_BYTES', 'true'),
  fieldKey('.setAAD(context(column, rowId, bound))\n      .setAuthTag', '.setAuthTag'),
  webhookAddress("|| (range === 'loopback' && !isProduction)", "|| range === 'loopback'"),
  webhookAddress('parsed.match(IPV4_COMPATIBLE)) return false;', 'parsed.match(IPV4_COMPATIBLE)) return true;'),
  csv('[=+\\-@', '[=+@'),
];
