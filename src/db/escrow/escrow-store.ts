import type { EntityManager } from '@mikro-orm/postgresql';
import { refusalFrom } from '../../domain/entity.ts';
import { Refusal } from '../../domain/errors.ts';
import { ESCROW_EVENTS, type EscrowCommand, type EscrowEvent } from '../../domain/escrow/commands.ts';
import { decide } from '../../domain/escrow/decide.ts';
import type { Check } from '../../domain/escrow/decision.ts';
import type { Escrow } from '../../domain/escrow/escrow.ts';
import { evolve } from '../../domain/escrow/evolve.ts';
import { type CompanyId, commandThatMade, type EscrowId, idMadeBy } from '../../domain/ids.ts';
import type { Posting } from '../../domain/ledger/postings.ts';
import { fromWire, toWire, type Wire } from '../../domain/messages/wire.ts';
import { permits } from '../../domain/roles.ts';
import type { Instant } from '../../domain/time.ts';
import { SequenceConflict } from '../core/database-errors.ts';
import { causingRequestId } from '../core/driver.ts';
import { currentSource } from '../core/source.ts';
import { CommandText, EscrowEventRow, EscrowRow, newEscrowRow } from '../entities/escrow.ts';
import { eventColumns } from '../entities/stored-events.ts';
import { assertNotBlacklisted } from '../identity/blacklist.ts';
import { awaitErasure } from '../identity/personal-data.ts';
import { findStaffRole } from '../identity/platform-company.ts';
import { postAll } from '../ledger/post.ts';
import { assertPaid, type Collection, collectFromRefund } from '../treasury/receivables.ts';

/** Writes escrows: an event, the resulting row, and the postings, in the caller's transaction. */

export type EscrowStep = {
  readonly event: Wire<EscrowEvent>;
  /** The escrow after `event`. */
  readonly state: Wire<Escrow>;
  readonly postings: readonly Posting[];
  readonly checks: readonly Check[];
};

type EscrowName = { readonly companyId: CompanyId; readonly escrowId: EscrowId };

/** Locks the escrow's row; null if there is none. */
async function lockEscrow(em: EntityManager, { companyId, escrowId }: EscrowName): Promise<Escrow | null> {
  const [row] = await em.execute<{ state: Wire<Escrow> }[]>(
    'select state from escrow where company_id = ? and id = ? for update',
    [companyId, escrowId],
  );
  return row === undefined ? null : fromWire<Escrow>(row.state);
}

/**
 * Carries out a command on an escrow within another entity's transaction, as the escrow's own run would. The caller wakes that
 * run afterwards, and the run reads the new state. Throws the refusal.
 */
export async function carryOutOnEscrow(
  em: EntityManager,
  name: EscrowName,
  command: EscrowCommand,
  now: Instant,
): Promise<void> {
  const state = command.type === 'initiate' ? null : await lockEscrow(em, name);
  const decision = decide(state, command, now);
  if (decision.kind === 'refused') throw refusalFrom(decision);
  const next = evolve(state, decision.event);
  await writeEscrowStep(em, { ...decision, event: toWire(decision.event), state: toWire(next) });
}

/**
 * Whether `writeEscrowStep` writes this step in one statement: the step moves no money and needs nothing else. Such a statement
 * needs no transaction around it.
 */
export function isOneStatement({ event, postings, checks }: EscrowStep): boolean {
  return postings.length === 0 && checks.length === 0 && ESCROW_EVENTS[event.type].changes !== 'money';
}

/** Writes one step. Throws `SequenceConflict` if it is not the next step, and the refusal of a check or of the ledger. */
export async function writeEscrowStep(em: EntityManager, step: EscrowStep): Promise<void> {
  const { event, state, postings, checks } = step;
  if (isOneStatement(step)) return moveEscrow(em, event, state);
  const isFirst = event.type === 'INITIATED';
  if (isFirst) await awaitErasure(em, state.terms.companyId);
  else await moveEscrow(em, event, state);
  if (paysSeller(fromWire<EscrowEvent>(event))) await assertPaid(em, state.terms.companyId, state.terms.escrowId);
  for (const check of checks) await assertCheck(em, state.terms.companyId, check);
  const collection = await collectDebts(em, state, refundCentsOf(fromWire<EscrowEvent>(event)));
  await postAll(em, [...collection.postings, ...postings]);
  await collection.record();
  if (isFirst) await insertEscrow(em, event, state);
}

/** An open chargeback blocks these, and settlements. The escrow can still be cancelled, or resolved by an administrator. */
const RELEASES: readonly EscrowEvent['type'][] = ['FUNDS_RELEASED', 'AUTO_RELEASED', 'MILESTONE_RELEASED'];

function paysSeller(event: EscrowEvent): boolean {
  return RELEASES.includes(event.type) || (event.type === 'NEGOTIATION_ACCEPTED' && event.settlement !== undefined);
}

/** What an event gives back to the buyer, in cents. */
function refundCentsOf(event: EscrowEvent): bigint {
  switch (event.type) {
    case 'CANCELLED':
      return event.refundCents;
    case 'NEGOTIATION_ACCEPTED':
      return event.settlement?.shares.buyerRefundCents ?? 0n;
    case 'RESOLVED':
    case 'FUNDS_RELEASED':
    case 'AUTO_RELEASED':
    case 'MILESTONE_RELEASED':
      return event.shares.buyerRefundCents;
    default:
      return 0n;
  }
}

/** The buyer's open debts are settled from the refund before the buyer gets the rest. */
function collectDebts(em: EntityManager, { terms }: Wire<Escrow>, refundCents: bigint): Promise<Collection> {
  const { companyId, escrowId, buyerAccountId: accountId, currency } = terms;
  const holdId = idMadeBy('hold', escrowId);
  return collectFromRefund(em, { companyId, escrowId, holdId, accountId, currency, amountCents: refundCents });
}

async function assertCheck(em: EntityManager, companyId: CompanyId, check: Check): Promise<void> {
  if (check.kind === 'user_not_blacklisted') return assertNotBlacklisted(em, companyId, check.userId);
  const role = await findStaffRole(em, companyId, check.adminId);
  if (role === null) throw new Refusal('unknown_admin');
  if (!permits(role, 'resolve_disputes')) throw new Refusal('forbidden');
}

async function insertEscrow(em: EntityManager, event: Wire<EscrowEvent>, state: Wire<Escrow>): Promise<void> {
  const { terms } = state;
  const commandId = commandThatMade(terms.escrowId);
  const text = await em.findOne(CommandText, { companyId: terms.companyId, commandId });
  await em.insert(EscrowRow, newEscrowRow(state, text?.content ?? {}));
  await em.insert(EscrowEventRow, {
    escrowId: terms.escrowId,
    ...eventColumns(terms.companyId, event, state),
    data: event,
  });
}

/**
 * Writes row and event in one statement. It locks the row, so the rest of the transaction is serialised. It says which request
 * caused the event, because the statement may be the whole transaction.
 *
 * `escrow_event` takes each number and each command of an escrow once. Its triggers refuse a command that was refused before
 * (235-refused-commands.sql), and write the announced audit line (050-audit-log.sql) and the fact for the feed (340-events.sql).
 */
async function moveEscrow(em: EntityManager, event: Wire<EscrowEvent>, state: Wire<Escrow>): Promise<void> {
  const { companyId, escrowId } = state.terms;
  const moved = await em.execute<unknown[]>(
    `with request as (select set_config('app.request_id', ?, true), set_config('app.source', ?, true)), moved as (
       update escrow set status = ?, seq = ?, state = ?::jsonb, updated_at = ? from request
       where company_id = ? and id = ? and seq = ?
       returning id, seq, company_id, status
     )
     insert into escrow_event (escrow_id, seq, company_id, command_id, type, actor, at, status, data, source)
     select m.id, m.seq, m.company_id, ?, ?, ?, ?, m.status, ?::jsonb, ? from moved m returning seq`,
    [
      causingRequestId(),
      currentSource(),
      ...[state.status, state.seq, JSON.stringify(state), state.updatedAt, companyId, escrowId, state.seq - 1],
      ...[event.commandId, event.type, event.actor, event.at, JSON.stringify(event), currentSource()],
    ],
  );
  if (moved.length === 0) throw new SequenceConflict();
}
