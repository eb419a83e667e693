import { createHash } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import { Refusal } from '../../domain/errors.ts';

/** Five wrong passwords in a quarter of an hour, for one e-mail from one address: then it waits. Counted in the database. */
const MAX_FAILURES = 5;
const WINDOW = '15 minutes';

export type LoginGuard = {
  /** Throws `too_many_requests` where there were too many failures. */
  readonly admit: () => Promise<void>;
  readonly failed: () => Promise<void>;
  readonly succeeded: () => Promise<void>;
};

export function loginGuard(orm: MikroORM, email: string, address: string): LoginGuard {
  const key = createHash('sha256').update(`${email.toLowerCase()}\n${address}`).digest();
  const em = orm.em.fork();
  return {
    async admit() {
      const [row] = await em.execute<{ seconds: number }[]>('select login_wait(?, ?) as seconds', [key, MAX_FAILURES]);
      const retryAfterSeconds = row?.seconds ?? 0;
      if (retryAfterSeconds > 0)
        throw new Refusal('too_many_requests', 'too many failed logins', { retryAfterSeconds });
    },
    async failed() {
      await em.execute('select login_failed(?, ?::interval)', [key, WINDOW]);
    },
    async succeeded() {
      await em.execute('select login_succeeded(?)', [key]);
    },
  };
}
