import type { MikroORM } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import { textArray } from '../db/core/bound.ts';
import { isOutage } from '../db/core/outage.ts';

/** Settings of PostgreSQL without which a failover may lose acknowledged commands, or sessions outlive their clients. */

/** With the system's default of two hours, a session of a client that is gone keeps its locks that long. */
const MAX_KEEPALIVE_S = 60;

const isOn = (value: string) => value === 'on';
const isLimited = (value: string) => value !== '0';

/** Setting → whether a value is fit. */
const FIT = {
  fsync: isOn,
  full_page_writes: isOn,
  synchronous_commit: (value) => value === 'on' || value === 'remote_apply',
  synchronous_standby_names: (value) => value !== '',
  statement_timeout: isLimited,
  lock_timeout: isLimited,
  idle_in_transaction_session_timeout: isLimited,
  tcp_keepalives_idle: (value) => isLimited(value) && Number(value) <= MAX_KEEPALIVE_S,
} as const satisfies Record<string, (value: string) => boolean>;

export type Setting = { readonly name: keyof typeof FIT; readonly value: string };

/** The settings of this role's sessions that are not fit for production. None if the database cannot be reached. */
export async function findUnfitSettings(orm: MikroORM): Promise<readonly Setting[]> {
  const settings = await orm.em
    .fork()
    .execute<Setting[]>('select name, setting as value from pg_settings where name = any(?::text[]) order by name', [
      textArray(Object.keys(FIT)),
    ])
    .catch((error: unknown) => {
      if (isOutage(error)) return [];
      throw error;
    });
  return settings.filter(({ name, value }) => !FIT[name](value));
}

/** Production starts with such settings too: an operator may accept the loss of the last seconds. */
export async function warnAboutSettings(orm: MikroORM, log: Logger): Promise<void> {
  for (const setting of await findUnfitSettings(orm))
    log.warn(setting, 'a failover needs another value of this setting: docs/operations/failover.md');
}
