import type { Api } from '../app.ts';
import type { ApiDependencies } from '../context.ts';
import type { Guard } from '../operation.ts';
import { registerAdministrators } from './administrators.ts';
import { registerApiKeys } from './api-keys.ts';
import { registerAuth } from './auth.ts';
import { registerCompanies } from './companies.ts';
import { registerDisputes } from './escrow/dispute.ts';
import { registerInitiate } from './escrow/initiate.ts';
import { registerLifecycle } from './escrow/lifecycle.ts';
import { registerNegotiation } from './escrow/negotiation.ts';
import { registerEscrowReads } from './escrow/reads.ts';
import { registerHealth } from './health.ts';
import { registerIdentityAdmin } from './identity/admin.ts';
import { registerDocuments } from './identity/documents.ts';
import { registerInstitutions } from './identity/institutions.ts';
import { registerLinkId } from './identity/link-id.ts';
import { registerNewUser } from './identity/new-user.ts';
import { registerUsers } from './identity/users.ts';
import { registerLedger } from './ledger.ts';
import { registerMessaging } from './messaging.ts';
import { registerDeposits } from './deposits.ts';

/** Every operation. The order matters only where a fixed path could be taken for an id. */
export function registerRoutes(app: Api, dependencies: ApiDependencies, guard: Guard): void {
  registerHealth(app, dependencies);
  registerAuth(app, dependencies, guard);
  registerCompanies(app, dependencies, guard);
  registerAdministrators(app, dependencies, guard);
  registerApiKeys(app, dependencies, guard);
  registerUsers(app, dependencies, guard);
  registerNewUser(app, dependencies, guard);
  registerDocuments(app, dependencies, guard);
  registerLinkId(app, dependencies, guard);
  registerInstitutions(app, dependencies, guard);
  registerIdentityAdmin(app, dependencies, guard);
  registerDeposits(app, dependencies, guard);
  registerLedger(app, dependencies, guard);
  registerInitiate(app, dependencies, guard);
  registerEscrowReads(app, dependencies, guard);
  registerLifecycle(app, dependencies, guard);
  registerNegotiation(app, dependencies, guard);
  registerDisputes(app, dependencies, guard);
  registerMessaging(app, dependencies);
}
