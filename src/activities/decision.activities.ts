import type { MikroORM } from '@mikro-orm/postgresql';
import type { MessageProof } from '../db/core/message-proof.ts';
import { findEventOf } from '../db/entities/stored-events.ts';
import { findRefusal, storeRefusal } from '../db/operations/refused-commands.ts';
import type { EntityKind, Refused, StoredDecision } from '../domain/entity.ts';
import type { CommandId, CompanyId } from '../domain/ids.ts';
import type { SentMessage } from '../domain/messages/signed.ts';
import type { Source } from '../domain/source.ts';
import { auditMessage, sourceOf } from './records.ts';

/** What a run does about a command besides writing its step. */
export interface DecisionActivities {
  /**
   * Refuses a command permanently. If the command came before, returns the decision of that time: the event, or the first
   * refusal. A message that was sent past the API and may not do what it asks for stands in the audit log. Safe to repeat.
   */
  settleRefusal(refused: RefusedCommand): Promise<SettledRefusal>;
  /** The decision from the first time that the command came; null if this is the first time. */
  findDecision(command: Omit<RefusedCommand, 'message' | 'refusal'>): Promise<StoredDecision | null>;
  /**
   * Does nothing. The summary of this local activity's marker says why a command did not become an event. The marker of the
   * step cannot show this, because its summary is set before the outcome is known.
   */
  recordOutcome(outcome: string): Promise<void>;
}

type RefusedCommand = {
  readonly kind: EntityKind;
  /** The company for which the run was started; null if the run does not know it. */
  readonly companyId: CompanyId | null;
  /** The id of the entity. */
  readonly id: string;
  readonly commandId: CommandId;
  readonly message: { readonly workflowId: string; readonly sent: SentMessage; readonly isSignal: boolean };
  readonly refusal: Refused;
};

/** The refusals of what a sender may not do, with the status that the API answers. */
const NOT_PERMITTED: Readonly<Partial<Record<Refused['code'], number>>> = { forbidden: 403, unknown_admin: 422 };

/** `source`: where the message came from, which the activity alone can verify. */
type SettledRefusal = StoredDecision & { readonly source?: Source };

export function createDecisionActivities(orm: MikroORM, proof: MessageProof): DecisionActivities {
  return {
    async settleRefusal({ kind, companyId, id, commandId, message, refusal }) {
      const { workflowId, sent, isSignal } = message;
      const source = sourceOf(proof, workflowId, commandId, { sent, isAnswer: false });
      const em = orm.em.fork();
      const stored = companyId === null ? null : await findEventOf<unknown>(em, kind, companyId, id, commandId);
      if (stored !== null) return { kind: 'stored', stored, source };
      const refused = { entityId: id, commandId, sentAt: sent.message.sentAt ?? null, ...refusal };
      const status = NOT_PERMITTED[refusal.code];
      if (companyId === null || source !== 'TEMPORAL' || status === undefined) await storeRefusal(em, refused);
      else
        await em.transactional(async (own) => {
          if (await storeRefusal(own, refused))
            await auditMessage(own, companyId, workflowId, { type: sent.type, isSignal, status });
        });
      return { ...((await findRefusal(em, id, commandId)) ?? refusal), source };
    },
    async findDecision({ kind, companyId, id, commandId }) {
      const em = orm.em.fork();
      const stored = companyId === null ? null : await findEventOf<unknown>(em, kind, companyId, id, commandId);
      return stored === null ? findRefusal(em, id, commandId) : { kind: 'stored', stored };
    },
    recordOutcome: () => Promise.resolve(),
  };
}
