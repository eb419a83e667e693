import { type EntityManager, type MikroORM, UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import { EscrowEventRow, EscrowRow } from '../db/entities/escrow.ts';
import { lockEscrow, writeEscrowStep } from '../db/escrow-store.ts';
import { closeLinkOf } from '../db/payment-links.ts';
import { Refusal } from '../domain/errors.ts';
import type { Check } from '../domain/escrow/decide.ts';
import type { Escrow, EscrowEvent } from '../domain/escrow/escrow.ts';
import { type CommandId, type EscrowId, publicId } from '../domain/ids.ts';
import type { Posting } from '../domain/ledger/postings.ts';
import { fromWire, type Wire } from '../domain/wire.ts';
import type { ApplyOutcome, Snapshot, StoredEvent } from './contract.ts';
import { SNAPSHOT_TIMELINE_ENTRIES } from './contract.ts';

export type ApplyInput = {
  readonly event: Wire<EscrowEvent>;
  /** What `event` makes of the escrow. */
  readonly state: Wire<Escrow>;
  readonly postings: readonly Wire<Posting>[];
  readonly checks: readonly Check[];
};

type Outcome = ApplyOutcome<Escrow, EscrowEvent>;

export interface EscrowActivities {
  loadEscrow(escrowId: EscrowId): Promise<Snapshot<Escrow>>;
  /** What `commandId` did to the escrow; null where it was never carried out. */
  findEscrowEvent(escrowId: EscrowId, commandId: CommandId): Promise<StoredEvent<EscrowEvent> | null>;
  /** Writes event, row and postings in one transaction, or none of them. Safe to repeat. */
  applyEscrowEvent(input: ApplyInput): Promise<Outcome>;
}

export function createEscrowActivities(orm: MikroORM): EscrowActivities {
  return {
    async loadEscrow(escrowId) {
      return snapshot(orm.em.fork(), escrowId);
    },
    async findEscrowEvent(escrowId, commandId) {
      return storedEvent(orm.em.fork(), escrowId, commandId);
    },
    async applyEscrowEvent(input) {
      try {
        return await orm.em.fork().transactional((em) => apply(em, input));
      } catch (error) {
        return explain(orm, input, error);
      }
    },
  };
}

async function apply(em: EntityManager, { event, state, postings, checks }: ApplyInput): Promise<Outcome> {
  const { escrowId } = state.terms;
  // Cancelling an escrow that waits for its buyer closes the link that asks for the money.
  const closedLink = event.type === 'CANCELLED' ? await closeLinkOf(em, escrowId, event) : null;
  if (event.type !== 'INITIATED') {
    const locked = await lockEscrow(em, escrowId);
    if (locked?.state.seq !== state.seq - 1) throw new WroteFirst();
  }
  await writeEscrowStep(em, { event, state, checks, postings: postings.map((posting) => fromWire<Posting>(posting)) });
  return { kind: 'applied', wake: closedLink === null ? [] : [`payment-link/${publicId('paymentLink', closedLink)}`] };
}

/** Undoes a step that others were faster than. */
class WroteFirst extends Error {}

/** Turns what broke the transaction into an outcome. What is no refusal is thrown on, for Temporal to retry. */
async function explain(orm: MikroORM, { event, state }: ApplyInput, error: unknown): Promise<Outcome> {
  if (error instanceof Refusal) return { kind: 'refused', code: error.code, detail: error.message };
  if (!(error instanceof UniqueConstraintViolationException || error instanceof WroteFirst)) throw error;
  // The same escrow or event was written by another run, or another escrow has the reference.
  const outcome = await repeatedOrBehind(orm.em.fork(), state.terms.escrowId, event.commandId);
  if (outcome.kind === 'behind' && outcome.snapshot.state === null)
    return { kind: 'refused', code: 'duplicate_reference', detail: 'another escrow has this external reference' };
  return outcome;
}

async function repeatedOrBehind(em: EntityManager, escrowId: EscrowId, commandId: CommandId): Promise<Outcome> {
  const stored = await storedEvent(em, escrowId, commandId);
  return stored === null ? { kind: 'behind', snapshot: await snapshot(em, escrowId) } : { kind: 'repeated', stored };
}

async function snapshot(em: EntityManager, escrowId: EscrowId): Promise<Snapshot<Escrow>> {
  const row = await em.findOne(EscrowRow, { id: escrowId }, { fields: ['state'] });
  if (row === null) return { state: null, timeline: [] };
  const latest = await em.find(
    EscrowEventRow,
    { escrowId },
    { fields: ['type', 'actor', 'at'], orderBy: { seq: 'desc' }, limit: SNAPSHOT_TIMELINE_ENTRIES },
  );
  const timeline = latest.reverse().map(({ type, actor, at }) => ({ event: type, actor, at: at.toISOString() }));
  return { state: row.state, timeline };
}

async function storedEvent(
  em: EntityManager,
  escrowId: EscrowId,
  commandId: CommandId,
): Promise<StoredEvent<EscrowEvent> | null> {
  const row = await em.findOne(EscrowEventRow, { escrowId, commandId });
  return row === null ? null : { event: row.data, status: row.status };
}
