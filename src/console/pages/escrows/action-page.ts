import { allows, type EscrowCommandType } from '../../../domain/escrow/commands.ts';
import { type Permission, permits, type Role } from '../../../domain/roles.ts';
import type { EscrowView } from '../../api-types.ts';
import { statusWords } from '../../components/badge.ts';
import { form } from '../../components/form.ts';
import { type Html, html } from '../../components/html.ts';
import { notice } from '../../components/parts.ts';
import { knownVersion, onlyIfKnown } from '../../known-version.ts';
import { type Message, t } from '../../language/message.ts';
import type { ConsolePage, Form, Visit } from '../../page.ts';
import { type Circumstances, circumstancesOf } from './circumstances.ts';

/** An action on an escrow, and its page: what will move, the form, and one button. */

export type EscrowAction = {
  readonly slug: string;
  readonly label: Message;
  readonly command: EscrowCommandType;
  readonly who: Permission;
  readonly tone: 'primary' | 'plain' | 'danger';
  /** What the escrow must have besides a state that allows the command. */
  readonly needs?: (escrow: EscrowView, role: Role) => boolean;
  /** Why the API would refuse it although role, state and needs allow it; null if nothing is in the way. */
  readonly hindrance?: (escrow: EscrowView, circumstances: Circumstances) => Message | null;
};

export function isAllowed(action: EscrowAction, escrow: EscrowView, role: Role): boolean {
  return permits(role, action.who) && allows(action.command, escrow.status) && (action.needs?.(escrow, role) ?? true);
}

type ActionContent = {
  readonly action: EscrowAction;
  /** What will happen when the button is pressed, with every amount. */
  readonly consequence: (escrow: EscrowView, visit: Visit) => Html | Message;
  readonly fields?: (escrow: EscrowView, visit: Visit) => Html | readonly Html[];
  readonly button: Message;
  /** Acts, and returns the sentence that the escrow's page then shows. */
  readonly act: (escrow: EscrowView, visit: Visit, form: Form) => Promise<Message>;
};

function escrowTrail(escrow: EscrowView) {
  return [
    [t('Escrows'), '/escrows'],
    [escrow.externalReference ?? escrow.id, `/escrows/${escrow.id}`],
  ] as const;
}

export function requireId({ params }: Visit): string {
  return params.id ?? '';
}

export function actionPage(content: ActionContent): ConsolePage {
  const { action, button } = content;
  const read = (visit: Visit) => visit.api.get('/v1/escrow/{id}', { path: { id: requireId(visit) } });
  return {
    path: `/escrows/:id/${action.slug}`,
    title: action.label,
    who: action.who,
    async show(visit) {
      const escrow = await read(visit);
      const trail = escrowTrail(escrow);
      if (!isAllowed(action, escrow, visit.session.role)) return { trail, main: notPossible(escrow, stateOf(escrow)) };
      const hindrance = action.hindrance?.(escrow, await circumstancesOf(visit.api, escrow)) ?? null;
      if (hindrance !== null) return { trail, main: notPossible(escrow, hindrance) };
      return {
        trail,
        main: html`<div class="card action-card">
${notice({ tone: action.tone === 'danger' ? 'warn' : 'info', text: content.consequence(escrow, visit) })}
${form({
  action: `/console/escrows/${escrow.id}/${action.slug}`,
  csrf: visit.csrf,
  fields: html`${knownVersion(escrow)}${content.fields?.(escrow, visit) ?? []}`,
  submit: button,
  tone: action.tone === 'danger' ? 'danger' : 'primary',
})}
<p><a href="/console/escrows/${escrow.id}">${t('Back without a change')}</a></p>
</div>`,
      };
    },
    async act(visit, posted) {
      const escrow = await read(visit);
      const text = await content.act(escrow, { ...visit, api: onlyIfKnown(visit.api, posted) }, posted);
      return { to: `/escrows/${escrow.id}`, flash: { tone: 'good', text } };
    },
  };
}

const stateOf = ({ status }: EscrowView) =>
  t('The state of the escrow is “{status}”, so this is not possible any more, or not yet.', {
    status: statusWords(status),
  });

function notPossible({ id }: EscrowView, why: Message): Html {
  return html`${notice({ tone: 'warn', text: why })}<p><a href="/console/escrows/${id}">${t('Back to the escrow')}</a></p>`;
}
