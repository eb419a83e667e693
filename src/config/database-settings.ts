import type { MikroORM } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import { textArray } from '../db/core/bound.ts';
import { isOutage } from '../db/core/database-errors.ts';

/** Settings of PostgreSQL without which a failover may lose acknowledged commands, or sessions outlive their clients. */

type Values = Readonly<Record<string, string>>;
type Rule = {
  /** The value for production, as docs/operations/failover.md has it. */
  readonly wanted: string;
  readonly isFit: (value: string, all: Values) => boolean;
};

const ON: Rule = { wanted: 'on', isFit: (value) => value === 'on' };
const LIMITED: Rule = { wanted: 'above 0', isFit: (value) => value !== '0' };

/** A session of a client that is gone keeps its locks until the last of these probes: 45 s. The system's default is over two hours. */
const KEEPALIVES = { idleS: 30, intervalS: 5, count: 3 } as const;

/** The part of a keepalive that is too long fits nevertheless if the others are shorter. */
function keepalive(wanted: number): Rule {
  return {
    wanted: `at most ${wanted}`,
    isFit: (value, all) =>
      value !== '0' &&
      (Number(value) <= wanted || keepaliveOf(all) <= KEEPALIVES.idleS + KEEPALIVES.intervalS * KEEPALIVES.count),
  };
}

function keepaliveOf(all: Values): number {
  const part = (name: 'idle' | 'interval' | 'count') => Number(all[`tcp_keepalives_${name}`]);
  return part('idle') + part('interval') * part('count');
}

const RULES = {
  fsync: ON,
  full_page_writes: ON,
  synchronous_commit: { wanted: 'on', isFit: (value) => value === 'on' || value === 'remote_apply' },
  synchronous_standby_names: { wanted: 'the standbys', isFit: (value) => value !== '' },
  statement_timeout: LIMITED,
  lock_timeout: LIMITED,
  idle_in_transaction_session_timeout: LIMITED,
  tcp_keepalives_idle: keepalive(KEEPALIVES.idleS),
  tcp_keepalives_interval: keepalive(KEEPALIVES.intervalS),
  tcp_keepalives_count: keepalive(KEEPALIVES.count),
} as const satisfies Record<string, Rule>;

type Setting = { readonly name: keyof typeof RULES; readonly value: string; readonly wanted: string };

/** The settings of this role's sessions that are not fit for production. None if the database cannot be reached. */
export async function findUnfitSettings(orm: MikroORM): Promise<readonly Setting[]> {
  const settings = await orm.em
    .fork()
    .execute<Omit<Setting, 'wanted'>[]>(
      'select name, setting as value from pg_settings where name = any(?::text[]) order by name',
      [textArray(Object.keys(RULES))],
    )
    .catch((error: unknown) => {
      if (isOutage(error)) return [];
      throw error;
    });
  const all: Values = Object.fromEntries(settings.map(({ name, value }) => [name, value]));
  return settings
    .filter(({ name, value }) => !RULES[name].isFit(value, all))
    .map((setting) => ({ ...setting, wanted: RULES[setting.name].wanted }));
}

/** Production starts with such settings too: an operator may accept the loss of the last seconds. */
export async function warnAboutSettings(orm: MikroORM, log: Logger): Promise<void> {
  for (const setting of await findUnfitSettings(orm))
    log.warn(setting, 'a failover needs another value of this setting: docs/operations/failover.md');
}
