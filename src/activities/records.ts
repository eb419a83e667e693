import { type EntityManager, type MikroORM, UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import { defaultPayloadConverter, RawValue } from '@temporalio/common';
import { encode } from '@temporalio/common/lib/encoding.js';
import { rejectsValues, SequenceConflict, sqlStateOf } from '../db/core/database-errors.ts';
import type { MessageProof } from '../db/core/message-proof.ts';
import { fromSource } from '../db/core/source.ts';
import { ENTITY_TABLES, findEventOf } from '../db/entities/stored-events.ts';
import { LedgerKeyConflict } from '../db/ledger/post.ts';
import { findRefusal, REFUSED_BEFORE } from '../db/operations/refused-commands.ts';
import { type EntityKind, refuse } from '../domain/entity.ts';
import { Refusal } from '../domain/errors.ts';
import type { CommandId, CompanyId } from '../domain/ids.ts';
import { PROOF_METADATA, type SentMessage } from '../domain/messages/signed.ts';
import type { Wire } from '../domain/messages/wire.ts';
import { isSource, type Source } from '../domain/source.ts';
import { type Arrival, MAX_TIMELINE_ENTRIES, type ProviderAnswer, type Snapshot, type StepResult } from './contract.ts';

/** How the rows of escrows, payment links and withdrawals are read and written: a folded state, and its events. */

/** The detail of a refusal if a new entity's external reference belongs to another one. */
const TAKEN: Readonly<Record<EntityKind, string>> = {
  escrow: 'another escrow has this external reference',
  'payment-link': 'another escrow has this external reference',
  withdrawal: 'another withdrawal has this external reference',
};

type Step<State, Event> = {
  readonly event: Wire<Event>;
  readonly state: Wire<State>;
  readonly arrival: Arrival;
};

/** How steps are checked before they are written. */
export type StepRules = {
  /** Verifies that messages come from the API. */
  readonly proof: MessageProof;
  /** Whether a message that was sent past the API may decide about money in an administrator's name. */
  readonly mayDecideBySignal: boolean;
};

type Records<Id extends string, State, Event> = {
  /** `companyId`: the entity's company; null if the run does not know it. */
  load(id: Id, companyId: CompanyId | null): Promise<Snapshot<State>>;
  /**
   * Runs `work`, which writes the step, in one transaction, and converts its errors to results. Errors other than refusals are
   * rethrown, so that Temporal retries. `isOneStatement`: the work is a single statement, which is a transaction of its own; two
   * round trips to PostgreSQL are saved. `needsProof`: only the API may cause the event. A message that was sent past the API stands
   * in the audit log once it is carried out.
   */
  write(
    of: { readonly id: Id; readonly companyId: CompanyId },
    step: Step<State, Event>,
    work: (em: EntityManager) => Promise<StepResult<State, Event>>,
    options: { readonly needsProof: boolean; readonly isOneStatement?: boolean },
  ): Promise<StepResult<State, Event>>;
};

export function recordsOf<
  Id extends string,
  State extends { readonly seq: number },
  Event extends { readonly commandId: CommandId },
>(
  orm: MikroORM,
  kind: EntityKind,
  workflowIdOf: (id: Id) => string,
  { proof, mayDecideBySignal }: StepRules,
): Records<Id, State, Event> {
  const { rows, events, reference } = ENTITY_TABLES[kind];
  const findCompanyOf = async (em: EntityManager, id: Id): Promise<CompanyId | null> => {
    const [row] = await em.execute<{ company_id: CompanyId }[]>(`select company_id from ${rows} where id = ?`, [id]);
    return row?.company_id ?? null;
  };
  const load = async (id: Id, companyId: CompanyId | null): Promise<Snapshot<State>> => {
    const em = orm.em.fork();
    // Any client of Temporal can start a run without a company. Such a run looks for its row among those of all companies.
    const owner = companyId ?? (await findCompanyOf(em, id));
    const [row] = await em.execute<{ state: Wire<State> | null; ahead: number }[]>(
      `select r.state, company_ahead_ms(asked.company_id) as ahead
       from (select ?::uuid as company_id, ?::uuid as id) asked
       left join ${rows} r on r.company_id = asked.company_id and r.id = asked.id`,
      [owner, id],
    );
    const clockAheadMs = row?.ahead ?? 0;
    if (row == null || row.state === null) return { state: null, timeline: [], clockAheadMs };
    const latest = await em.execute<{ type: string; actor: string; at: Date }[]>(
      `select type, actor, at from ${events} where company_id = ? and ${reference} = ? order by seq desc limit ?`,
      [owner, id, MAX_TIMELINE_ENTRIES],
    );
    const timeline = latest
      .reverse()
      .map(({ type, actor, at }) => ({ event: type, actor, at: new Date(at).toISOString() }));
    return { state: row.state, timeline, clockAheadMs };
  };
  /** The command was carried out before, or another writer was first, or its id or reference belongs to another command. */
  const explain = async (
    { id, companyId }: { readonly id: Id; readonly companyId: CompanyId },
    { event, state }: Step<State, Event>,
    error: unknown,
  ): Promise<StepResult<State, Event>> => {
    const stored = await findEventOf<Event>(orm.em.fork(), kind, companyId, id, event.commandId);
    if (stored !== null) return { kind: 'repeated', stored };
    const snapshot = await load(id, companyId);
    if (snapshot.state === null && !(error instanceof LedgerKeyConflict))
      return { kind: 'refused', code: 'duplicate_reference', detail: TAKEN[kind] };
    // No other writer was first, so the same decision would fail every time.
    if ((snapshot.state?.seq ?? 0) === state.seq - 1)
      return {
        kind: 'refused',
        code: 'idempotency_key_reused',
        detail: 'the command id is already used by another command',
      };
    return { kind: 'behind', snapshot };
  };

  return {
    load,
    async write(of, step, work, { needsProof, isOneStatement = false }) {
      const { arrival, event } = step;
      if (arrival.answer !== undefined && !isProven(proof, arrival.answer, event.commandId)) return UNSIGNED;
      const workflowId = workflowIdOf(of.id);
      const source = sourceOf(proof, workflowId, event.commandId, arrival);
      const message = source === 'TEMPORAL' ? arrival.sent : null;
      if (needsProof && (arrival.sent === null || message !== null)) return UNPROVEN;
      if (message !== null && !mayDecideBySignal && isDecision(message)) return DECISIONS_ARE_OFF;
      const em = orm.em.fork();
      const audited = async (own: EntityManager) => {
        const written = await work(own);
        if (message !== null)
          await auditMessage(own, of.companyId, workflowId, {
            type: message.type,
            isSignal: arrival.isSignal,
            status: DONE_STATUS,
          });
        return written;
      };
      try {
        return await fromSource(source, () =>
          isOneStatement && message === null ? work(em) : em.transactional(audited),
        );
      } catch (error) {
        if (error instanceof Refusal) return refuse(error.code, error.message, error.details);
        const isTaken = error instanceof UniqueConstraintViolationException || error instanceof LedgerKeyConflict;
        if (isTaken || error instanceof SequenceConflict) return explain(of, step, error);
        const state = sqlStateOf(error);
        const refused = state === REFUSED_BEFORE ? await findRefusal(orm.em.fork(), of.id, step.event.commandId) : null;
        if (refused !== null) return refused;
        if (rejectsValues(error))
          return { kind: 'refused', code: 'validation_failed', detail: `the database rejects its values (${state})` };
        throw error;
      }
    },
  };
}

/** Where a command came from that led to an event. A message without a valid proof was sent past the API. */
export function sourceOf(
  proof: MessageProof,
  workflowId: string,
  commandId: string,
  { sent, isAnswer }: { readonly sent: SentMessage | null; readonly isAnswer: boolean },
): Source {
  if (sent === null) return isAnswer ? 'PROVIDER' : 'TIMER';
  if (sent.message.commandId !== commandId || !proof.verifies(workflowId, sent)) return 'TEMPORAL';
  const { source } = sent.message;
  return isSource(source) ? source : 'API';
}

/** Whether a worker told the run this answer when it asked for this command. */
export function isProven(
  proof: MessageProof,
  { answer, proof: given, ...asked }: ProviderAnswer,
  commandId: CommandId,
) {
  return proof.verifiesAnswer({ ...asked, commandId }, { answer, proof: given });
}

const UNPROVEN = refuse('forbidden', 'the message is not signed by the API');

const UNSIGNED = { ...refuse('wrong_state', 'the answer is not signed by a worker'), isUnproven: true } as const;

const DECISIONS_ARE_OFF = refuse(
  'forbidden',
  'this installation takes decisions through the API only (TEMPORAL_DECISIONS)',
);

/** Whether the message decides about money in the name of an administrator. A payout is cancelled by nobody else. */
function isDecision({ type, message: { actor } }: SentMessage): boolean {
  if (type === 'cancel') return actor !== 'BUYER' && actor !== 'SELLER';
  return type === 'admin-resolve' || type === 'book-outcome' || type === 'resume';
}

const DONE_STATUS = 200;

/**
 * Writes what became of a message that was sent past the API, with the status that the API would have answered. A run is named after
 * the public id of its entity.
 */
export async function auditMessage(
  em: EntityManager,
  companyId: CompanyId,
  workflowId: string,
  { type, isSignal, status }: { readonly type: string; readonly isSignal: boolean; readonly status: number },
): Promise<void> {
  await em.execute('select audit_message(?, ?, ?, ?)', [
    companyId,
    `${isSignal ? 'signal' : 'update'}:${type}`,
    workflowId.slice(workflowId.indexOf('/') + 1),
    status,
  ]);
}

/** A provider's answer as an activity tells it to its run, which reads it with `payloadConverter` of the workflows. */
export type Told<Answer> = Answer | RawValue;

/** Signs answers for the commands for which runs ask. A run of an earlier version names none. */
export function signing(proof: MessageProof) {
  return <Answer>(
    activity: ProviderAnswer['activity'],
    subjectId: string,
    commandId: CommandId | undefined,
    answer: Answer,
  ): Told<Answer> => {
    if (commandId === undefined) return answer;
    const { metadata, data } = defaultPayloadConverter.toPayload(answer);
    const signature = encode(proof.signAnswer({ activity, subjectId, commandId }, answer));
    return RawValue.fromPayload({ metadata: { ...metadata, [PROOF_METADATA]: signature }, data: data ?? null });
  };
}
