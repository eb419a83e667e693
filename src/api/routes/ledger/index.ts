import type { ApiDependencies } from '../../context.ts';
import type { Operations } from '../../operation.ts';
import { registerAccounts } from './accounts.ts';
import { registerLedgerAdministration } from './administration.ts';
import { registerEscrowHistory } from './history.ts';
import { registerOverview } from './overview.ts';
import { registerPosition } from './position.ts';
import { registerStatement } from './statement.ts';
import { registerLedgerStats } from './stats.ts';
import { registerLedgerTransactions } from './transactions.ts';

/** The ledger's operations. Fixed paths come before those that begin with an id. */
export function registerLedger(operation: Operations, dependencies: ApiDependencies): void {
  registerOverview(operation, dependencies);
  registerEscrowHistory(operation, dependencies);
  registerLedgerStats(operation, dependencies);
  registerPosition(operation, dependencies);
  registerAccounts(operation, dependencies);
  registerStatement(operation, dependencies);
  registerLedgerTransactions(operation, dependencies);
  registerLedgerAdministration(operation, dependencies);
}
