import { writeBankFile } from '../bank-writer.ts';
import { BANK, type Outside, type People } from './cast.ts';
import type { Recorder } from './recorder.ts';

/** The part of the first integration about books, debts, banks and the platform. */

export async function readTheBooks(record: Recorder, { buyer, seller, sellerAccountId }: People): Promise<void> {
  await record('listUserAccounts', { path: { userId: seller.id } });
  await record('listCompanyAccounts', { query: { limit: '2' } });
  await record('getAccount', { path: { accountId: sellerAccountId } });
  await record('getLedgerOverview', { path: { ledgerId: seller.ledgerId } });
  await record('listLedgerTransactions', {
    path: { ledgerId: buyer.ledgerId },
    query: { type: 'DEPOSIT', limit: '2' },
  });
  await record('getStatement', { path: { accountId: sellerAccountId } });
  await record('listEscrowHistory', { query: { limit: '2' } });
  await record('setAccountFrozen', {
    path: { accountId: sellerAccountId },
    body: { is_frozen: true, reason: 'Asked for by the bank' },
  });
  await record('setAccountFrozen', {
    example: 'thaw',
    path: { accountId: sellerAccountId },
    body: { is_frozen: false, reason: 'Cleared by the bank' },
  });
  await record('getSystemStats', {});
  await record('getPosition', {});
  const [year, month] = [new Date().getUTCFullYear(), new Date().getUTCMonth()];
  const twoMonths = {
    startDate: new Date(Date.UTC(year, month - 1, 1)).toISOString(),
    endDate: new Date(Date.UTC(year, month + 1, 1) - 1).toISOString(), // the end of this month
  };
  await record('getTrialBalance', {});
  await record('getLiabilities', {});
  await record('getRevenue', {});
  await record('getCashflow', { query: { interval: 'month', currency: 'USD', ...twoMonths } });
  await record('verifyLedgerIntegrity', {});
  await record('listAuditLog', { query: { operation: 'POST /v1/escrow/{id}/admin-resolve' } });
}

/** A deposit whose money was spent is charged back, and the debt is settled later. */
export async function chargeBack(record: Recorder, { buyer, buyerAccountId }: People): Promise<void> {
  const deposit = await record.quietly('createDeposit', {
    body: { userId: buyer.id, amount: 2_500, currency: 'USD', externalReference: 'card-of-a-stranger' },
  });
  const freeze = (isFrozen: boolean) =>
    record.quietly('setAccountFrozen', {
      path: { accountId: buyerAccountId },
      body: { is_frozen: isFrozen, reason: 'Suspected fraud' },
    });
  await freeze(true);
  await record.quietly('reverseDeposit', {
    path: { id: deposit.id },
    body: { reason: 'The bank of the card took it back', isChargeback: true },
  });
  await freeze(false);
  const { data } = await record('listReceivables', { query: { status: 'OPEN' } });
  await record('settleReceivable', {
    path: { id: data[0].id },
    body: { source: 'BALANCE', amount: 2_500, reason: 'The user agreed' },
  });
}

export async function moveMoneyToBanks(
  record: Recorder,
  outside: Outside,
  { buyer, seller, sellerAccountId }: People,
): Promise<void> {
  const receipt = await record('captureReceipt', {
    body: { amount: 7_500, currency: 'USD', reference: 'Invoice 77, thank you' },
  });
  await record('listCaptures', { query: { matchedTo: 'SUSPENSE' } });
  await record('assignCapture', { path: { id: receipt.id }, body: { userId: buyer.id } });
  const day = new Date().toISOString().slice(0, 10);
  for (const before of ['', 'S-']) record.hideWord(`${before}${day}`, `${before}2026-01-31`);
  const bankFile = writeBankFile({
    day,
    opening: '0.00',
    lines: [
      { amount: '75.00', sign: 'CRDT', ref: 'B-1', text: 'Invoice 77, thank you' },
      { amount: '2.50', sign: 'DBIT', ref: 'B-2', text: 'Account charges' },
    ],
  });
  const statement = await record('addBankStatement', { bankFile });
  await record('listBankStatements', {});
  const { lines } = await record('getBankStatement', { path: { id: statement.id }, query: { status: 'OPEN' } });
  await record('matchBankEntry', { path: { id: lines[0].id }, body: { kind: 'FEE' } });
  await record('getBankReconciliation', {});
  await record('setBankDetails', { path: { ledgerId: seller.ledgerId }, body: BANK });
  await record('getBankDetails', { path: { ledgerId: seller.ledgerId } });
  await approveDetails(record, outside, seller.ledgerId);
  await outside.bankWaits();
  await stopPayouts(record, outside, sellerAccountId);
  await record('quoteWithdrawal', { body: { accountId: sellerAccountId, amount: 20_000 } });
  const payout = await record('createWithdrawal', {
    body: { accountId: sellerAccountId, amount: 20_000, externalReference: 'payout-1', ...BANK },
  });
  await record('createWithdrawal', {
    example: 'toDefaultBankDetails',
    body: { accountId: sellerAccountId, amount: 1_000, externalReference: 'payout-2' },
  });
  // Otherwise the list may come before or after the payment is sent, as may the outcome, and the examples differ.
  await record.quietly('getWithdrawal', {
    path: { id: payout.id },
    until: ({ timeline }) => timeline.some(({ event }: { event: string }) => event === 'SUBMITTED'),
  });
  await record('listWithdrawals', { query: { externalReference: 'payout-1' } });
  const { userId: platformAdminId } = await record.quietly('logIn', {
    as: 'nobody',
    body: { email: outside.platform.email, password: outside.platform.password },
  });
  await record('setWithdrawalOutcome', {
    as: 'platform',
    path: { id: payout.id },
    body: { outcome: 'PAID', adminId: platformAdminId },
  });
  await record('getWithdrawal', { path: { id: payout.id } });
}

/** A second administrator, here of the platform, ends the wait of new bank details. */
async function approveDetails(record: Recorder, outside: Outside, ledgerId: string): Promise<void> {
  await outside.detailsWait(ledgerId);
  const { email, password } = outside.platform;
  const { accessToken } = await record.quietly('logIn', { as: 'nobody', body: { email, password } });
  const { id: companyId } = await record.quietly('getCompany', {});
  const headers = { authorization: `Bearer ${accessToken}`, 'x-company-id': companyId };
  await record('approveBankDetails', { as: 'nobody', headers, path: { ledgerId } });
  await record('listBankDetails', { path: { ledgerId } });
}

/** While the bank is away, one payment is cancelled, and one held back and resumed. */
async function stopPayouts(record: Recorder, outside: Outside, accountId: string): Promise<void> {
  const freeze = (isFrozen: boolean) =>
    record.quietly('setAccountFrozen', { path: { accountId }, body: { is_frozen: isFrozen, reason: 'A court order' } });
  const request = (externalReference: string) =>
    record.quietly('createWithdrawal', { body: { accountId, amount: 500, externalReference, ...BANK } });
  await outside.bankIsAway(true);
  const cancelled = await request('payout-of-a-mistake');
  await record('cancelWithdrawal', { path: { id: cancelled.id }, body: { reason: 'The wrong amount' } });
  const held = await request('payout-held-back');
  await freeze(true);
  await outside.bankIsAway(false);
  const path = { id: held.id };
  await record.quietly('getWithdrawal', { path, until: ({ review_reason }) => review_reason !== null });
  await outside.bankIsAway(true);
  await freeze(false);
  await record('resumeWithdrawal', { path });
  await record.quietly('cancelWithdrawal', { path, body: {} });
  await outside.bankIsAway(false);
}

export async function platformDecides(record: Recorder, { buyer }: People): Promise<void> {
  await record('listUsersForPlatform', { as: 'platform', query: { search: 'bea', status: 'PENDING' } });
  await record('approveUser', { as: 'platform', path: { id: buyer.id }, body: { approved: true } });
  await record('setUserStatus', { as: 'platform', path: { id: buyer.id }, body: { status: 'CLEAR' } });
  await record('listCompanies', { as: 'platform', query: { search: 'green' } });
  await record('getServiceState', { as: 'platform' });
  const { data } = await record('listIntercompanyDebts', { as: 'platform' });
  const [debt] = data;
  await record('settleIntercompanyDebt', {
    as: 'platform',
    path: { companyId: debt.companyId },
    body: { currency: debt.currency, reference: 'fees-2026-01' },
  });
}
