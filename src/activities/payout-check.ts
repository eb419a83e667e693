import type { MikroORM } from '@mikro-orm/postgresql';
import type { FieldCipher } from '../db/core/field-cipher.ts';
import type { MessageProof } from '../db/core/message-proof.ts';
import { WithdrawalRow } from '../db/entities/withdrawal.ts';
import { boundTo } from '../db/treasury/bank-details.ts';
import {
  BooksDisagree,
  beginAttempt,
  forgetAttempt,
  type PayoutAttempt,
  readAttempts,
} from '../db/treasury/payout-attempts.ts';
import type { CommandId, CompanyId, TransactionId } from '../domain/ids.ts';
import { fromWire } from '../domain/messages/wire.ts';
import type { Instant } from '../domain/time.ts';
import { type BankAnswer, interpret, type PayoutStatus } from '../domain/withdrawal/bank-reports.ts';
import { endToEndIdOf, instructionIdOf, maySend } from '../domain/withdrawal/payout.ts';
import type { Withdrawal } from '../domain/withdrawal/withdrawal.ts';
import type { PayoutBank, PayoutInstruction } from '../providers/payout/port.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { signing, type Told } from './records.ts';

/** The conversation with the bank about one payment: what became of it, and the instruction to make it. */

/** The bank's answer, or no answer, so that the bank is asked again later. */
export type PayoutAnswer =
  | PayoutStatus
  | { readonly kind: 'silent'; readonly outcome: ProviderError['outcome'] }
  /** The bank was not asked: the destination is new, and the payment waits. */
  | { readonly kind: 'waits'; readonly until: Instant };

export type PayoutCheck = {
  /**
   * Requests the state of the payment from the bank, and sends the payment if the bank does not know it and `maySend` allows
   * it. Every attempt checks first, and is counted before it is sent. `commandId`: the command for which the run asks.
   */
  readonly checkPayout: (
    companyId: CompanyId,
    withdrawalId: TransactionId,
    mayResend: boolean,
    commandId?: CommandId,
  ) => Promise<Told<PayoutAnswer>>;
};

export type PayoutDependencies = {
  readonly payout: PayoutBank;
  readonly cipher: FieldCipher;
  readonly proof: MessageProof;
  /** Called if the books do not agree on a payout that is about to be sent. */
  readonly onMismatch: (error: BooksDisagree) => void;
};

export function createPayoutCheck(
  orm: MikroORM,
  { payout, cipher, proof, onMismatch }: PayoutDependencies,
): PayoutCheck {
  const told = signing(proof);
  return {
    async checkPayout(companyId, withdrawalId, mayResend, commandId) {
      return told('checkPayout', withdrawalId, commandId, await check(companyId, withdrawalId, mayResend));
    },
  };

  async function check(companyId: CompanyId, withdrawalId: TransactionId, mayResend: boolean): Promise<PayoutAnswer> {
    const em = orm.em.fork();
    const row = await em.findOneOrFail(WithdrawalRow, { companyId, id: withdrawalId });
    const state = fromWire<Withdrawal>(row.state);
    const { attempts, waitsUntil } = await readAttempts(em, companyId, withdrawalId);
    if (state.status === 'PROCESSING' && attempts === 0 && waitsUntil !== null) return waits(waitsUntil);
    const sent = { attempts, acceptedAttempt: state.acceptedAttempt };
    try {
      const answer = await payout.status(endToEndIdOf(withdrawalId));
      if (answer.kind !== 'unknown' || !maySend(state, sent.attempts, mayResend)) return interpret(answer, sent);
      const attempt = await orm.em.fork().transactional((own) => beginAttempt(own, companyId, withdrawalId));
      if (attempt.kind === 'ended') return { kind: 'unknown' };
      if (attempt.kind === 'waits') return waits(attempt.until);
      if (attempt.kind === 'held') return { kind: 'pending', attempt: null, concern: attempt.reason };
      return interpret(await send(attempt), { ...sent, attempts: attempt.attempt });
    } catch (error) {
      if (error instanceof ProviderError) return { kind: 'silent', outcome: error.outcome };
      if (!(error instanceof BooksDisagree)) throw error;
      onMismatch(error);
      return { kind: 'pending', attempt: null, concern: 'books_disagree' };
    }
  }

  /** Sends a payment that was counted. If it certainly did not reach the bank, it is uncounted. */
  async function send(attempt: PayoutAttempt): Promise<BankAnswer> {
    try {
      return await payout.send(instructionOf(cipher, attempt));
    } catch (error) {
      if (error instanceof ProviderError && error.outcome === 'unreachable')
        await forgetAttempt(orm.em.fork(), attempt.terms, attempt.attempt);
      throw error;
    }
  }
}

const waits = (until: Date) => ({ kind: 'waits', until: until.toISOString() }) as const;

function instructionOf(cipher: FieldCipher, { terms, attempt, requestedAt, ...to }: PayoutAttempt): PayoutInstruction {
  const { withdrawalId, amountCents, currency } = terms;
  const endToEndId = endToEndIdOf(withdrawalId);
  return {
    endToEndId,
    instructionId: instructionIdOf(endToEndId, attempt),
    amountCents,
    currency,
    createdAt: requestedAt,
    reference: to.externalReference,
    creditor: {
      name: to.accountName,
      accountNumber: cipher.decrypt('payout_destination.account_number', withdrawalId, to.accountNumber, boundTo(to)),
      bankName: to.bankName,
      branchCode: to.branchCode,
    },
  };
}
