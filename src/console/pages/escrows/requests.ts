import type { Operation, RowOf } from '../../../../clients/typescript/src/types.ts';
import { ORDER_ACTS, type OrderAct } from '../../../domain/order-pages.ts';
import { permits } from '../../../domain/roles.ts';
import type { EscrowView } from '../../api-types.ts';
import { confirmation, hidden, textArea } from '../../components/form.ts';
import { type Html, html, NOTHING } from '../../components/html.ts';
import { money } from '../../components/money.ts';
import { card, definitionList, type Fact } from '../../components/parts.ts';
import { time } from '../../components/time.ts';
import { type Action, actionField, actions, chosenId, entered, optional } from '../../entered.ts';
import { joined, type Message, t } from '../../language/message.ts';
import type { FormResult, Visit } from '../../page.ts';
import { ACTIONS } from './actions.ts';
import { writtenIn } from './story.ts';

/** What buyer and seller ask the company for on their order pages, and the company's answers. */

type OrderRequest = RowOf<Operation<'get', '/v1/escrow/{id}/requests'>>;

const APPROVE = 'approve-request';
const REFUSE = 'refuse-request';
const MAX_SHOWN = 20;

const ACT_NAMES: Readonly<Record<OrderAct, Message>> = {
  confirm_receipt: ACTIONS.receipt.label,
  release: ACTIONS.release.label,
  extend: ACTIONS.extend.label,
  ask_cancel: ACTIONS.cancel.label,
  dispatch: ACTIONS.delivery.label,
  dispute: ACTIONS.dispute.label,
  evidence: ACTIONS.evidence.label,
  propose: ACTIONS.propose.label,
  answer: ACTIONS.answer.label,
  payout_details: t('New bank details'),
  payout: t('New withdrawal'),
};

/** The requests that wait for the company, oldest first. */
export async function waitingRequests({ api }: Visit, escrowId: string): Promise<readonly OrderRequest[]> {
  const query = { status: 'PENDING', sort: 'createdAt', limit: MAX_SHOWN } as const;
  return (await api.get('/v1/escrow/{id}/requests', { path: { id: escrowId }, query })).data;
}

export function requestCard(visit: Visit, escrow: EscrowView, requests: readonly OrderRequest[]): Html {
  if (requests.length === 0) return NOTHING;
  const body = html`${requests.map(
    (request) =>
      html`${definitionList(factsOf(request, escrow))}${writtenIn({ ...request.details, documentUrl: request.details.trackingUrl }, escrow.id)}${answerForms(visit, request)}`,
  )}`;
  return card({ title: t('Requests of buyers and sellers'), body });
}

function factsOf({ act, actor, lapsesAt, details }: OrderRequest, escrow: EscrowView): readonly Fact[] {
  const { currency } = escrow;
  const milestone = escrow.milestones.find(({ id }) => id === details.milestoneId);
  const pieces = (details.items ?? []).map(({ itemId, quantity }) =>
    joined([String(quantity), escrow.items.find(({ id }) => id === itemId)?.name ?? itemId], ' × '),
  );
  const amount =
    details.amount ?? milestone?.amount ?? (act === 'release' || act === 'ask_cancel' ? escrow.heldAmount : undefined);
  const facts: readonly (readonly [Message, Fact[1] | undefined])[] = [
    [actor === 'BUYER' ? t('The buyer') : t('The seller'), html`<strong>${ACT_NAMES[act]}</strong>`],
    [t('Milestone'), milestone?.title],
    [t('Items'), pieces.length === 0 ? undefined : joined(pieces)],
    [t('Hours'), details.hours],
    [
      t("Seller's payout"),
      details.proposedSellerPayoutCents === undefined ? undefined : money(details.proposedSellerPayoutCents, currency),
    ],
    [t('Answer'), details.accept === undefined ? undefined : details.accept ? t('Accepted') : t('Rejected')],
    [t('Amount'), amount === undefined ? undefined : money(amount, currency)],
    [t('Bank'), details.bank_name],
    [t('Branch code'), details.branch_code],
    [t('Account number'), details.account_number],
    [t('Name of the account’s owner'), details.account_name],
    [t('Lapses'), time(lapsesAt)],
  ];
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

function answerForms(visit: Visit, { id, escrowId, act, actor }: OrderRequest): Html {
  if (!permits(visit.session.role, ORDER_ACTS[act].permission)) return NOTHING;
  const shared = { action: `/console/escrows/${escrowId}`, csrf: visit.csrf };
  const refusal = entered(visit, REFUSE, id);
  return html`<div class="actions">${confirmation({
    ...shared,
    label: t('Approve'),
    consequence:
      actor === 'BUYER'
        ? t('It happens at once, in the name of the buyer.')
        : t('It happens at once, in the name of the seller.'),
    isOpen: entered(visit, APPROVE, id).isRefused,
    fields: [actionField(APPROVE), hidden('id', id)],
    confirm: t('Approve'),
  })}${confirmation({
    ...shared,
    label: t('Refuse'),
    consequence: t('Nothing happens. An automatic release that the request stopped goes on.'),
    isOpen: refusal.isRefused,
    fields: [
      actionField(REFUSE),
      hidden('id', id),
      textArea({
        name: 'reason',
        id: `reason-${id}`,
        label: t('Reason'),
        hint: t('The one who asked reads it on the order page.'),
        value: refusal.value('reason'),
        error: refusal.error('reason'),
        rows: 2,
      }),
    ],
    confirm: t('Refuse'),
    tone: 'danger',
  })}</div>`;
}

export const answerRequests: Action = actions({
  [APPROVE]: async ({ api, params: { id = '' } }, form) => {
    const path = { id, requestId: chosenId(form, 'id', 'orderRequest') };
    await api.post('/v1/escrow/{id}/requests/{requestId}/approve', { path, idempotencyKey: form.idempotencyKey });
    return done(id, t('The request is approved, and carried out.'));
  },
  [REFUSE]: async ({ api, params: { id = '' } }, form) => {
    const path = { id, requestId: chosenId(form, 'id', 'orderRequest') };
    const body = { reason: optional(form.text('reason')) };
    await api.post('/v1/escrow/{id}/requests/{requestId}/refuse', { path, body, idempotencyKey: form.idempotencyKey });
    return done(id, t('The request is refused.'));
  },
});

function done(escrowId: string, text: Message): FormResult {
  return { to: `/escrows/${escrowId}`, flash: { tone: 'good', text } };
}
