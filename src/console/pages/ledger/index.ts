import type { ConsolePage } from '../../page.ts';
import { account, statementFile } from './account.ts';
import { accounts } from './accounts.ts';
import { transaction, transactions } from './transactions.ts';

/** The ledger: the company's accounts, one account with its statement, the transactions of a ledger with their entries. */
export const ledgerPages: readonly ConsolePage[] = [...accounts, account, statementFile, ...transactions, transaction];
