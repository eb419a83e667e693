import type { Api, ApiDependencies } from '../../context.ts';
import type { Guard } from '../../openapi/operation.ts';
import { registerAccounts } from './accounts.ts';
import { registerLedgerAdministration } from './administration.ts';
import { registerEscrowHistory } from './history.ts';
import { registerOverview } from './overview.ts';
import { registerPosition } from './position.ts';
import { registerStatement } from './statement.ts';
import { registerLedgerStats } from './stats.ts';
import { registerLedgerTransactions } from './transactions.ts';

/** The ledger's operations. Fixed paths come before those that begin with an id. */
export function registerLedger(app: Api, dependencies: ApiDependencies, guard: Guard): void {
  registerOverview(app, dependencies, guard);
  registerEscrowHistory(app, dependencies, guard);
  registerLedgerStats(app, dependencies, guard);
  registerPosition(app, dependencies, guard);
  registerAccounts(app, dependencies, guard);
  registerStatement(app, dependencies, guard);
  registerLedgerTransactions(app, dependencies, guard);
  registerLedgerAdministration(app, dependencies, guard);
}
