import { permits } from '../../../domain/roles.ts';
import { ApiProblem } from '../../api-client.ts';
import type { DisputeView, EscrowView, TimelineView } from '../../api-types.ts';
import { hidden } from '../../components/form.ts';
import { type Html, html, NOTHING, rich } from '../../components/html.ts';
import { moneyText } from '../../components/money.ts';
import { card, notice } from '../../components/parts.ts';
import { spanText, time } from '../../components/time.ts';
import { expectKnown, knownVersion, onlyIfKnown } from '../../known-version.ts';
import { t } from '../../language/message.ts';
import type { ConsolePage, Form, Screen, Visit } from '../../page.ts';
import { isSellerBlacklisted } from '../escrows/circumstances.ts';
import { itemCard } from '../escrows/escrow.ts';
import { amountField, noteField } from '../escrows/fields.ts';
import { splitWords, staffOf, storyOf, textsOf } from '../escrows/story.ts';
import { bothSides } from './evidence.ts';
import { hiddenSplit, mistakesIn, noPreview, readSplit, SPLIT_FIELDS, splitPreview, warningsAbout } from './split.ts';
import { assignmentCard, notesCard } from './staff.ts';

/** One dispute: both sides, and the decision in two steps. */

type Case = { readonly escrow: EscrowView; readonly dispute: DisputeView; readonly isSellerBlacklisted: boolean };

/** A dispute ends with a decision or with the cancellation of its escrow. */
const isOpen = ({ escrow }: Pick<Case, 'escrow'>) => escrow.status === 'DISPUTED';

const idOf = ({ params }: Visit) => params.id ?? '';

async function readCase({ api, ...visit }: Visit): Promise<Case> {
  const path = { id: visit.params.id ?? '' };
  const [escrow, dispute] = await Promise.all([
    api.get('/v1/escrow/{id}', { path }),
    api.get('/v1/escrow/{id}/dispute', { path }),
  ]);
  return { escrow, dispute, isSellerBlacklisted: await isSellerBlacklisted(api, escrow) };
}

export const disputePage: ConsolePage = {
  path: '/disputes/:id',
  title: t('Dispute'),
  who: 'read',
  async show(visit) {
    const [found, timeline, staff] = await Promise.all([
      readCase(visit),
      visit.api.get('/v1/escrow/{id}/timeline', { path: { id: idOf(visit) } }),
      staffOf(visit),
    ]);
    const { escrow, dispute } = found;
    return {
      title: t('Dispute about {reference}', { reference: escrow.externalReference ?? escrow.id }),
      trail: [[t('Disputes'), '/disputes']],
      main: html`<div class="stack">
<p class="lead">${lead(found, visit.companyNow)} <a href="/console/escrows/${escrow.id}">${t('See the escrow')}</a></p>
${bothSides(timeline, dispute)}
<div class="columns main-and-side">
<div class="stack">${decisionCard(visit, found, timeline)}${itemCard(escrow)}</div>
<div class="stack">${assignmentCard(visit, dispute, isOpen(found))}${notesCard(visit, dispute)}</div>
</div>
${card({ title: t('What happened'), body: storyOf(timeline, escrow, staff) })}
</div>`,
    };
  },
  act: decide,
};

function lead({ escrow, dispute }: Case, now: Date): Html {
  const isOfBuyer = dispute.openedBy === 'BUYER';
  const opened = { time: time(dispute.openedAt) };
  if (!isOpen({ escrow }))
    return isOfBuyer
      ? rich('Over. Opened by the buyer on {time}.', opened)
      : rich('Over. Opened by the seller on {time}.', opened);
  const values = {
    ...opened,
    amount: html`<span class="figure">${moneyText(escrow.heldAmount, escrow.currency)}</span>`,
    span: spanText(now.getTime() - Date.parse(dispute.openedAt)),
  };
  return isOfBuyer
    ? rich('{amount} held, open for {span}, opened by the buyer on {time}.', values)
    : rich('{amount} held, open for {span}, opened by the seller on {time}.', values);
}

function decisionCard(visit: Visit, found: Case, timeline: TimelineView): Html {
  const { escrow, isSellerBlacklisted } = found;
  const { refused, session } = visit;
  if (!isOpen(found))
    return card({
      title: t('Decision'),
      body: decided(timeline, escrow),
    });
  if (!permits(session.role, 'resolve_disputes'))
    return card({
      title: t('Decision'),
      body: html`<p>${t('An owner or an administrator of the company decides.')}</p>`,
    });
  const text = (name: string) => refused?.form.text(name) ?? '';
  const split = readSplit(text, escrow, visit.language);
  const address = `/console/disputes/${escrow.id}`;
  return card({
    title: t('Decision'),
    body: html`${isSellerBlacklisted ? notice({ tone: 'warn', text: t('The seller is blacklisted.') }) : NOTHING}
<p>${t('What you do not give to the seller or to fees goes back to the buyer.')} <a href="/console/escrows/${escrow.id}/evidence">${t('Add evidence')}</a></p>
<form class="form" action="${address}" method="post">${hidden('csrf', visit.csrf)}${hidden('step', 'review')}${knownVersion(escrow)}
<div class="split-editor" hx-post="${address}/preview" hx-trigger="input delay:150ms" hx-include="closest form" hx-target="#split-preview" hx-swap="outerHTML">
${SPLIT_FIELDS.map(([name, label, need]) => amountField({ name, label, currency: escrow.currency, cents: null, isRequired: need === 'required' }, refused))}
</div>
${splitPreview({ escrow, split, warnings: warningsAbout(split, escrow, isSellerBlacklisted) })}
${noteField({ name: 'reason', label: t('Reason'), isRequired: true, hint: t('Both parties can read it in the timeline.') }, refused)}
<div class="form-end"><button class="button primary" type="submit">${t('Review the decision')}</button></div></form>`,
  });
}

/** What moved, and why. */
function decided(timeline: TimelineView, { id, currency }: EscrowView): Html {
  const decision = timeline.find((item) => item.event === 'RESOLVED');
  if (decision === undefined) return html`<p>${t('The dispute is over. How it ended is in the timeline below.')}</p>`;
  return html`<p class="figure">${splitWords(decision.details.splitPlan, currency)}</p>${textsOf(decision, id)}`;
}

/** Two steps: the review says in full what will move, and the confirmation moves it. */
async function decide(visit: Visit, posted: Form) {
  if (!permits(visit.session.role, 'resolve_disputes'))
    throw new ApiProblem({ status: 403, code: 'forbidden', detail: 'the role does not permit a decision' });
  const found = await readCase(visit);
  const { escrow, isSellerBlacklisted } = found;
  const split = readSplit(posted.text, escrow, posted.language);
  const reason = posted.text('reason');
  const isConfirmed = posted.text('step') === 'confirm';
  // A confirmed form may come twice. The API then repeats its first answer, or says that another decision was made.
  if (!isOpen(found) && !isConfirmed)
    throw new ApiProblem({ status: 409, code: 'wrong_state', detail: 'the dispute is over' });
  const mistakes = [
    ...(isOpen(found) ? mistakesIn(split, escrow.currency) : []),
    ...(reason === '' ? [{ path: 'reason', message: t('Give the reason for the decision.') }] : []),
  ];
  if (mistakes.length > 0)
    throw new ApiProblem({
      status: 422,
      code: 'validation_failed',
      detail: 'the decision has mistakes',
      errors: mistakes,
    });
  const warnings = warningsAbout(split, escrow, isSellerBlacklisted);
  const isAcknowledged = !isOpen(found) || warnings.length === 0 || posted.text('acknowledged') === 'true';
  if (!isConfirmed || !isAcknowledged) {
    expectKnown(escrow, posted);
    return review(visit, found, posted, isConfirmed);
  }
  const { seller = 0n, systemFee = 0n, serviceFee = 0n } = split.cents;
  await onlyIfKnown(visit.api, posted).post('/v1/escrow/{id}/admin-resolve', {
    path: { id: escrow.id },
    idempotencyKey: posted.idempotencyKey,
    body: {
      adminId: visit.session.administratorId,
      reason,
      newSplitPlan: {
        seller_payout_cents: Number(seller),
        system_fee_cents: Number(systemFee),
        service_fee_cents: Number(serviceFee),
      },
    },
  });
  return {
    to: `/disputes/${escrow.id}`,
    flash: { tone: 'good' as const, text: t('The dispute is decided, and the money has moved.') },
  };
}

function review(visit: Visit, { escrow, isSellerBlacklisted }: Case, posted: Form, isRepeated: boolean): Screen {
  const split = readSplit(posted.text, escrow, posted.language);
  const warnings = warningsAbout(split, escrow, isSellerBlacklisted);
  const tick =
    warnings.length === 0
      ? NOTHING
      : html`${isRepeated ? notice({ tone: 'bad', text: t('Tick the box to confirm in spite of the warning.'), isFirst: true }) : NOTHING}<label class="check"><input type="checkbox" name="acknowledged" value="true" required><span>${t('I have read the warning, and I still decide this way.')}</span></label>`;
  const address = `/console/disputes/${escrow.id}`;
  return {
    title: t('Confirm the decision'),
    trail: [
      [t('Disputes'), '/disputes'],
      [escrow.externalReference ?? escrow.id, `/disputes/${escrow.id}`],
    ],
    main: html`<div class="card action-card">
<p>${t('This moves, at once and for good:')}</p>
${splitPreview({ escrow, split, warnings })}
<p>${t('The reason, for both parties:')}</p><blockquote>${posted.text('reason')}</blockquote>
<form class="form" action="${address}" method="post">${hidden('csrf', visit.csrf)}${hidden('step', 'confirm')}${knownVersion(escrow)}${hiddenSplit(posted)}${tick}
<div class="form-end"><button class="button primary" type="submit">${t('Decide the dispute')}</button></div></form>
<p><a href="${address}">${t('Back without a decision')}</a></p>
</div>`,
  };
}

/** Answers the editor while somebody types. It changes nothing. */
export const splitPreviewPage: ConsolePage = {
  path: '/disputes/:id/preview',
  title: t('Split'),
  who: 'resolve_disputes',
  inPlaceOfAnswer: noPreview,
  async show(visit) {
    const { escrow } = await readCase(visit);
    const split = readSplit(() => '', escrow, visit.language);
    return {
      trail: [
        [t('Disputes'), '/disputes'],
        [t('Dispute'), `/disputes/${escrow.id}`],
      ],
      main: splitPreview({ escrow, split, warnings: [] }),
    };
  },
  async act(visit, posted) {
    const { escrow, isSellerBlacklisted } = await readCase(visit);
    const split = readSplit(posted.text, escrow, posted.language);
    const warnings = warningsAbout(split, escrow, isSellerBlacklisted);
    return { title: t('Split'), isFragment: true, main: splitPreview({ escrow, split, warnings }) };
  },
};
