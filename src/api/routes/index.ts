import type { Api } from '../app.ts';
import type { ApiDependencies } from '../context.ts';
import type { Guard } from '../operation.ts';
import { registerAdministrators } from './administrators.ts';
import { registerApiKeys } from './api-keys.ts';
import { registerAuth } from './auth.ts';
import { registerCompanies } from './companies.ts';
import { registerDeposits } from './deposits.ts';
import { registerDisputes } from './escrow/dispute.ts';
import { registerInitiate } from './escrow/initiate.ts';
import { registerLifecycle } from './escrow/lifecycle.ts';
import { registerNegotiation } from './escrow/negotiation.ts';
import { registerEscrowReads } from './escrow/reads.ts';
import { registerHealth } from './health.ts';
import { registerLedger } from './ledger.ts';
import { registerUsers } from './users.ts';

/** Every operation. The order matters only where a fixed path could be taken for an id. */
export function registerRoutes(app: Api, dependencies: ApiDependencies, guard: Guard): void {
  registerHealth(app, dependencies);
  registerAuth(app, dependencies, guard);
  registerCompanies(app, dependencies, guard);
  registerAdministrators(app, dependencies, guard);
  registerApiKeys(app, dependencies, guard);
  registerUsers(app, dependencies, guard);
  registerDeposits(app, dependencies, guard);
  registerLedger(app, dependencies, guard);
  registerInitiate(app, dependencies, guard);
  registerEscrowReads(app, dependencies, guard);
  registerLifecycle(app, dependencies, guard);
  registerNegotiation(app, dependencies, guard);
  registerDisputes(app, dependencies, guard);
}
