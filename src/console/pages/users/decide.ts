import { statusWords } from '../../components/badge.ts';
import { confirmation, hidden, textArea } from '../../components/form.ts';
import { type Html, html, NOTHING } from '../../components/html.ts';
import { card, notice } from '../../components/parts.ts';
import { actionField, entered } from '../../entered.ts';
import { joined, type Message, t } from '../../language/message.ts';
import type { Visit } from '../../page.ts';

/** What the platform decides about a user. */

/** DELETED: there was one. ERASED: whoever was erased can have none. NONE: as far as is known, none was ever sent. */
export type DocumentState = 'STORED' | 'DELETED' | 'ERASED' | 'NONE';

export function platformActions(
  visit: Visit,
  {
    name,
    changed,
    document,
    isApproved,
    isBlacklisted,
    updatedAt,
  }: {
    readonly name: string;
    /** What has changed since the identity was approved. */
    readonly changed: readonly string[];
    readonly document: DocumentState;
    readonly isApproved: boolean;
    readonly isBlacklisted: boolean;
    /** The decision is about the user as the page shows them. */
    readonly updatedAt: string;
  },
): Html {
  const { csrf, params } = visit;
  const action = `/console/users/${params.id ?? ''}`;
  const reviewed = hidden('reviewed', updatedAt);
  const blacklist = entered(visit, 'blacklist');
  const approval = confirmation({
    label: isApproved ? t('Revoke the approval') : t('Approve the identity'),
    consequence: isApproved
      ? t('{name} goes back to level 1.', { name })
      : t('You have compared the document with the name and number of {name}.', { name }),
    action,
    csrf,
    fields: [actionField('approve'), reviewed, hidden('approved', isApproved ? 'false' : 'true')],
    confirm: isApproved ? t('Revoke') : t('Approve'),
    tone: isApproved ? 'danger' : 'primary',
  });
  return card({
    title: t('Decide'),
    body: html`${approvalNotice({ name, changed, document, isApproved })}<div class="actions">${document === 'STORED' || isApproved ? approval : NOTHING}${confirmation(
      {
        label: isBlacklisted ? t('Clear the user') : t('Blacklist the user'),
        consequence: isBlacklisted
          ? t('{name} can trade and be paid again.', { name })
          : t(
              'No escrow is released to {name} from now on, and {name} cannot withdraw. Automatic releases to them stop. Money that is held stays held. Deciding a dispute can still pay them.',
              { name },
            ),
        action,
        csrf,
        isOpen: blacklist.isRefused,
        fields: [
          actionField('blacklist'),
          reviewed,
          hidden('status', isBlacklisted ? 'CLEAR' : 'BLACKLISTED'),
          textArea({
            name: 'reason',
            label: t('Reason'),
            hint: t('For staff of the platform and the company. The user never sees it.'),
            value: blacklist.value('reason'),
            error: blacklist.error('reason'),
            rows: 2,
          }),
        ],
        confirm: isBlacklisted ? t('Clear the user') : t('Blacklist'),
        tone: isBlacklisted ? 'primary' : 'danger',
      },
    )}</div>`,
  });
}

function approvalNotice({
  name,
  changed,
  document,
  isApproved,
}: {
  readonly name: string;
  readonly changed: readonly string[];
  readonly document: DocumentState;
  readonly isApproved: boolean;
}): Html {
  if (document === 'ERASED') return NOTHING;
  if (document !== 'STORED') return notice({ tone: 'warn', text: withoutDocument(document, name, isApproved) });
  if (changed.length === 0) return NOTHING;
  const fields = joined(changed.map(statusWords));
  const text = t('Changed since the approval: {fields}. Compare the document again.', { fields });
  return notice({ tone: 'warn', text });
}

function withoutDocument(document: 'DELETED' | 'NONE', name: string, isApproved: boolean): Message {
  if (document === 'DELETED')
    return isApproved
      ? t('The identity document of {name} was deleted.', { name })
      : t(
          'The identity document of {name} was deleted, so there is nothing to approve. The company uploads it again over the API.',
          { name },
        );
  return isApproved
    ? t('{name} is approved, and no identity document is stored.', { name })
    : t(
        'No identity document of {name} is stored, so there is nothing to approve yet. The company uploads it over the API.',
        { name },
      );
}
