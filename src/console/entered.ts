import { type IdKind, parseId } from '../domain/ids.ts';
import type { Currency } from '../domain/money.ts';
import { ApiProblem } from './api-client.ts';
import { hidden } from './components/form.ts';
import type { Html } from './components/html.ts';
import { amountText, typedCents } from './components/money.ts';
import { type Text, t } from './language/message.ts';
import type { Form, FormResult, RefusedForm, Screen, Visit } from './page.ts';
import { fieldMessage } from './problems.ts';

/** Several forms on one page: a hidden field names the action, and a refused form is shown again with what was typed. */

const ACTION_FIELD = 'do';

/** The hidden field that names the form's action. */
export function actionField(action: string): Html {
  return hidden(ACTION_FIELD, action);
}

export type Action = (visit: Visit, form: Form) => Promise<FormResult | Screen | Response>;

/** Carries out the action that the form names. */
export function actions(all: Readonly<Record<string, Action>>): Action {
  return (visit, form) => {
    const name = form.text(ACTION_FIELD);
    const action = Object.hasOwn(all, name) ? all[name] : undefined;
    if (action === undefined)
      throw new ApiProblem({ status: 400, code: 'validation_failed', detail: 'the page has no such action' });
    return action(visit, form);
  };
}

type Entered = {
  /** What was typed into a refused form, else `initial`. */
  readonly value: (name: string, initial?: string | null) => string;
  readonly error: (name: string) => Text | undefined;
  /** Whether this form was refused, so that it should be open. */
  readonly isRefused: boolean;
  /** The refused form; null if there is none. */
  readonly refused: RefusedForm | null;
};

/** `id`: of the object, where the page has this form for several. The form has it in a hidden field of this name. */
export function entered({ refused }: Visit, action: string, id?: string): Entered {
  const isMine = refused?.form.text(ACTION_FIELD) === action && (id === undefined || refused.form.text('id') === id);
  const mine = isMine ? refused : null;
  return {
    value: (name, initial) => (mine === null ? (initial ?? '') : (mine.form.fields.get(name) ?? '')),
    error: (name) => fieldMessage(mine?.problem, name),
    isRefused: mine !== null,
    refused: mine,
  };
}

/**
 * Runs a request. Its problem then names the fields of the form: `nameOf` has the form's name for each path of the API that differs
 * from it.
 */
export async function withFieldNames<T>(request: Promise<T>, nameOf: (path: string) => string): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    const { status, code, message: detail, retryAfterSeconds } = error;
    const errors = error.errors.map(({ path, message }) => ({ path: nameOf(path), message }));
    throw new ApiProblem({ status, code, detail, errors, retryAfterSeconds });
  }
}

/** The value that a form names. Refuses any other text: a value that is missing must not mean one of them. */
export function oneOf<const Value extends string>(form: Form, name: string, values: readonly Value[]): Value {
  const text = form.text(name);
  return values.find((value) => value === text) ?? form.refuse(name, t('Choose an option from the list.'));
}

/** The id that a form names. Refuses text that is not an id. The API says whether there is such an object. */
export function chosenId(form: Form, name: string, kind: IdKind): string {
  const text = form.text(name);
  return parseId(kind, text) === undefined ? form.refuse(name, t('Choose an option from the list.')) : text;
}

/** The optional text of a field; undefined if it is empty. */
export function optional(text: string): string | undefined {
  return text === '' ? undefined : text;
}

/** The cents of an amount field. Refuses the form if the text is not an amount. API requests take numbers. */
export function amountOf(form: Form, name: string, currency: Currency): number {
  const cents = typedCents(form.text(name), currency, form.language);
  if (cents === undefined || cents > BigInt(Number.MAX_SAFE_INTEGER))
    return form.refuse(name, t('Enter an amount such as {amount}.', { amount: amountText(125_000n, currency) }));
  return Number(cents);
}

/** The whole number of a field. Refuses the form if the text is not a whole number. */
export function wholeOf(form: Form, name: string): number {
  const text = form.text(name);
  return /^\d{1,9}$/.test(text) ? Number(text) : form.refuse(name, t('Enter a whole number.'));
}

/** The basis points of a field with a percentage: `2.5` and `2,5` are 250. Refuses the form if the text is anything else. */
export function basisPointsOf(form: Form, name: string): number {
  const [, whole, fraction = ''] = /^(\d{1,3})(?:[.,](\d{1,2}))?$/.exec(form.text(name).trim()) ?? [];
  if (whole === undefined) return form.refuse(name, t('Enter a percentage with at most two decimals.'));
  return Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
}

/** The whole number of a field; undefined if it is empty. */
export function optionalWholeOf(form: Form, name: string): number | undefined {
  return form.text(name) === '' ? undefined : wholeOf(form, name);
}
