import type { Api, ApiDependencies } from '../../context.ts';
import type { Guard } from '../../openapi/operation.ts';
import { registerCaptures } from './captures.ts';
import { registerFeeConfigs } from './configs.ts';
import { registerIntercompany } from './intercompany.ts';
import { registerOutcomes } from './outcomes.ts';
import { registerWithdrawalQuote } from './quote.ts';
import { registerReceivables } from './receivables.ts';
import { registerReversal } from './reversal.ts';
import { registerWithdrawals } from './withdrawals.ts';

/** Money that enters or leaves the company. */
export function registerTreasury(app: Api, dependencies: ApiDependencies, guard: Guard): void {
  registerWithdrawals(app, dependencies, guard);
  registerWithdrawalQuote(app, dependencies, guard);
  registerOutcomes(app, dependencies, guard);
  registerCaptures(app, dependencies, guard);
  registerReversal(app, dependencies, guard);
  registerReceivables(app, dependencies, guard);
  registerFeeConfigs(app, dependencies, guard);
  registerIntercompany(app, dependencies, guard);
}
