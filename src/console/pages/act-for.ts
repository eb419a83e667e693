import { ApiProblem } from '../api-client.ts';
import { form, hidden, textField } from '../components/form.ts';
import { type Html, html, NOTHING, rich } from '../components/html.ts';
import { idText } from '../components/parts.ts';
import { type Text, t } from '../language/message.ts';
import type { ConsolePage, Visit } from '../page.ts';
import { ownPath } from '../responses.ts';
import type { Session } from '../session/session.ts';

/** Platform staff choose the company whose data the pages show. The API checks the choice in every request. */

/** The session is a cookie, and browsers limit its size. */
const MAX_NAME_CHARACTERS = 80;

export const actForPage: ConsolePage = {
  path: '/act-for',
  title: t('Act for a company'),
  who: 'platform',
  isAboutReader: true,
  menu: { section: 'Platform', label: t('Act for a company') },
  show: async (visit) => {
    const { csrf, session, refused, query } = visit;
    const asked = query.get('companyId');
    return {
      main: html`<div class="card">${asked === null ? current(visit) : await chosen(visit, asked)}${form({
        action: '/console/act-for',
        csrf,
        fields: html`${hidden('next', refused?.form.text('next') ?? query.get('next') ?? '')}${textField({
          name: 'companyId',
          label: t('Company id'),
          hint: t(
            'All pages then show this company, and its audit log records everything you do. Empty: your own company.',
          ),
          value: refused?.form.text('companyId') ?? asked ?? session.companyId,
          maxLength: 64,
        })}`,
        submit: t('Act for this company'),
      })}<p><a href="/console/companies">${t('Find a company by its name')}</a></p></div>`,
    };
  },
  async act({ apiFor, session }, posted) {
    const asked = posted.text('companyId');
    const isHome = asked === '' || asked === session.homeCompanyId;
    if (isHome)
      return {
        to: '/',
        session: { ...session, companyId: session.homeCompanyId, companyName: null },
        flash: { tone: 'info', text: t('The pages show your own company again.') },
      };
    const company = await apiFor(asked).get('/v1/core/companies/me');
    return {
      to: ownPath(posted.text('next')) ?? '/',
      session: actingFor(session, company),
      flash: { tone: 'info', text: t('You act for {company}.', { company: company.name }) },
    };
  },
};

function current({ session }: Visit): Html {
  if (session.companyId === session.homeCompanyId) return NOTHING;
  return html`<p>${rich('Now you act for {company}', { company: html`<strong>${session.companyName}</strong> ${idText(session.companyId)}` })}</p>`;
}

/** The name, so that the reader sees whether it is the right company. An unknown id is refused when the form is sent. */
async function chosen(visit: Visit, id: string): Promise<Html> {
  const company = await companyToActFor(visit, id);
  return company === null
    ? NOTHING
    : html`<p>${rich('You will act for {company}.', { company: html`<strong>${company.name}</strong>` })}</p>`;
}

/** Opens a page below /console for a company with one click: a button switches to another company first. */
export function openFor(
  { session, csrf }: Visit,
  { companyId, next, label }: { readonly companyId: string; readonly next: string; readonly label: Html | Text },
): Html {
  if (companyId === session.companyId) return html`<a class="row-link" href="/console${next}">${label}</a>`;
  return html`<form method="post" action="/console/act-for">${hidden('csrf', csrf)}${hidden('companyId', companyId)}${hidden('next', next)}<button class="row-link">${label}</button></form>`;
}

export type Company = { readonly id: string; readonly name: string };

/** Null: there is no such company, or the administrator may not act for it. */
export async function companyToActFor({ apiFor }: Pick<Visit, 'apiFor'>, id: string): Promise<Company | null> {
  return apiFor(id)
    .get('/v1/core/companies/me')
    .catch((error: unknown) => {
      if (error instanceof ApiProblem && [400, 403, 404].includes(error.status)) return null;
      throw error;
    });
}

/** The session, with pages that show this company. */
export function actingFor(session: Session, { id, name }: Company): Session {
  return { ...session, companyId: id, companyName: id === session.homeCompanyId ? null : shortened(name) };
}

function shortened(name: string): string {
  const characters = [...name];
  return characters.length <= MAX_NAME_CHARACTERS ? name : `${characters.slice(0, MAX_NAME_CHARACTERS).join('')}…`;
}
