import { ApiProblem } from './api-client.ts';
import { hidden } from './components/form.ts';
import { type Html, html } from './components/html.ts';
import { type Text, t } from './language/message.ts';
import type { Form, RefusedForm } from './page.ts';
import type { OwnProblem } from './problems.ts';

/**
 * Forms that change what somebody else may change at the same time. A form has the values that its page showed, so what it saves
 * is what its reader changed. A field that somebody else has changed meanwhile is not overwritten unseen.
 */

/** What the fields of a form show, by their names. */
type Values<Name extends string = string> = Readonly<Record<Name, string>>;

const namesOf = <Name extends string>(values: Values<Name>) => Object.keys(values) as Name[]; // Object.keys loses the key types
const shownName = (name: string) => `shown.${name}`;
/** Browsers send a line break as two characters. */
const normal = (text: string) => text.replaceAll('\r\n', '\n').trim();
const typedIn = (form: Form, name: string) => normal(form.all(name).join('\n'));
const shownIn = (form: Form, name: string) => typedIn(form, shownName(name));
const isEdited = (form: Form, name: string) => form.fields.has(name) && typedIn(form, name) !== shownIn(form, name);

type Edited<Name extends string> = {
  /** What the field shows: what was typed into a refused form, else what is saved now. */
  readonly value: (name: Name) => string;
  /** The hidden fields with what the page shows. */
  readonly shown: Html;
};

/** `refused`: the form that is shown again; null if there is none. */
export function edited<Name extends string>(refused: RefusedForm | null, current: Values<Name>): Edited<Name> {
  const form = refused?.form;
  /** What somebody else has saved meanwhile counts as shown once the problem says it. */
  const isTold = (name: string) => refused?.problem.errors.some(({ path }) => path === name) === true;
  const shown = (name: Name) =>
    form !== undefined && isEdited(form, name) && !isTold(name) ? shownIn(form, name) : current[name];
  return {
    value: (name) => (form !== undefined && isEdited(form, name) ? typedIn(form, name) : current[name]),
    shown: html`${namesOf(current).map((name) => hidden(shownName(name), shown(name)))}`,
  };
}

/**
 * Whether the reader changed the field. Throws for the whole form if somebody else has saved another value meanwhile in one of the
 * fields that the reader changed: the page then shows that value, and what was typed.
 */
export function editsOf<Name extends string>(form: Form, current: Values<Name>): (name: Name) => boolean {
  const names = namesOf(current).filter((name) => isEdited(form, name));
  const changed = names.filter((name) => ![shownIn(form, name), typedIn(form, name)].includes(normal(current[name])));
  if (changed.length > 0) throw changedMeanwhile(changed.map((name) => [name, current[name]]));
  return (name) => names.includes(name);
}

/** The refusal of a form that would overwrite what somebody else has saved: the fields, and what is saved now. */
export function changedMeanwhile(fields: readonly (readonly [name: string, saved: Text])[]): ApiProblem {
  const code: OwnProblem = 'changed_meanwhile';
  const errors = fields.map(([path, value]) => ({
    path,
    message: t('Someone else changed this. It is now: {value}', { value }),
  }));
  return new ApiProblem({ status: 409, code, detail: 'somebody else changed a field of the form', errors });
}
