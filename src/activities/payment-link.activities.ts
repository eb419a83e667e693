import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { SequenceConflict } from '../db/core/database-errors.ts';
import { CommandText } from '../db/entities/escrow.ts';
import { newLinkRow, PaymentLinkRow } from '../db/entities/payment-link.ts';
import { carryOutOnEscrow } from '../db/escrow/escrow-store.ts';
import { postAll } from '../db/ledger/post.ts';
import { setTransactionStatus } from '../db/ledger/transactions.ts';
import { assertEscrowTakesMoney, lockLink, writeLinkStep } from '../db/payments/payment-link-store.ts';
import { moveBack } from '../db/payments/reversals.ts';
import type { EscrowCommand } from '../domain/escrow/commands.ts';
import { type CompanyId, commandThatMade, type Id, type TransactionId } from '../domain/ids.ts';
import type { Posting } from '../domain/ledger/postings.ts';
import { escrowWorkflowId, linkWorkflowId } from '../domain/messages/ids.ts';
import { fromWire, type Wire } from '../domain/messages/wire.ts';
import type { Movement } from '../domain/payment-link/changes.ts';
import { type LinkEvent, linkNeedsProof, type PaymentLink } from '../domain/payment-link/link.ts';
import { type AttemptChecks, createAttemptChecks, type PaymentProviders } from './attempt-checks.ts';
import type { Arrival, Snapshot, StepResult } from './contract.ts';
import { recordsOf, type StepRules } from './records.ts';

type LinkId = Id<'paymentLink'>;
type Written = StepResult<PaymentLink, LinkEvent>;

type ApplyLinkInput = {
  readonly event: Wire<LinkEvent>;
  readonly state: Wire<PaymentLink>;
  readonly postings: readonly Wire<Posting>[];
  readonly escrowCommand: Wire<EscrowCommand> | null;
  readonly asksForMoney: boolean;
  readonly movement: Wire<Movement> | null;
  readonly reversedId: TransactionId | null;
  readonly arrival: Arrival;
  /** The step if the answer in `arrival` is not proven; null if there is none then. */
  readonly instead?: ApplyLinkInput | null;
};

export interface PaymentLinkActivities extends AttemptChecks {
  loadLink(linkId: LinkId, companyId: CompanyId | null): Promise<Snapshot<PaymentLink>>;
  /** Writes the link's event and its effects on ledger and escrow in one transaction. Safe to repeat. */
  applyLinkEvent(input: ApplyLinkInput): Promise<Written>;
}

export function createPaymentLinkActivities(
  orm: MikroORM,
  providers: PaymentProviders,
  rules: StepRules,
): PaymentLinkActivities {
  const records = recordsOf<LinkId, PaymentLink, LinkEvent>(orm, 'payment-link', linkWorkflowId, rules);
  const write = (input: ApplyLinkInput): Promise<Written> => {
    const { linkId, companyId } = input.state.terms;
    return records.write({ id: linkId, companyId }, input, (em) => apply(em, input), {
      needsProof: linkNeedsProof(input.event),
    });
  };
  return {
    loadLink: records.load,
    async applyLinkEvent(input) {
      const { instead } = input;
      const written = await write(input);
      if (instead == null || !('isUnproven' in written)) return written;
      const other = await write(instead);
      if (other.kind !== 'applied') return other;
      const { event, state } = instead;
      return { kind: 'repeated', stored: { event, status: state.status }, isUnproven: true };
    },
    ...createAttemptChecks(orm, providers, rules.proof),
  };
}

async function apply(em: EntityManager, input: ApplyLinkInput): Promise<Written> {
  const event = fromWire<LinkEvent>(input.event);
  const state = fromWire<PaymentLink>(input.state);
  const { linkId, escrowId, companyId } = state.terms;
  if (event.type !== 'CREATED') {
    const locked = await lockLink(em, companyId, { linkId });
    if (locked?.seq !== state.seq - 1) throw new SequenceConflict();
  }
  if (input.asksForMoney) await assertEscrowTakesMoney(em, companyId, linkId);
  await postAll(
    em,
    input.postings.map((posting) => fromWire<Posting>(posting)),
  );
  if (input.escrowCommand !== null)
    await carryOutOnEscrow(em, { companyId, escrowId }, fromWire<EscrowCommand>(input.escrowCommand), event.at);
  if (input.movement !== null) await move(em, state, event, fromWire<Movement>(input.movement));
  if (input.reversedId !== null) await setTransactionStatus(em, companyId, input.reversedId, 'REVERSED');
  if (event.type === 'CREATED') await insertLink(em, state);
  await writeLinkStep(em, event, state);
  // A new link starts the run of its escrow, so there is no run to wake.
  const hasRun = input.escrowCommand !== null && event.type !== 'CREATED';
  return { kind: 'applied', at: event.at, wake: hasRun ? [escrowWorkflowId(escrowId)] : [] };
}

async function move(em: EntityManager, link: PaymentLink, event: LinkEvent, movement: Movement): Promise<void> {
  if (!('attemptId' in event) || event.attemptId === null) throw new Error(`${event.type} moves no payment`);
  const { companyId, escrowId } = link.terms;
  const isFunding = link.transactionId === movement.depositId;
  const text = await em.findOne(CommandText, { companyId, commandId: event.commandId });
  await moveBack(em, movement, {
    ...{ companyId, attemptId: event.attemptId, escrowId: isFunding ? escrowId : null },
    isExplained: text?.content.reason != null,
  });
}

async function insertLink(em: EntityManager, state: PaymentLink): Promise<void> {
  const { companyId, linkId } = state.terms;
  const { content } = await em.findOneOrFail(CommandText, { companyId, commandId: commandThatMade(linkId) });
  if (content.hash === undefined) throw new Error(`link ${linkId} has no stored hash`);
  await em.insert(PaymentLinkRow, newLinkRow(state, content.hash, content));
}
