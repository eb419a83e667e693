import { confirmation, reasonField } from '../../components/form.ts';
import { type Html, html, icon } from '../../components/html.ts';
import { card } from '../../components/parts.ts';
import { actionField, entered } from '../../entered.ts';
import { t } from '../../language/message.ts';
import type { ConsolePage, Visit } from '../../page.ts';

/** What is held about a person: all of it as a file, and its erasure. */

export function personalData(visit: Visit, { id, name }: { readonly id: string; readonly name: string }): Html {
  const erase = entered(visit, 'erase');
  return card({
    title: t('Personal data'),
    body: html`<p>${t('Everything that is held about the person, for them to read. The identity document is a file of its own.')}</p>
<div class="actions"><a class="button" href="/console/users/${id}/export" download>${icon('download')} ${t('Download the data')}</a>${confirmation(
      {
        label: t('Erase the person'),
        consequence: t(
          'Names, numbers, e-mail, document, bank details, and what was written about the orders of {name} are gone for ever. Amounts, times and ids stay. It is refused while money or an order of theirs is open, and as long as the law asks for the data.',
          { name },
        ),
        action: `/console/users/${id}`,
        csrf: visit.csrf,
        isOpen: erase.isRefused,
        fields: [actionField('erase'), reasonField(erase.value('reason'), erase.error('reason'))],
        confirm: t('Erase for ever'),
        tone: 'danger',
      },
    )}</div>`,
  });
}

export const exported: ConsolePage = {
  path: '/users/:id/export',
  title: t('Personal data'),
  who: 'manage_company',
  isBackground: true,
  show: async ({ api, params }) => {
    const id = params.id ?? '';
    const file = await api.download('/v1/identity/users/{id}/export', 'application/json', { path: { id } });
    return new Response(file.body, {
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Disposition': `attachment; filename="${id.replace(/[^\w-]/g, '')}.json"`,
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'private, no-store',
      },
    });
  },
};
