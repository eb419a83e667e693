import type { ApiDependencies } from '../../context.ts';
import type { Operations } from '../../operation.ts';
import { registerCaptures } from './captures.ts';
import { registerFeeConfigs } from './configs.ts';
import { registerIntercompany } from './intercompany.ts';
import { registerOutcomes } from './outcomes.ts';
import { registerWithdrawalQuote } from './quote.ts';
import { registerReceivables } from './receivables.ts';
import { registerReversal } from './reversal.ts';
import { registerWithdrawals } from './withdrawals.ts';

/** Money that enters or leaves the company. */
export function registerTreasury(operation: Operations, dependencies: ApiDependencies): void {
  registerWithdrawals(operation, dependencies);
  registerWithdrawalQuote(operation, dependencies);
  registerOutcomes(operation, dependencies);
  registerCaptures(operation, dependencies);
  registerReversal(operation, dependencies);
  registerReceivables(operation, dependencies);
  registerFeeConfigs(operation, dependencies);
  registerIntercompany(operation, dependencies);
}
