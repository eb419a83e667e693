import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { SequenceConflict } from '../db/core/database-errors.ts';
import { eventColumns } from '../db/entities/stored-events.ts';
import { newWithdrawalRow, PayoutDestination, WithdrawalEventRow, WithdrawalRow } from '../db/entities/withdrawal.ts';
import { assertMayBePaid } from '../db/identity/blacklist.ts';
import { findStaffRole } from '../db/identity/platform-company.ts';
import { isHeldByPlatform } from '../db/ledger/account-freeze.ts';
import { availableCents } from '../db/ledger/own-accounts.ts';
import { postAll } from '../db/ledger/post.ts';
import { setTransactionStatus } from '../db/ledger/transactions.ts';
import { assertBacked } from '../db/treasury/cash-backing.ts';
import {
  assertBooksAgree,
  assertNotHandedOver,
  assertTermsUnchanged,
  findHoldBack,
} from '../db/treasury/payout-attempts.ts';
import {
  assertOwesNothing,
  lockReceivables,
  type NewReceivable,
  NOTHING_UNDONE,
  recordReceivable,
  type Undoing,
  undoReceivable,
} from '../db/treasury/receivables.ts';
import { Refusal } from '../domain/errors.ts';
import type { AdministratorId, CompanyId, TransactionId, UserId } from '../domain/ids.ts';
import type { Posting } from '../domain/ledger/postings.ts';
import { withdrawalWorkflowId } from '../domain/messages/ids.ts';
import { fromWire, toWire, type Wire } from '../domain/messages/wire.ts';
import { type Permission, permits } from '../domain/roles.ts';
import { transactionStatuses, withReceivable } from '../domain/withdrawal/postings.ts';
import {
  debitCents,
  type Withdrawal,
  type WithdrawalEvent,
  withdrawalNeedsProof,
} from '../domain/withdrawal/withdrawal.ts';
import type { Arrival, AskedAnswer, Snapshot, StepResult } from './contract.ts';
import { createPayoutCheck, type PayoutCheck, type PayoutDependencies } from './payout-check.ts';
import { isProven, recordsOf, type StepRules } from './records.ts';

type Written = StepResult<Withdrawal, WithdrawalEvent>;

type ApplyWithdrawalInput = {
  readonly event: Wire<WithdrawalEvent>;
  /** The withdrawal after `event`. */
  readonly state: Wire<Withdrawal>;
  readonly postings: readonly Wire<Posting>[];
  readonly userId: UserId | null;
  readonly adminId: AdministratorId | null;
  readonly arrival: Arrival;
};

export interface WithdrawalActivities extends PayoutCheck {
  /** `confirmation`: an answer that changes nothing; `isConfirmed` says whether it is proven. Release 1.0.0-rc.1 says nothing. */
  loadWithdrawal(
    withdrawalId: TransactionId,
    companyId: CompanyId | null,
    confirmation: AskedAnswer | null,
  ): Promise<Snapshot<Withdrawal> & { readonly isConfirmed?: boolean }>;
  /** Writes event, row, postings and statuses in one transaction. Safe to repeat. */
  applyWithdrawalEvent(input: ApplyWithdrawalInput): Promise<Written>;
}

type WithdrawalDependencies = PayoutDependencies &
  StepRules & {
    /** Whether a payout needs cash that was received for the company. */
    readonly mustBeBacked: boolean;
  };

export function createWithdrawalActivities(orm: MikroORM, dependencies: WithdrawalDependencies): WithdrawalActivities {
  const { mustBeBacked } = dependencies;
  const records = recordsOf<TransactionId, Withdrawal, WithdrawalEvent>(
    orm,
    'withdrawal',
    withdrawalWorkflowId,
    dependencies,
  );
  return {
    async loadWithdrawal(withdrawalId, companyId, confirmation) {
      const snapshot = await records.load(withdrawalId, companyId);
      if (confirmation == null) return snapshot; // a run of an earlier version has none
      const { answer, commandId } = confirmation;
      return { ...snapshot, isConfirmed: isProven(dependencies.proof, answer, commandId) };
    },
    async applyWithdrawalEvent(input) {
      const { withdrawalId, companyId } = input.state.terms;
      return records.write(
        { id: withdrawalId, companyId },
        input,
        (em) => (input.event.type === 'REQUESTED' ? applyRequest(em, input, mustBeBacked) : applyStep(em, input)),
        { needsProof: withdrawalNeedsProof(input.event) },
      );
    },
    ...createPayoutCheck(orm, dependencies),
  };
}

/** A new withdrawal: its row, its hold, and the checks that it needs. */
async function applyRequest(em: EntityManager, input: ApplyWithdrawalInput, mustBeBacked: boolean): Promise<Written> {
  const event = fromWire<WithdrawalEvent>(input.event);
  const state = fromWire<Withdrawal>(input.state);
  const { terms } = state;
  // The row is written first: a duplicate reference is reported before insufficient funds.
  await insertWithdrawal(em, state);
  await assertActors(em, input);
  await assertOwesNothing(em, terms.companyId, terms.accountId);
  await book(em, input, event, state);
  await assertBooksAgree(em, terms);
  if (mustBeBacked) await assertBacked(em, terms.companyId, terms.currency, terms.amountCents);
  return { kind: 'applied', at: event.at, wake: [] };
}

/** Every later event of a withdrawal. */
async function applyStep(em: EntityManager, input: ApplyWithdrawalInput): Promise<Written> {
  const event = fromWire<WithdrawalEvent>(input.event);
  const state = fromWire<Withdrawal>(input.state);
  if (event.type === 'CANCELLED') await assertNotHandedOver(em, state.terms);
  await advanceWithdrawal(em, state);
  await assertActors(em, input);
  if (event.type === 'RESUMED') await assertMayResume(em, state.terms);
  if (input.postings.length > 0) await assertTermsUnchanged(em, state);
  await book(em, input, event, state);
  return { kind: 'applied', at: event.at, wake: [] };
}

async function assertActors(em: EntityManager, input: ApplyWithdrawalInput): Promise<void> {
  const { state, userId, adminId } = input;
  const { companyId } = state.terms;
  if (userId !== null) await assertMayBePaid(em, companyId, userId);
  if (adminId !== null) await assertPermitted(em, companyId, adminId, await neededFor(em, input));
}

/** The permission that the person behind an event needs. The platform books what the bank did. */
async function neededFor(em: EntityManager, { event, state }: ApplyWithdrawalInput): Promise<Permission> {
  if (event.type === 'CANCELLED') return 'manage_money';
  if (event.type !== 'RESUMED') return 'platform';
  const { companyId, withdrawalId } = state.terms;
  return (await isHeldByPlatform(em, companyId, withdrawalId)) ? 'platform' : 'manage_money';
}

async function assertMayResume(em: EntityManager, terms: Withdrawal['terms']): Promise<void> {
  const reason = await findHoldBack(em, terms);
  if (reason !== null) throw new Refusal('wrong_state', `the payment is still held back: ${reason}`);
}

/** Books the postings of an event with the debts that it leaves or settles, and stores the event. */
async function book(
  em: EntityManager,
  input: ApplyWithdrawalInput,
  event: WithdrawalEvent,
  state: Withdrawal,
): Promise<void> {
  const { withdrawalId, companyId } = state.terms;
  const { externalReference: reference } = await em.findOneOrFail(WithdrawalRow, { companyId, id: withdrawalId });
  const undoing = await undoOf(em, event, state);
  const owed = await receivableOf(em, event, state);
  // The part of the payment that the account does not bear: a new debt, or one that a return takes back.
  const debtCents = event.type === 'SETTLED_LATE' ? (owed?.amountCents ?? 0n) : undoing.debtCents;
  await postAll(em, [
    ...input.postings.map((posting) => ({
      ...withReceivable(fromWire<Posting>(posting), state.terms, debtCents),
      reference,
    })),
    ...undoing.postings,
  ]);
  await undoing.record();
  if (owed !== null) await recordReceivable(em, owed);
  for (const { transactionId, status } of transactionStatuses(state))
    await setTransactionStatus(em, companyId, transactionId, status);
  await em.insert(WithdrawalEventRow, {
    withdrawalId,
    ...eventColumns(companyId, event, state),
    data: input.event,
  });
}

/** The receivable that the event settles as a whole: a payment that came back, or tax that is withheld again. */
async function undoOf(
  em: EntityManager,
  event: WithdrawalEvent,
  { terms, settlementId }: Withdrawal,
): Promise<Undoing> {
  if (event.type !== 'SETTLED_LATE' && event.type !== 'RETURNED') return NOTHING_UNDONE;
  const undone = event.type === 'SETTLED_LATE' ? event.owedTaxId : settlementId;
  return undone === null ? NOTHING_UNDONE : undoReceivable(em, terms.companyId, undone, event.transactionId);
}

/**
 * The debt that the event leaves: the part of a payment that the account's available balance does not cover, or tax that the TAX
 * account could not return.
 */
async function receivableOf(
  em: EntityManager,
  event: WithdrawalEvent,
  { terms }: Withdrawal,
): Promise<NewReceivable | null> {
  const { companyId, currency, accountId } = terms;
  const debt = { companyId, currency, depositId: null, escrowId: null };
  if (event.type === 'SETTLED_LATE') {
    await lockReceivables(em, companyId);
    const amountCents = debitCents(terms) - (await availableCents(em, companyId, accountId));
    return amountCents > 0n
      ? { ...debt, receivableId: event.transactionId, reason: 'PAYOUT', accountId, amountCents }
      : null;
  }
  if (event.type === 'RETURNED' && event.taxFrom === 'RECEIVABLE' && terms.taxCents > 0n)
    return {
      ...{ ...debt, receivableId: event.transactionId, reason: 'TAX', accountId: terms.taxAccountId },
      amountCents: terms.taxCents,
    };
  return null;
}

/** The administrator who orders it must be authorized here, because signals bypass the API's checks. */
async function assertPermitted(
  em: EntityManager,
  companyId: CompanyId,
  adminId: AdministratorId,
  permission: Permission,
): Promise<void> {
  const role = await findStaffRole(em, companyId, adminId);
  if (role === null) throw new Refusal('unknown_admin');
  if (!permits(role, permission)) throw new Refusal('forbidden');
}

async function insertWithdrawal(em: EntityManager, state: Withdrawal): Promise<void> {
  const { companyId, withdrawalId } = state.terms;
  const destination = await em.findOneOrFail(PayoutDestination, { companyId, id: withdrawalId });
  await em.insert(WithdrawalRow, newWithdrawalRow(state, destination));
}

/** Updates the row by one event. Throws SequenceConflict if another writer was faster. */
async function advanceWithdrawal(em: EntityManager, state: Withdrawal): Promise<void> {
  const changed = await em.nativeUpdate(
    WithdrawalRow,
    { companyId: state.terms.companyId, id: state.terms.withdrawalId, seq: state.seq - 1 },
    { status: state.status, seq: state.seq, state: toWire(state), updatedAt: new Date(state.updatedAt) },
  );
  if (changed === 0) throw new SequenceConflict();
}
