import type { MikroORM } from '@mikro-orm/postgresql';
import { findEventOf } from '../db/entities/stored-events.ts';
import { findRefusal, storeRefusal } from '../db/operations/refused-commands.ts';
import type { Refused } from '../domain/entity.ts';
import type { CommandId, CompanyId } from '../domain/ids.ts';
import type { Instant } from '../domain/time.ts';
import type { StoredDecision } from './contract.ts';
import type { RecordKind } from './records.ts';

/** What a run does about a command besides writing its step. */
export interface DecisionActivities {
  /**
   * Refuses a command permanently. If the command came before, returns the decision of that time: the event, or the first
   * refusal. Safe to repeat.
   */
  settleRefusal(refused: RefusedCommand): Promise<StoredDecision<unknown>>;
  /** The decision from the first time that the command came; null if this is the first time. */
  findDecision(
    command: Pick<RefusedCommand, 'kind' | 'companyId' | 'id' | 'commandId'>,
  ): Promise<StoredDecision<unknown> | null>;
  /**
   * Does nothing. The summary of this local activity's marker says why a command did not become an event. The marker of the
   * step cannot show this, because its summary is set before the outcome is known.
   */
  recordOutcome(outcome: string): Promise<void>;
}

type RefusedCommand = {
  readonly kind: RecordKind;
  /** The company for which the run was started; null if the run does not know it. */
  readonly companyId: CompanyId | null;
  /** The id of the entity. */
  readonly id: string;
  readonly commandId: CommandId;
  /** When the message was sent; null if it does not say. */
  readonly sentAt: Instant | null;
  readonly refusal: Refused;
};

export function createDecisionActivities(orm: MikroORM): DecisionActivities {
  return {
    async settleRefusal({ kind, companyId, id, commandId, sentAt, refusal }) {
      const em = orm.em.fork();
      const stored = companyId === null ? null : await findEventOf<unknown>(em, kind, companyId, id, commandId);
      if (stored !== null) return { kind: 'stored', stored };
      await storeRefusal(em, { entityId: id, commandId, sentAt, ...refusal });
      return (await findRefusal(em, id, commandId)) ?? refusal;
    },
    async findDecision({ kind, companyId, id, commandId }) {
      const em = orm.em.fork();
      const stored = companyId === null ? null : await findEventOf<unknown>(em, kind, companyId, id, commandId);
      return stored === null ? findRefusal(em, id, commandId) : { kind: 'stored', stored };
    },
    recordOutcome: () => Promise.resolve(),
  };
}
