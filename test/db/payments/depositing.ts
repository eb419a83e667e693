import { randomUUID } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import { depositAnswer } from '../../../src/api/routes/payments/deposits.ts';
import { createDepositor, type Depositor } from '../../../src/db/payments/deposits.ts';
import type { Once } from '../../../src/db/requests/request-store.ts';
import type { CommandId, CompanyId } from '../../../src/domain/ids.ts';

export function openDepositor(orm: MikroORM): Depositor {
  return createDepositor(orm, depositAnswer);
}

export const OPERATION = 'POST /v1/payments/deposit';

/** A request of the company, under a key of its own unless one is given. */
export function onceOf(companyId: CompanyId, commandId: CommandId, key: string = randomUUID()): Once {
  return {
    claim: { companyId, operation: OPERATION, key, fingerprint: Buffer.from('same'), commandId },
    auditLineOf: ({ status }) => ({
      ...{ companyId, actorKind: 'api_key', actorId: commandId, actorRole: 'ADMIN', operation: OPERATION },
      ...{ resource: null, status, ip: '127.0.0.1', requestId: key, source: 'API' },
    }),
  };
}
