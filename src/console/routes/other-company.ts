import { parseId } from '../../domain/ids.ts';
import { permits } from '../../domain/roles.ts';
import { ApiProblem } from '../api-client.ts';
import { hidden } from '../components/form.ts';
import { html, NOTHING, rich } from '../components/html.ts';
import { idText } from '../components/parts.ts';
import type { SentForm } from '../forms.ts';
import { t } from '../language/message.ts';
import { problemNotice } from '../layout.ts';
import type { Screen, Visit } from '../page.ts';
import { actingFor, type Company, companyToActFor } from '../pages/act-for.ts';
import { ownProblem } from '../problems.ts';
import { askedPath } from '../responses.ts';
import { type FormToken, readFormToken } from '../session/csrf.ts';
import type { Session } from '../session/session.ts';
import { isSessionRefused } from '../session/sessions.ts';

/**
 * A form that was opened for another company than the pages show now: another tab has switched, somebody else has logged in, or
 * staff who acted for a company had to log in again. It is never carried out for the company that the pages show.
 */

/** Holds a token of the session of whoever chose to act for the form's company. A form with this field is shown, and not carried out. */
export const SHOW_FIELD = 'show-for-company';

export const isOnlyToBeShown = (sent: URLSearchParams): boolean => sent.has(SHOW_FIELD);

/**
 * The session with the pages of the form's company, if the reader has chosen that; else the page that offers it. Null if the reader
 * may not act for that company.
 */
export async function formElsewhere(
  visit: Visit,
  { companyId }: FormToken,
  sent: SentForm,
): Promise<Session | Screen | null> {
  if (!permits(visit.session.role, 'platform') || parseId('company', companyId) === undefined) return null;
  try {
    const company = await companyToActFor(visit, companyId);
    if (company === null) return null;
    const isChosen = readFormToken(visit.session, sent.fields.get(SHOW_FIELD))?.isGenuine === true;
    return isChosen ? actingFor(visit.session, company) : offer(visit, company, sent);
  } catch (error) {
    if (!(error instanceof ApiProblem) || isSessionRefused(error)) throw error;
    return offer(visit, { id: companyId, name: '' }, sent, error);
  }
}

function offer(visit: Visit, { id, name }: Company, { fields, file }: SentForm, problem?: ApiProblem): Screen {
  const typed = [...fields].filter(([field]) => field !== SHOW_FIELD);
  return {
    title: t('Form of another company'),
    main: html`${problemNotice(ownProblem('form_of_other_company'))}${problem === undefined ? NOTHING : problemNotice(problem)}
<form class="form card" method="post" action="/console${askedPath(visit.c)}">
<p>${rich(file === null ? 'The form belongs to {company} and acts for that company only. Your entries are kept.' : 'The form belongs to {company} and acts for that company only. Choose the file again there.', { company: html`<strong>${name}</strong> ${idText(id)}` })}</p>
${typed.map(([field, value]) => hidden(field, value))}${hidden(SHOW_FIELD, visit.csrf)}
<div class="form-end"><button class="button primary">${t('Act for {company} and show the form again', { company: name === '' ? id : name })}</button></div>
</form>`,
  };
}
