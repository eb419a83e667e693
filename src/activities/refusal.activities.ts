import type { MikroORM } from '@mikro-orm/postgresql';
import { findRefusal, keepRefusal } from '../db/operations/refused-commands.ts';
import type { Refused } from '../domain/entity.ts';
import type { CommandId } from '../domain/ids.ts';
import type { Settled } from './contract.ts';
import { findEventOf, type RecordKind } from './records.ts';

export interface RefusalActivities {
  /**
   * Refuses a command permanently. If the command came before, returns the decision of that time: the event, or the first
   * refusal. Safe to repeat.
   */
  settleRefusal(kind: RecordKind, entityId: string, commandId: CommandId, refusal: Refused): Promise<Settled<unknown>>;
}

export function createRefusalActivities(orm: MikroORM): RefusalActivities {
  return {
    async settleRefusal(kind, entityId, commandId, refusal) {
      const em = orm.em.fork();
      const stored = await findEventOf<unknown>(em, kind, entityId, commandId);
      if (stored !== null) return { kind: 'stored', stored };
      await keepRefusal(em, entityId, commandId, refusal);
      return (await findRefusal(em, entityId, commandId)) ?? refusal;
    },
  };
}
