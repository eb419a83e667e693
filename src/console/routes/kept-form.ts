import type { ApiProblem } from '../api-client.ts';
import { form, hidden } from '../components/form.ts';
import { type Html, html, NOTHING } from '../components/html.ts';
import { notice } from '../components/parts.ts';
import { t } from '../language/message.ts';
import type { ConsolePage, Screen } from '../page.ts';
import { codeField } from '../pages/login.ts';
import { codeNotice } from '../problems.ts';
import { CSRF_FIELD } from '../session/csrf.ts';
import { SHOW_FIELD } from './other-company.ts';

/**
 * A form whose page cannot be shown now, because the service refuses its reads: what was typed, and a button that sends it again.
 * The token stays as it was. The form therefore acts once, and a form of another session or company is refused again.
 */
export function keptForm(page: ConsolePage, path: string, fields: URLSearchParams): Html {
  if (page.hasPasswords === true) return NOTHING; // not sent to the browser again
  const values = typedIn(fields);
  return form({
    action: `/console${path}`,
    className: 'form card',
    fields: html`<p>${t('Your entries are kept. Sending them again is safe.')}</p>
${values.length === 0 ? NOTHING : html`<dl class="facts">${values.map(([name, value]) => html`<div><dt><code>${name}</code></dt><dd class="typed">${value}</dd></div>`)}</dl>`}
${[...fields].map(([name, value]) => hidden(name, value))}`,
    submit: t('Send again'),
  });
}

/** Hidden fields of the console's forms that nobody typed. */
const OWN_FIELDS: readonly string[] = [CSRF_FIELD, SHOW_FIELD, 'do', 'step', 'version'];

function typedIn(fields: URLSearchParams): readonly (readonly [string, string])[] {
  return [...fields].filter(([name, value]) => !OWN_FIELDS.includes(name) && value.trim() !== '');
}

/** The field with the code for a form that was refused without one. */
export const MFA_CODE_FIELD = 'mfa-code';

/** Asks for a code of the second factor, and sends the form again with it. `problem`: a code was sent, and refused. */
export function codeScreen(path: string, fields: URLSearchParams, problem: ApiProblem | null): Screen {
  return {
    title: t('Confirm with your second factor'),
    main: html`${problem === null ? NOTHING : notice({ tone: 'bad', text: codeNotice(problem), isFirst: true })}${form({
      action: `/console${path}`,
      className: 'form card',
      fields: html`<p>${t('Money or access can leave by this step, so it needs a code. Nothing was done yet.')}</p>
${[...fields].map(([name, value]) => hidden(name, value))}${codeField(MFA_CODE_FIELD)}`,
      submit: t('Confirm'),
    })}`,
  };
}
