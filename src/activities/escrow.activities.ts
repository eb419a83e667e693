import { type EntityManager, type MikroORM, UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import { CommandText, EscrowEventRow, EscrowRow } from '../db/entities/escrow.ts';
import { Administrator, AppUser } from '../db/entities/tenancy.ts';
import { postToLedger } from '../db/ledger-store.ts';
import { isRefusalCode, Refusal } from '../domain/errors.ts';
import type { Check } from '../domain/escrow/decide.ts';
import type { Escrow, EscrowEvent } from '../domain/escrow/escrow.ts';
import type { CommandId, CompanyId, EscrowId } from '../domain/ids.ts';
import type { Posting } from '../domain/ledger/postings.ts';
import { permits } from '../domain/roles.ts';
import { fromWire, type Wire } from '../domain/wire.ts';
import type { ApplyOutcome, Snapshot, StoredEvent } from './contract.ts';

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

/** How many of the latest timeline entries a run starts with. */
const SNAPSHOT_TIMELINE_ENTRIES = 100;

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
  const { escrowId, companyId } = state.terms;
  if (event.type !== 'INITIATED') {
    const locked = await em.execute<{ seq: number }[]>('select seq from escrow where id = ? for update', [escrowId]);
    if (locked[0]?.seq !== state.seq - 1) return repeatedOrBehind(em, escrowId, event.commandId);
  }
  for (const check of checks) await assertCheck(em, companyId, check);
  const outcomes = await postToLedger(
    em,
    postings.map((posting) => fromWire<Posting>(posting)),
  );
  for (const outcome of outcomes) {
    if (outcome.kind !== 'refused') continue;
    if (!isRefusalCode(outcome.code)) throw new Error(`the ledger refused ${event.type}: ${outcome.code}`);
    throw new Refusal(outcome.code);
  }
  await (event.type === 'INITIATED' ? insertEscrow(em, state) : updateEscrow(em, state));
  await em.insert(EscrowEventRow, {
    escrowId,
    seq: state.seq,
    companyId,
    commandId: event.commandId,
    type: event.type,
    actor: event.actor,
    at: new Date(event.at),
    status: state.status,
    data: event,
  });
  return { kind: 'applied' };
}

async function insertEscrow(em: EntityManager, state: Wire<Escrow>): Promise<void> {
  const { terms } = state;
  const commandId = terms.escrowId as string as CommandId; // an escrow takes the id of the command that makes it
  const text = await em.findOne(CommandText, { commandId });
  await em.insert(EscrowRow, {
    id: terms.escrowId,
    companyId: terms.companyId,
    status: state.status,
    seq: state.seq,
    buyerId: terms.buyerId,
    sellerId: terms.sellerId,
    currency: terms.currency,
    totalAmount: BigInt(terms.totalCents),
    externalReference: text?.content.externalReference ?? null,
    externalInvoiceNumber: text?.content.externalInvoiceNumber ?? null,
    state,
    createdAt: new Date(state.createdAt),
    updatedAt: new Date(state.updatedAt),
  });
}

async function updateEscrow(em: EntityManager, state: Wire<Escrow>): Promise<void> {
  await em.nativeUpdate(
    EscrowRow,
    { id: state.terms.escrowId },
    { status: state.status, seq: state.seq, state, updatedAt: new Date(state.updatedAt) },
  );
}

async function assertCheck(em: EntityManager, companyId: CompanyId, check: Check): Promise<void> {
  switch (check.kind) {
    case 'user_not_blacklisted': {
      const user = await em.findOne(AppUser, { id: check.userId, companyId }, { fields: ['identityStatus'] });
      if (user === null) throw new Refusal('unknown_user');
      if (user.identityStatus === 'BLACKLISTED') throw new Refusal('user_blacklisted');
      return;
    }
    case 'may_resolve_disputes': {
      const administrator = await em.findOne(Administrator, { id: check.adminId, removedAt: null });
      const isKnown = administrator?.companyId === companyId || administrator?.role === 'SUPER_ADMIN';
      if (administrator === null || !isKnown) throw new Refusal('unknown_admin');
      if (!permits(administrator.role, 'resolve_disputes')) throw new Refusal('forbidden');
    }
  }
}

/** Turns what broke the transaction into an outcome. What is no refusal is thrown on, for Temporal to retry. */
async function explain(orm: MikroORM, { event, state }: ApplyInput, error: unknown): Promise<Outcome> {
  if (error instanceof Refusal) return { kind: 'refused', code: error.code, detail: error.message };
  if (!(error instanceof UniqueConstraintViolationException)) throw error;
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
