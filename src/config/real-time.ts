import type { MikroORM } from '@mikro-orm/postgresql';
import { isAnyClockMoved } from '../db/identity/company-clock.ts';
import { StartupError } from './startup-error.ts';

/**
 * Checks that no test clock of a company was moved in this database. Production calls it: a moved clock would release money
 * before its time. An unreachable database passes, and readiness reports it.
 * @throws StartupError
 */
export async function requireRealTime(orm: MikroORM): Promise<void> {
  if (await isAnyClockMoved(orm))
    throw new StartupError(
      'A test clock was moved in this database, so it is one for tests: ESCROW_ENVIRONMENT=production refuses it. ' +
        'Name a database in which POST /v1/sandbox/clock was never used.',
    );
}
