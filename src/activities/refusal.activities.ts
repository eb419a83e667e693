import type { MikroORM } from '@mikro-orm/postgresql';
import { findEventOf } from '../db/entities/stored-events.ts';
import { findRefusal, storeRefusal } from '../db/operations/refused-commands.ts';
import type { Refused } from '../domain/entity.ts';
import type { CommandId } from '../domain/ids.ts';
import type { Instant } from '../domain/time.ts';
import type { Decision } from './contract.ts';
import type { RecordKind } from './records.ts';

export interface RefusalActivities {
  /**
   * Refuses a command permanently. If the command came before, returns the decision of that time: the event, or the first
   * refusal. Safe to repeat.
   */
  settleRefusal(refused: RefusedCommand): Promise<Decision<unknown>>;
  /** The decision from the first time that the command came; null if this is the first time. */
  findDecision(command: Pick<RefusedCommand, 'kind' | 'id' | 'commandId'>): Promise<Decision<unknown> | null>;
}

type RefusedCommand = {
  readonly kind: RecordKind;
  /** The id of the entity. */
  readonly id: string;
  readonly commandId: CommandId;
  /** When the message was sent; null if it does not say. */
  readonly sentAt: Instant | null;
  readonly refusal: Refused;
};

export function createRefusalActivities(orm: MikroORM): RefusalActivities {
  return {
    async settleRefusal({ kind, id, commandId, sentAt, refusal }) {
      const em = orm.em.fork();
      const stored = await findEventOf<unknown>(em, kind, id, commandId);
      if (stored !== null) return { kind: 'stored', stored };
      await storeRefusal(em, { entityId: id, commandId, sentAt, ...refusal });
      return (await findRefusal(em, id, commandId)) ?? refusal;
    },
    async findDecision({ kind, id, commandId }) {
      const em = orm.em.fork();
      const stored = await findEventOf<unknown>(em, kind, id, commandId);
      return stored === null ? findRefusal(em, id, commandId) : { kind: 'stored', stored };
    },
  };
}
