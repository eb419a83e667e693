import type { ConsolePage } from '../page.ts';
import { actForPage } from './act-for.ts';
import { clockPage } from './clock.ts';
import { administrators } from './company/administrators.ts';
import { audit } from './company/audit.ts';
import { keys } from './company/keys.ts';
import { settings } from './company/settings.ts';
import { disputePage, splitPreviewPage } from './disputes/dispute.ts';
import { disputesExport, disputesPage } from './disputes/queue.ts';
import { assignmentPage, disputeNotesPage } from './disputes/staff.ts';
import { LIFECYCLE_PAGES } from './escrows/actions.ts';
import { escrowPage, filePage } from './escrows/escrow.ts';
import { ITEM_ACTIONS } from './escrows/items.ts';
import { escrowsExport, escrowsPage } from './escrows/list.ts';
import { PROPOSAL_PAGES } from './escrows/proposals.ts';
import { runPage } from './escrows/run.ts';
import { eventPages } from './events.ts';
import { account, statementFile } from './ledger/account.ts';
import { accounts } from './ledger/accounts.ts';
import { bankDetails, bankDetailsHistory } from './ledger/bank-details.ts';
import { reportFile, reports } from './ledger/reports.ts';
import { transaction, transactions } from './ledger/transactions.ts';
import { one as link } from './links/link.ts';
import { list as links } from './links/list.ts';
import { linkTotal, made as newLink } from './links/new.ts';
import { overviewPage } from './overview.ts';
import { passwordPage } from './password.ts';
import { companies } from './platform/companies.ts';
import { state } from './platform/state.ts';
import { bank } from './receipts/bank.ts';
import { list as receipts } from './receipts/list.ts';
import { made as newReceipt } from './receipts/new.ts';
import { one as receipt } from './receipts/receipt.ts';
import { owed } from './receipts/receivables.ts';
import { searchPage } from './search.ts';
import { secondFactorPage } from './second-factor.ts';
import { sessionsPage } from './sessions.ts';
import { made as newUser, list as users } from './users/list.ts';
import { exported as userExport } from './users/personal.ts';
import { identityPages } from './users/queue.ts';
import { one as user, document as userDocument } from './users/user.ts';
import { endpoint } from './webhooks/endpoint.ts';
import { endpoints, newEndpoint } from './webhooks/list.ts';
import { list as withdrawals } from './withdrawals/list.ts';
import { made as newWithdrawal } from './withdrawals/new.ts';
import { one as withdrawal } from './withdrawals/withdrawal.ts';
import { workPages } from './work.ts';

/** The company: its keys, administrators, settings, fees and audit log. */
export const companyPages: readonly ConsolePage[] = [...keys, ...administrators, settings, ...audit];

const DISPUTE_PAGES: readonly ConsolePage[] = [
  disputesPage,
  disputesExport,
  disputePage,
  splitPreviewPage,
  assignmentPage,
  disputeNotesPage,
];

const ESCROW_PAGES: readonly ConsolePage[] = [
  escrowsPage,
  escrowsExport,
  escrowPage,
  filePage,
  runPage,
  ...LIFECYCLE_PAGES,
  ...ITEM_ACTIONS,
  ...PROPOSAL_PAGES,
];

/** The ledger: the company's accounts, one account with its statement, reports; of a ledger, bank details and transactions. */
export const ledgerPages: readonly ConsolePage[] = [
  ...[...accounts, account, statementFile],
  ...[reports, reportFile],
  ...[...bankDetailsHistory, bankDetails],
  ...[...transactions, transaction],
];

/** Payment links: the links, one link with its attempts, and a new one. */
export const linkPages: readonly ConsolePage[] = [...links, newLink, linkTotal, link];

/** The platform's own pages: the state of the service, and all companies. */
const platformPages: readonly ConsolePage[] = [state, ...companies];

/** Money that the bank reported, money whose owner is unknown, and money that others owe the company. */
export const receiptPages: readonly ConsolePage[] = [...receipts, newReceipt, receipt, bank, ...owed];

/** Users: search, one user with accounts and userDocument, the queue of identities to approve. */
export const userPages: readonly ConsolePage[] = [...users, newUser, userDocument, userExport, user, ...identityPages];

/** Webhook endpoints: the list, a new one, and one with its deliveries. */
export const webhookPages: readonly ConsolePage[] = [...endpoints, newEndpoint, endpoint];

/** Withdrawals: the withdrawals, one with what the bank said, and a new one with its quote. */
export const withdrawalPages: readonly ConsolePage[] = [...withdrawals, newWithdrawal, withdrawal];

/**
 * Every page of the console, in the order of the menu. Routes, the menu and the access tests are made from this table. A path
 * without parameters stands before the paths that would match it.
 */
export const PAGES: readonly ConsolePage[] = [
  overviewPage,
  ...workPages,
  ...ESCROW_PAGES,
  ...DISPUTE_PAGES,
  ...linkPages,
  ...userPages,
  ...ledgerPages,
  ...withdrawalPages,
  ...receiptPages,
  ...eventPages,
  ...webhookPages,
  ...companyPages,
  clockPage,
  searchPage,
  actForPage,
  ...platformPages,
  passwordPage,
  secondFactorPage,
  sessionsPage,
];
