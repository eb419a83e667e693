import { permits } from '../../../domain/roles.ts';
import type { DisputeView } from '../../api-types.ts';
import { form, hidden, select } from '../../components/form.ts';
import { type Html, html, NOTHING, rich } from '../../components/html.ts';
import { card } from '../../components/parts.ts';
import { time } from '../../components/time.ts';
import { chosenId } from '../../entered.ts';
import { type Message, t } from '../../language/message.ts';
import type { ConsolePage, Visit } from '../../page.ts';
import { fieldMessage } from '../../problems.ts';
import { noteField } from '../escrows/fields.ts';
import { assigneeName } from './queue.ts';

/** Who works on a dispute, and what staff write about it. */

const idOf = ({ params }: Visit) => params.id ?? '';
/** A value of its own: an empty one would mean that nothing was chosen. */
const NOBODY = 'NOBODY';

function currentAssignee({ assignedTo }: DisputeView): Html {
  return html`<p>${assigneeName(assignedTo) ?? t('Nobody')}${assignedTo === null ? NOTHING : html` <span class="soft">${rich('since {time}', { time: time(assignedTo.assignedAt) })}</span>`}</p>`;
}

/** Nobody takes a dispute from a colleague whom the page did not name. */
function knownAssignee({ assignedTo }: DisputeView): Html {
  return hidden('known', assignedTo?.adminId ?? NOBODY);
}

export function assignmentCard({ session, csrf }: Visit, dispute: DisputeView, isOpen: boolean): Html {
  const current = currentAssignee(dispute);
  if (!isOpen || !permits(session.role, 'resolve_disputes')) return card({ title: t('Assigned to'), body: current });
  const isMine = dispute.assignedTo?.adminId === session.administratorId;
  const quick = (adminId: string, submit: Message) =>
    form({
      action: `/console/disputes/${dispute.escrowId}/assignment`,
      csrf,
      fields: html`${hidden('adminId', adminId)}${knownAssignee(dispute)}`,
      submit,
      tone: 'plain',
    });
  return card({
    title: t('Assigned to'),
    body: html`${current}<div class="actions">${isMine ? NOTHING : quick(session.administratorId, t('Assign to me'))}${dispute.assignedTo === null ? NOTHING : quick(NOBODY, t('Assign to nobody'))}
<a class="button" href="/console/disputes/${dispute.escrowId}/assignment">${t('Assign to somebody')}</a></div>`,
  });
}

export const assignmentPage: ConsolePage = {
  path: '/disputes/:id/assignment',
  title: t('Assign the dispute'),
  who: 'resolve_disputes',
  async show(visit) {
    const [admins, dispute] = await Promise.all([
      visit.api.get('/v1/core/companies/admins'),
      visit.api.get('/v1/escrow/{id}/dispute', { path: { id: idOf(visit) } }),
    ]);
    const options = admins
      .filter(({ role }) => permits(role, 'resolve_disputes'))
      .map(({ id, firstName, lastName, email }) => ({ value: id, label: `${firstName} ${lastName}, ${email}` }));
    // Platform staff are not administrators of the company.
    const isOffered = options.some(({ value }) => value === visit.session.administratorId);
    return {
      trail: [
        [t('Disputes'), '/disputes'],
        [t('Dispute'), `/disputes/${idOf(visit)}`],
      ],
      main: card({
        title: t('Assigned to'),
        body: html`${currentAssignee(dispute)}${form({
          action: `/console/disputes/${idOf(visit)}/assignment`,
          csrf: visit.csrf,
          fields: [
            knownAssignee(dispute),
            select({
              name: 'adminId',
              label: t('Administrator'),
              isRequired: true,
              isDeliberate: true,
              options: [{ value: NOBODY, label: t('Nobody') }, ...options],
              value: visit.refused?.form.text('adminId') ?? (isOffered ? visit.session.administratorId : null),
              error: fieldMessage(visit.refused?.problem, 'adminId'),
            }),
          ],
          submit: t('Assign'),
        })}`,
      }),
    };
  },
  async act(visit, posted) {
    const named = (name: string) => (posted.text(name) === NOBODY ? null : chosenId(posted, name, 'administrator'));
    const { assignedTo } = await visit.api.post('/v1/escrow/{id}/dispute/assign', {
      path: { id: idOf(visit) },
      body: { adminId: named('adminId'), knownAdminId: named('known') },
      idempotencyKey: posted.idempotencyKey,
    });
    const text =
      assignedTo === null
        ? t('The dispute is assigned to nobody.')
        : t('The dispute is assigned to {name}.', { name: assignedTo.name ?? t('Platform staff') });
    return { to: `/disputes/${idOf(visit)}`, flash: { tone: 'good', text } };
  },
};

export function notesCard(visit: Visit, { notes, escrowId }: DisputeView): Html {
  const written = notes.map(
    ({ text, authorName, adminId, at }) =>
      html`<li><blockquote>${text}</blockquote><p class="soft">${authorName ?? (adminId === null ? t('An API key') : t('Platform staff'))}, ${time(at)}</p></li>`,
  );
  return card({
    title: t('Internal notes'),
    body: html`<p class="soft">${t('Buyers and sellers never see them.')}</p>${notes.length === 0 ? NOTHING : html`<ol class="said">${written}</ol>`}
${form({
  action: `/console/disputes/${escrowId}/notes`,
  csrf: visit.csrf,
  fields: noteField({ name: 'note', label: t('New note'), isRequired: true }, null),
  submit: t('Add the note'),
  tone: 'plain',
})}`,
  });
}

export const disputeNotesPage: ConsolePage = {
  path: '/disputes/:id/notes',
  title: t('Add a note'),
  who: 'operate',
  async show(visit) {
    return {
      trail: [
        [t('Disputes'), '/disputes'],
        [t('Dispute'), `/disputes/${idOf(visit)}`],
      ],
      main: form({
        action: `/console/disputes/${idOf(visit)}/notes`,
        csrf: visit.csrf,
        className: 'form card',
        fields: noteField({ name: 'note', label: t('New note'), isRequired: true }, visit.refused),
        submit: t('Add the note'),
      }),
    };
  },
  async act(visit, posted) {
    await visit.api.post('/v1/escrow/{id}/dispute/notes', {
      path: { id: idOf(visit) },
      body: { note: posted.text('note') },
      idempotencyKey: posted.idempotencyKey,
    });
    return { to: `/disputes/${idOf(visit)}`, flash: { tone: 'good', text: t('The note is added.') } };
  },
};
