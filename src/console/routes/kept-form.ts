import { form, hidden } from '../components/form.ts';
import { type Html, html, NOTHING } from '../components/html.ts';
import { t } from '../language/message.ts';
import type { ConsolePage } from '../page.ts';
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
