import { statusWords } from '../../components/badge.ts';
import { confirmation, hidden, textArea } from '../../components/form.ts';
import { type Html, html, NOTHING } from '../../components/html.ts';
import { card, notice } from '../../components/parts.ts';
import { actionField, entered } from '../../entered.ts';
import type { Visit } from '../../page.ts';

/** What the platform decides about a user. */

export function platformActions(
  visit: Visit,
  {
    name,
    changed,
    isApproved,
    isBlacklisted,
  }: {
    readonly name: string;
    /** What has changed since the identity was approved. */
    readonly changed: readonly string[];
    readonly isApproved: boolean;
    readonly isBlacklisted: boolean;
  },
): Html {
  const { csrf, params } = visit;
  const action = `/console/users/${params.id ?? ''}`;
  const blacklist = entered(visit, 'blacklist');
  return card({
    title: 'Decide',
    body: html`${changed.length === 0 ? NOTHING : notice({ tone: 'warn', text: `Changed since the approval: ${changed.map((field) => statusWords(field).toLowerCase()).join(', ')}. Compare the document again.` })}<div class="actions">${confirmation(
      {
        label: isApproved ? 'Revoke the approval' : 'Approve the identity',
        consequence: isApproved
          ? `${name} goes back to level 1.`
          : `You have compared the document with the name and number of ${name}.`,
        action,
        csrf,
        fields: html`${actionField('approve')}<input type="hidden" name="approved" value="${isApproved ? 'false' : 'true'}">`,
        confirm: isApproved ? 'Revoke' : 'Approve',
        tone: isApproved ? 'danger' : 'primary',
      },
    )}${confirmation({
      label: isBlacklisted ? 'Clear the user' : 'Blacklist the user',
      consequence: isBlacklisted
        ? `${name} can trade and be paid again.`
        : `No escrow is released to ${name} from now on, and ${name} cannot withdraw. Automatic releases to them stop. Money that is held stays held. Deciding a dispute can still pay them.`,
      action,
      csrf,
      isOpen: blacklist.isRefused,
      fields: [
        actionField('blacklist'),
        hidden('status', isBlacklisted ? 'CLEAR' : 'BLACKLISTED'),
        textArea({
          name: 'reason',
          label: 'Reason',
          hint: 'For staff of the platform and the company. The user never sees it.',
          value: blacklist.value('reason'),
          error: blacklist.error('reason'),
          rows: 2,
        }),
      ],
      confirm: isBlacklisted ? 'Clear' : 'Blacklist',
      tone: isBlacklisted ? 'primary' : 'danger',
    })}</div>`,
  });
}
