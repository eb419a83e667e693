import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { AccountId, CommandId, CompanyId, TransactionId } from '../../domain/ids.ts';
import { toWire, type Wire } from '../../domain/messages/wire.ts';
import type { Currency } from '../../domain/money.ts';
import type { Source } from '../../domain/source.ts';
import type { Withdrawal, WithdrawalEvent, WithdrawalStatus } from '../../domain/withdrawal/withdrawal.ts';
import type { EncryptedText } from '../core/field-cipher.ts';
import type { FullRow } from '../core/read-model.ts';

export const WithdrawalRow = defineEntity({
  name: 'WithdrawalRow',
  tableName: 'withdrawal',
  properties: {
    id: p.uuid().primary().$type<TransactionId>(),
    companyId: p.uuid().$type<CompanyId>(),
    accountId: p.uuid().$type<AccountId>(),
    status: p.text().$type<WithdrawalStatus>(),
    seq: p.integer(),
    currency: p.text().$type<Currency>(),
    amountCents: p.bigint(),
    taxCents: p.bigint(),
    externalReference: p.text(),
    state: p.json<Wire<Withdrawal>>(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export type WithdrawalRow = InferEntity<typeof WithdrawalRow>;

export const WithdrawalEventRow = defineEntity({
  name: 'WithdrawalEventRow',
  tableName: 'withdrawal_event',
  properties: {
    withdrawalId: p.uuid().primary().$type<TransactionId>(),
    seq: p.integer().primary(),
    companyId: p.uuid().$type<CompanyId>(),
    commandId: p.uuid().$type<CommandId>(),
    type: p.text().$type<WithdrawalEvent['type']>(),
    actor: p.text().$type<WithdrawalEvent['actor']>(),
    at: p.datetime(),
    status: p.text().$type<WithdrawalStatus>(),
    data: p.json<Wire<WithdrawalEvent>>(),
    source: p.text().$type<Source>(),
  },
});

/** The destination of a withdrawal's money. */
export const PayoutDestination = defineEntity({
  name: 'PayoutDestination',
  tableName: 'payout_destination',
  properties: {
    id: p.uuid().primary().$type<TransactionId>(),
    companyId: p.uuid().$type<CompanyId>(),
    externalReference: p.text(),
    bankName: p.text(),
    branchCode: p.text(),
    accountNumber: p.text().$type<EncryptedText>().nullable(),
    accountName: p.text(),
    attempts: p.integer().default(0),
    notBefore: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
});
export type PayoutDestination = InferEntity<typeof PayoutDestination>;

/** The row of a new withdrawal. */
export function newWithdrawalRow(
  state: Withdrawal,
  { externalReference }: Pick<PayoutDestination, 'externalReference'>,
): FullRow<WithdrawalRow> {
  const { withdrawalId, companyId, accountId, currency, amountCents, taxCents } = state.terms;
  return {
    ...{ id: withdrawalId, companyId, accountId, currency, amountCents, taxCents },
    externalReference,
    status: state.status,
    seq: state.seq,
    state: toWire(state),
    createdAt: new Date(state.createdAt),
    updatedAt: new Date(state.updatedAt),
  };
}
