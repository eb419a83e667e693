import { expect } from '@jest/globals';
import fc from 'fast-check';
import type { EscrowCommand } from '../../src/domain/escrow/commands.ts';
import { isFinal } from '../../src/domain/escrow/escrow.ts';
import type { SplitPlan } from '../../src/domain/escrow/shares.ts';
import type { CommandId, Id } from '../../src/domain/ids.ts';
import { must } from '../domain/escrow/build.ts';
import { EscrowModel, initiateOf } from '../domain/escrow/model.ts';
import { ACTS, type Beginning, beginning, commandOf, type Step, stepOf } from '../domain/escrow/steps.ts';
import { bare } from './api.ts';
import { newParties, type TestCompany } from './service.ts';

/** Random lives of escrows over HTTP. A company with them has a service fee of 250 basis points. */

export const LIFE_DEPOSIT_CENTS = 2_000_000;
/** Final states do not change; a few calls are enough to show it. */
const CALLS_AFTER_THE_END = 3;

/** Requests of order pages send these; no operation does. */
const OF_REQUESTS: readonly string[] = ['stop-auto-release', 'resume-auto-release'];

export type Life = { readonly begin: Beginning; readonly steps: readonly Step[] };

/** Of this many commands at most. */
export const lifeOf = (commands: number): fc.Arbitrary<Life> =>
  fc.record({
    // Payment links fund pending escrows, the card gateway reports chargebacks, and this test cannot move the clock: only the model
    // covers these steps.
    begin: beginning.map((begin) => ({
      ...begin,
      totalCents: (begin.totalCents % 1_000_000n) + 1n,
      systemFeeBasisPoints: 100,
      serviceFeeBasisPoints: 250,
      isAwaited: false,
    })),
    steps: fc.array(stepOf(ACTS.filter((act) => !OF_REQUESTS.includes(act))), {
      minLength: commands,
      maxLength: commands,
    }),
  });

/** One life, in the service and in the model. Both give the same answer to every command. `seed` is named where they do not. */
export async function live(company: TestCompany, { begin, steps }: Life, seed = '') {
  const parties = await newParties(company, LIFE_DEPOSIT_CENTS);
  const initiate = initiateOf(begin, 'c0');
  const { body: begun } = await company.post('/v1/escrow/initiate', requestOf(initiate, parties.escrow));
  const path = `/v1/escrow/${begun.id}`;
  const { body: first } = await company.get(path);

  const model = new EscrowModel();
  model.tell({
    ...initiate,
    terms: {
      ...initiate.terms,
      items: first.items.map(({ id, quantity }: { id: string; quantity: number }) => ({
        itemId: bare(id),
        quantity,
        pricePerUnitCents: begin.totalCents,
      })),
    },
    milestones: initiate.milestones.map((milestone, index) => ({
      ...milestone,
      milestoneId: bare(first.milestones[index].id) as Id<'milestone'>, // the service's id
    })),
  });

  let callsAfterTheEnd = 0;
  for (const [index, step] of steps.entries()) {
    if (isFinal(must(model.state).status) && callsAfterTheEnd++ >= CALLS_AFTER_THE_END) break;
    const told = commandOf(step, must(model.state), `c${index + 1}` as CommandId, model.now);
    if (told === null) continue;
    const { step: at, body } = callOf(told, company.owner.id);
    const answer = await company.post(`${path}/${at}`, body);
    // What a command creates has the command's id, which the service generated.
    const made: string | undefined = answer.body.negotiationId ?? answer.body.disputeId;
    const code = model.tell(made === undefined ? told : { ...told, commandId: bare(made) as CommandId });
    const said = answer.status === 200 ? null : answer.body.code;
    expect({ seed, begin, at, said }).toEqual({ seed, begin, at, said: code });
  }
  return { model, path, parties };
}

function requestOf(
  { terms, splitPlan, milestones }: ReturnType<typeof initiateOf>,
  escrow: (fields: Record<string, unknown>) => unknown,
) {
  return escrow({
    items: [{ name: 'Maize', quantity: 1, pricePerUnit: Number(terms.totalCents) }],
    feePayer: terms.feePayer,
    ...(terms.autoReleaseHours === null ? {} : { autoReleaseHours: terms.autoReleaseHours }),
    ...(splitPlan === null ? {} : { splitPlan: planOf(splitPlan) }),
    milestones: milestones.map(({ weightHundredths }, index) => ({
      title: `Part ${index}`,
      percentage: weightHundredths / 100,
    })),
  });
}

/** The API call for `command`. The service's operations are paths; the model's commands are names. */
function callOf(command: EscrowCommand, adminId: string): { step: string; body?: unknown } {
  switch (command.type) {
    case 'delivery-note':
    case 'goods-received': {
      const items = command.items.map(({ itemId, quantity, pricePerItemCents }) => ({
        itemId,
        quantity,
        price_per_item: Number(pricePerItemCents),
      }));
      return { step: command.type, body: { items } };
    }
    case 'release':
      return { step: 'release' };
    case 'release-milestone':
      return { step: `release?milestoneId=${command.milestoneId}` };
    case 'negotiate':
      return { step: 'negotiate', body: { actor: command.actor, newSplitPlan: planOf(command.plan) } };
    case 'adjust-milestone': {
      const { actor, sellerPayoutCents } = command;
      const body = { actor, proposedSellerPayoutCents: Number(sellerPayoutCents) };
      return { step: `milestones/${command.milestoneId}/adjust`, body };
    }
    case 'accept-negotiation':
    case 'reject-negotiation': {
      const verb = command.type === 'accept-negotiation' ? 'accept' : 'reject';
      const of = command.milestoneId === null ? '' : `milestones/${command.milestoneId}/`;
      return { step: `${of}negotiate/${command.negotiationId}/${verb}`, body: { actor: command.actor } };
    }
    case 'extend-auto-release':
      return { step: 'extend', body: { actor: 'BUYER', hours: command.hours } };
    case 'dispute':
      return { step: 'dispute', body: { actor: command.actor, reason: 'late' } };
    case 'add-evidence':
      return { step: 'dispute/evidence', body: { actor: command.actor, note: 'a waybill' } };
    case 'cancel':
      return { step: 'cancel', body: { actor: command.actor, reason: 'changed my mind' } };
    case 'admin-resolve':
      return { step: 'admin-resolve', body: { newSplitPlan: planOf(command.plan), adminId } };
    case 'initiate':
    case 'fund':
    case 'lapse-negotiation':
    case 'stop-auto-release':
    case 'resume-auto-release':
    case 'lapse-stop':
    case 'auto-release':
    case 'block-release':
    case 'note-chargeback':
      throw new Error(`no operation tells ${command.type}`);
  }
}

function planOf({ systemFeeCents, serviceFeeCents, sellerPayoutCents }: SplitPlan) {
  return {
    system_fee_cents: Number(systemFeeCents),
    service_fee_cents: Number(serviceFeeCents),
    seller_payout_cents: Number(sellerPayoutCents),
  };
}
