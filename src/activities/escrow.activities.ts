import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { writeEscrowStep } from '../db/escrow/escrow-store.ts';
import { closeLinkOf } from '../db/payments/payment-links.ts';
import type { Check } from '../domain/escrow/decision.ts';
import type { Escrow, EscrowEvent } from '../domain/escrow/escrow.ts';
import { type CommandId, type EscrowId, publicId } from '../domain/ids.ts';
import type { Posting } from '../domain/ledger/postings.ts';
import { fromWire, type Wire } from '../domain/wire.ts';
import type { ApplyOutcome, Snapshot, StoredEvent } from './contract.ts';
import { recordsOf } from './records.ts';

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
  const records = recordsOf<EscrowId, Escrow, EscrowEvent>(orm, 'escrow');
  return {
    loadEscrow: records.load,
    findEscrowEvent: records.findEvent,
    applyEscrowEvent: (input) => records.write(input.state.terms.escrowId, input, (em) => apply(em, input)),
  };
}

async function apply(em: EntityManager, { event, state, postings, checks }: ApplyInput): Promise<Outcome> {
  const { escrowId } = state.terms;
  // Cancelling an escrow that waits for its buyer closes the link that asks for the money.
  const closedLink = event.type === 'CANCELLED' ? await closeLinkOf(em, escrowId, event) : null;
  await writeEscrowStep(em, { event, state, checks, postings: postings.map((posting) => fromWire<Posting>(posting)) });
  return { kind: 'applied', wake: closedLink === null ? [] : [`payment-link/${publicId('paymentLink', closedLink)}`] };
}
