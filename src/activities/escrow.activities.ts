import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { type EscrowStep, isOneStatement, writeEscrowStep } from '../db/escrow/escrow-store.ts';
import { closeLinkOf } from '../db/payments/payment-link-store.ts';
import { type EscrowEvent, needsProof } from '../domain/escrow/commands.ts';
import type { Check } from '../domain/escrow/decision.ts';
import type { Escrow } from '../domain/escrow/escrow.ts';
import type { CompanyId, EscrowId } from '../domain/ids.ts';
import type { Posting } from '../domain/ledger/postings.ts';
import { escrowWorkflowId, linkWorkflowId } from '../domain/messages/ids.ts';
import { fromWire, type Wire } from '../domain/messages/wire.ts';
import type { Arrival, Snapshot, StepResult } from './contract.ts';
import { recordsOf, type StepRules } from './records.ts';

type ApplyInput = {
  readonly event: Wire<EscrowEvent>;
  /** The escrow after `event`. */
  readonly state: Wire<Escrow>;
  readonly postings: readonly Wire<Posting>[];
  readonly checks: readonly Check[];
  readonly arrival: Arrival;
};

type Written = StepResult<Escrow, EscrowEvent>;

export interface EscrowActivities {
  loadEscrow(escrowId: EscrowId, companyId: CompanyId | null): Promise<Snapshot<Escrow>>;
  /** Writes event, row and postings in one transaction. Safe to repeat. */
  applyEscrowEvent(input: ApplyInput): Promise<Written>;
}

export function createEscrowActivities(orm: MikroORM, rules: StepRules): EscrowActivities {
  const records = recordsOf<EscrowId, Escrow, EscrowEvent>(orm, 'escrow', escrowWorkflowId, rules);
  return {
    loadEscrow: records.load,
    async applyEscrowEvent(input) {
      const { escrowId, companyId } = input.state.terms;
      const step = { ...input, postings: input.postings.map((posting) => fromWire<Posting>(posting)) };
      return records.write({ id: escrowId, companyId }, input, (em) => apply(em, step), {
        needsProof: needsProof(input.event),
        isOneStatement: isOneStatement(step),
      });
    },
  };
}

async function apply(em: EntityManager, step: EscrowStep): Promise<Written> {
  const { event, state } = step;
  const { escrowId, companyId } = state.terms;
  // Cancelling an escrow that waits for its buyer closes the payment link.
  const closedLink = event.type === 'CANCELLED' ? await closeLinkOf(em, companyId, escrowId, event) : null;
  await writeEscrowStep(em, step);
  return { kind: 'applied', at: event.at, wake: closedLink === null ? [] : [linkWorkflowId(closedLink)] };
}
