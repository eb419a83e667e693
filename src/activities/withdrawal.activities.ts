import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { FieldCipher } from '../db/core/field-cipher.ts';
import { SequenceConflict } from '../db/core/sequence-conflict.ts';
import { PayoutDestination, WithdrawalEventRow, WithdrawalRow } from '../db/entities/withdrawal.ts';
import { assertNotBlacklisted, postAll } from '../db/escrow/escrow-store.ts';
import { setTransactionStatus } from '../db/ledger/transaction-status.ts';
import type { CommandId, TransactionId, UserId } from '../domain/ids.ts';
import type { Posting } from '../domain/ledger/postings.ts';
import { fromWire, toWire, type Wire } from '../domain/wire.ts';
import { endToEndIdOf, maySend, type PayoutStatus } from '../domain/withdrawal/payout.ts';
import { transactionStatuses } from '../domain/withdrawal/postings.ts';
import type { Withdrawal, WithdrawalEvent } from '../domain/withdrawal/withdrawal.ts';
import { ProviderError } from '../providers/outcome.ts';
import type { PayoutBank, PayoutInstruction } from '../providers/payout/port.ts';
import type { ApplyOutcome, Snapshot, StoredEvent } from './contract.ts';
import { recordsOf } from './records.ts';

type Outcome = ApplyOutcome<Withdrawal, WithdrawalEvent>;

export type ApplyWithdrawalInput = {
  readonly event: Wire<WithdrawalEvent>;
  /** What `event` makes of the withdrawal. */
  readonly state: Wire<Withdrawal>;
  readonly postings: readonly Wire<Posting>[];
  readonly userId: UserId | null;
};

/** What the bank said, or that it said nothing: then it is asked again later. */
export type PayoutAnswer = PayoutStatus | { readonly kind: 'silent'; readonly outcome: ProviderError['outcome'] };

export interface WithdrawalActivities {
  loadWithdrawal(withdrawalId: TransactionId): Promise<Snapshot<Withdrawal>>;
  findWithdrawalEvent(withdrawalId: TransactionId, commandId: CommandId): Promise<StoredEvent<WithdrawalEvent> | null>;
  /** Writes event, row, postings and statuses in one transaction, or none of them. Safe to repeat. */
  applyWithdrawalEvent(input: ApplyWithdrawalInput): Promise<Outcome>;
  /**
   * Asks the bank what became of the payment; one that it never heard of is sent, if it may be (see `maySend`). Every
   * attempt asks first and sends the same, so that an answer that was lost costs nothing.
   */
  checkPayout(withdrawalId: TransactionId, mayResend: boolean): Promise<PayoutAnswer>;
}

export type PayoutDependencies = { readonly payout: PayoutBank; readonly cipher: FieldCipher };

export function createWithdrawalActivities(
  orm: MikroORM,
  { payout, cipher }: PayoutDependencies,
): WithdrawalActivities {
  const records = recordsOf<TransactionId, Withdrawal, WithdrawalEvent>(orm, 'withdrawal');
  return {
    loadWithdrawal: records.load,
    findWithdrawalEvent: records.findEvent,
    applyWithdrawalEvent: (input) => records.write(input.state.terms.withdrawalId, input, (em) => apply(em, input)),
    async checkPayout(withdrawalId, mayResend) {
      const em = orm.em.fork();
      const row = await em.findOneOrFail(WithdrawalRow, { id: withdrawalId });
      try {
        const status = await payout.status(endToEndIdOf(withdrawalId));
        if (status.kind !== 'unknown' || !maySend(fromWire<Withdrawal>(row.state), mayResend)) return status;
        return await payout.send(await instructionOf(em, cipher, row));
      } catch (error) {
        if (error instanceof ProviderError) return { kind: 'silent', outcome: error.outcome };
        throw error;
      }
    },
  };
}

async function instructionOf(em: EntityManager, cipher: FieldCipher, row: WithdrawalRow): Promise<PayoutInstruction> {
  const destination = await em.findOneOrFail(PayoutDestination, { id: row.id });
  return {
    endToEndId: endToEndIdOf(row.id),
    amountCents: BigInt(row.amount),
    currency: row.currency,
    createdAt: row.createdAt,
    reference: destination.externalReference,
    creditor: {
      name: destination.accountName,
      accountNumber: cipher.decrypt('payout_destination.account_number', row.id, destination.accountNumber),
      bankName: destination.bankName,
      branchCode: destination.branchCode,
    },
  };
}

async function apply(em: EntityManager, input: ApplyWithdrawalInput): Promise<Outcome> {
  const event = fromWire<WithdrawalEvent>(input.event);
  const state = fromWire<Withdrawal>(input.state);
  const { withdrawalId, companyId } = state.terms;
  // The row comes first: a reference that is taken is told before what the account lacks.
  if (event.type === 'REQUESTED') await insertWithdrawal(em, state);
  else await advanceWithdrawal(em, state);
  if (input.userId !== null) await assertNotBlacklisted(em, companyId, input.userId);
  const { externalReference: reference } = await em.findOneOrFail(WithdrawalRow, { id: withdrawalId });
  await postAll(
    em,
    input.postings.map((posting) => ({ ...fromWire<Posting>(posting), reference })),
  );
  for (const { transactionId, status } of transactionStatuses(state))
    await setTransactionStatus(em, transactionId, status);
  await em.insert(WithdrawalEventRow, {
    withdrawalId,
    seq: state.seq,
    companyId,
    commandId: event.commandId,
    type: event.type,
    actor: event.actor,
    at: new Date(event.at),
    status: state.status,
    data: input.event,
  });
  return { kind: 'applied', wake: [] };
}

async function insertWithdrawal(em: EntityManager, state: Withdrawal): Promise<void> {
  const { terms } = state;
  const destination = await em.findOneOrFail(PayoutDestination, { id: terms.withdrawalId });
  await em.insert(WithdrawalRow, {
    id: terms.withdrawalId,
    companyId: terms.companyId,
    accountId: terms.accountId,
    status: state.status,
    seq: state.seq,
    currency: terms.currency,
    amount: terms.amountCents,
    taxAmount: terms.taxCents,
    externalReference: destination.externalReference,
    state: toWire(state),
    createdAt: new Date(state.createdAt),
    updatedAt: new Date(state.updatedAt),
  });
}

/** Moves the row on by one event. Throws where others were faster. */
async function advanceWithdrawal(em: EntityManager, state: Withdrawal): Promise<void> {
  const changed = await em.nativeUpdate(
    WithdrawalRow,
    { id: state.terms.withdrawalId, seq: state.seq - 1 },
    { status: state.status, seq: state.seq, state: toWire(state), updatedAt: new Date(state.updatedAt) },
  );
  if (changed === 0) throw new SequenceConflict();
}
