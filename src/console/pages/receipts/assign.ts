import type { Currency } from '../../../domain/money.ts';
import { confirmation, textField } from '../../components/form.ts';
import { type Html, html, rich } from '../../components/html.ts';
import { money } from '../../components/money.ts';
import { actionField, entered } from '../../entered.ts';
import { type Message, t } from '../../language/message.ts';
import type { Visit } from '../../page.ts';
import { nameOf } from '../users/names.ts';

/** Assigning a receipt from suspense to a user, with suggestions from the receipt's reference. */

type Suggestion = { readonly id: string; readonly name: string; readonly why: Message };
const MAX_WORDS = 5;

/** Users whose bank reference, number or name the receipt's reference contains. */
async function suggestions({ api }: Visit, reference: string): Promise<readonly Suggestion[]> {
  const words = reference.split(/[^\p{L}\p{N}+]+/u).filter((word) => word.length >= 3);
  const usersWith = async (query: { customReference?: string; q?: string }, why: Message) =>
    (await api.get('/v1/identity/users', { query: { ...query, limit: 5, maxTotal: 1 } })).map((user) => ({
      id: user.id,
      name: nameOf(user),
      why,
    }));
  const all = await Promise.all([
    usersWith({ customReference: reference }, t('has this bank reference')),
    ...words.slice(0, MAX_WORDS).map((word) => usersWith({ q: word }, t('name or number contains “{word}”', { word }))),
  ]);
  // The first reason stays.
  return [
    ...new Map(
      all
        .flat()
        .toReversed()
        .map((one) => [one.id, one]),
    ).values(),
  ].toReversed();
}

type Waiting = {
  readonly id: string;
  readonly reference: string;
  readonly amount: string;
  readonly currency: Currency;
};

export async function assignForms(visit: Visit, { id, reference, amount, currency }: Waiting): Promise<Html> {
  const action = `/console/receipts/${id}?${new URLSearchParams({ reference })}`;
  const suggested = await suggestions(visit, reference);
  const { value, error, isRefused } = entered(visit, 'assign');
  return html`${
    suggested.length === 0
      ? html`<p class="soft">${t('No user was found by this reference.')}</p>`
      : html`<ul class="choices">${suggested.map(
          ({ id: userId, name, why }) =>
            html`<li><div><a href="/console/users/${userId}"><strong>${name}</strong></a><br><span class="soft">${why}</span></div>${confirmation(
              {
                label: t('Assign'),
                consequence: rich('{amount} go from suspense to the account of {name}.', {
                  amount: money(amount, currency),
                  name,
                }),
                action,
                csrf: visit.csrf,
                fields: html`<input type="hidden" name="userId" value="${userId}">`,
                confirm: t('Assign the receipt'),
              },
            )}</li>`,
        )}</ul>`
  }${confirmation({
    label: t('Assign to somebody else'),
    consequence: rich('{amount} go from suspense to the account of this user.', { amount: money(amount, currency) }),
    action,
    csrf: visit.csrf,
    isOpen: isRefused,
    fields: [
      actionField('assign'),
      textField({
        name: 'userId',
        label: t('User'),
        hint: t('The id of a user, usr_…'),
        isRequired: true,
        value: value('userId'),
        error: error('userId'),
      }),
    ],
    confirm: t('Assign the receipt'),
  })}`;
}
