import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { Refusal } from '../../domain/errors.ts';
import type { CommandId, CompanyId } from '../../domain/ids.ts';
import { MAX_CLOCK_AHEAD_HOURS } from '../../domain/time.ts';
import { isOutage } from '../core/database-errors.ts';

/** The test clock of a company: how far its time is ahead of real time. See docs/adr/0026. */

/** How far the company's time is ahead of real time, in milliseconds. 0 unless a tester moved it. */
export async function clockAheadMs(em: EntityManager, companyId: CompanyId): Promise<number> {
  const [row] = await em.execute<{ ahead: number }[]>('select company_ahead_ms(?) as ahead', [companyId]);
  return row?.ahead ?? 0;
}

/** The time with which the company's deadlines are compared. */
export async function companyNow(em: EntityManager, companyId: CompanyId): Promise<Date> {
  return new Date(Date.now() + (await clockAheadMs(em, companyId)));
}

/** Whether the clock of any company was moved. False if the database cannot be reached. */
export async function isAnyClockMoved(orm: MikroORM): Promise<boolean> {
  const rows = await orm.em
    .fork()
    .execute<{ moved: boolean }[]>('select is_any_clock_moved() as moved')
    .catch((error: unknown) => {
      if (isOutage(error)) return [];
      throw error;
    });
  return rows[0]?.moved ?? false;
}

/** Moves the company's time forward, once per command. Throws `wrong_state` if it would be too far ahead. */
export async function advanceClock(
  em: EntityManager,
  companyId: CompanyId,
  { hours, commandId }: { readonly hours: number; readonly commandId: CommandId },
): Promise<void> {
  await em.execute(
    `insert into company_clock as k (company_id, ahead, moved_by) values (?, make_interval(hours => ?), ?)
     on conflict (company_id) do update set ahead = k.ahead + excluded.ahead, moved_by = excluded.moved_by
     where k.moved_by <> excluded.moved_by`,
    [companyId, hours, commandId],
  );
  if ((await clockAheadMs(em, companyId)) > MAX_CLOCK_AHEAD_HOURS * 3_600_000)
    throw new Refusal('wrong_state', `the clock would be more than ${MAX_CLOCK_AHEAD_HOURS} hours ahead`);
}
