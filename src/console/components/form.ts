import { type Message, type Text, t } from '../language/message.ts';
import { type Html, html, NOTHING } from './html.ts';

/** Forms: plain HTML that works without JavaScript. Errors come from the API's problem, by the path of the field. */

export type Errors = Readonly<Record<string, Text>>;

type Field = {
  readonly name: string;
  /** Where a page has several fields of the same name; made from the name otherwise. */
  readonly id?: string;
  readonly label: Text;
  readonly hint?: Html | Message;
  readonly error?: Text | undefined;
  readonly value?: Text | number | null | undefined;
  readonly isRequired?: boolean;
};

type TextField = Field & {
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'url' | 'tel' | 'number' | 'date' | 'datetime-local';
  readonly placeholder?: Text;
  readonly inputMode?: 'decimal' | 'numeric';
  readonly autocomplete?: string;
  readonly maxLength?: number;
  readonly min?: number;
  readonly max?: number;
  /** A unit in front of the field: `USD`. */
  readonly unit?: string;
};

export function textField(field: TextField): Html {
  const { type = 'text', placeholder, inputMode, autocomplete = 'off', maxLength, min, max, unit } = field;
  const input = html`<input id="${idOf(field)}" name="${field.name}" type="${type}" autocomplete="${autocomplete}" value="${field.value ?? ''}"${attribute('placeholder', placeholder)}${attribute('inputmode', inputMode)}${attribute('maxlength', maxLength)}${attribute('min', min)}${attribute('max', max)}${common(field)}>`;
  return framed(
    field,
    unit === undefined
      ? input
      : html`<span class="with-unit"><span class="unit" aria-hidden="true">${unit}</span>${input}</span>`,
  );
}

export function textArea(field: Field & { readonly rows?: number; readonly maxLength?: number }): Html {
  return framed(
    field,
    html`<textarea id="${idOf(field)}" name="${field.name}" rows="${field.rows ?? 3}"${attribute('maxlength', field.maxLength)}${common(field)}>${field.value ?? ''}</textarea>`,
  );
}

/** Why something is done: the field `reason`. */
export function reasonField(value: string, error: Text | undefined): Html {
  return textArea({ name: 'reason', label: t('Reason'), isRequired: true, value, error, rows: 2 });
}

/** The browser keeps no file: it is chosen again where a form was refused. `tooLarge`: what the script says of a larger one. */
export function fileField(
  field: Omit<Field, 'value'> & { readonly accept: string; readonly maxBytes: number; readonly tooLarge: Message },
): Html {
  const { accept, maxBytes, tooLarge } = field;
  return framed(
    field,
    html`<input id="${idOf(field)}" name="${field.name}" type="file" accept="${accept}" data-max-bytes="${maxBytes}" data-too-large="${tooLarge}"${common(field)}>`,
  );
}

export type Option = { readonly value: string; readonly label: Text };

type SelectField = Field & {
  readonly options: readonly Option[];
  /** Nothing is chosen for the reader: for choices that move money, name a party or give rights. */
  readonly isDeliberate?: boolean;
};

/** A value that is not offered any more is not replaced by another: the reader has to choose again. */
export function select(field: SelectField): Html {
  const { options, isDeliberate = false } = field;
  const preset = isDeliberate && options.length > 1 ? '' : (options[0]?.value ?? '');
  const chosen = (field.value ?? '') === '' ? preset : field.value;
  const isOffered = options.some(({ value }) => value === chosen);
  const shown = isOffered ? field : { ...field, isRequired: true };
  const first = html`<option value="" selected>${chosen === '' ? t('Choose') : t('Choose again')}</option>`;
  return framed(
    shown,
    html`<select id="${idOf(field)}" name="${field.name}"${common(shown)}>${isOffered ? NOTHING : first}${options.map(
      ({ value, label }) =>
        html`<option value="${value}"${value === chosen ? html` selected` : NOTHING}>${label}</option>`,
    )}</select>`,
  );
}

export function checkBox({
  name,
  label,
  isChecked,
  value = 'true',
}: {
  name: string;
  label: Html | Text;
  isChecked?: boolean;
  value?: string;
}): Html {
  return html`<label class="check"><input type="checkbox" name="${name}" value="${value}"${isChecked === true ? html` checked` : NOTHING}><span>${label}</span></label>`;
}

/** Several values of one field, of which any number may be chosen. */
export function checkBoxes({
  options,
  chosen,
  ...field
}: Omit<Field, 'value' | 'isRequired'> & {
  readonly options: readonly Option[];
  readonly chosen: readonly string[];
}): Html {
  const { name, label, hint, error } = field;
  const boxes = options.map((one) => checkBox({ name, ...one, isChecked: chosen.includes(one.value) }));
  return html`<fieldset class="checks${error === undefined ? '' : ' wrong'}"${described(field)}><legend>${label}</legend>${hint === undefined ? NOTHING : html`<p class="hint" id="${idOf(field)}-hint">${hint}</p>`}${boxes}${error === undefined ? NOTHING : html`<p class="error" id="${idOf(field)}-error">${error}</p>`}</fieldset>`;
}

type Form = {
  readonly action: string;
  /** Ends up in the page's history and address with `get`; `post` for everything that changes something. */
  readonly method?: 'get' | 'post';
  /** For `post`: the token against cross-site requests, which holds the form's idempotency key and language too. */
  readonly csrf?: string;
  readonly fields: Html | readonly Html[];
  readonly submit: Message;
  readonly tone?: 'primary' | 'danger' | 'plain';
  /** For buttons outside it. */
  readonly id?: string;
  readonly className?: string;
  readonly hasFile?: boolean;
};

export function form({
  action,
  method = 'post',
  csrf,
  fields,
  submit,
  tone = 'primary',
  className = 'form',
  id,
  hasFile = false,
}: Form): Html {
  return html`<form class="${className}"${id === undefined ? NOTHING : html` id="${id}"`}${hasFile ? html` enctype="multipart/form-data"` : NOTHING} action="${action}" method="${method}">${csrf === undefined ? NOTHING : hidden('csrf', csrf)}
${fields}
<div class="form-end"><button class="button ${tone}" type="submit">${submit}</button></div></form>`;
}

export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

type Confirmation = {
  /** The text on the closed box: `Release the money`. */
  readonly label: Message;
  /** What will move, and what cannot be undone. */
  readonly consequence: Html | Message;
  readonly action: string;
  readonly csrf: string;
  readonly fields?: Html | readonly Html[];
  readonly confirm: Message;
  readonly tone?: 'primary' | 'danger';
  /** Open from the start: after an error, so that the reader sees it. */
  readonly isOpen?: boolean;
};

/** An action behind one more click: it unfolds, says what will move, and only then has the button. */
export function confirmation({
  label,
  consequence,
  action,
  csrf,
  fields = NOTHING,
  confirm,
  tone = 'primary',
  isOpen,
}: Confirmation): Html {
  return html`<details class="confirm ${tone}"${isOpen === true ? html` open` : NOTHING}><summary class="button ${tone === 'danger' ? 'danger-outline' : ''}">${label}</summary>
<div class="confirm-body"><p>${consequence}</p>${form({ action, csrf, fields, submit: confirm, tone })}</div></details>`;
}

function framed(field: Field, input: Html): Html {
  const { label, hint, error, isRequired = false } = field;
  return html`<div class="field${error === undefined ? '' : ' wrong'}"><label for="${idOf(field)}">${label}${isRequired ? NOTHING : html` <span class="optional">${t('optional')}</span>`}</label>
${hint === undefined ? NOTHING : html`<p class="hint" id="${idOf(field)}-hint">${hint}</p>`}${input}${error === undefined ? NOTHING : html`<p class="error" id="${idOf(field)}-error">${error}</p>`}</div>`;
}

function common(field: Field): Html {
  const { error, isRequired = false } = field;
  return html`${isRequired ? html` required` : NOTHING}${described(field)}${error === undefined ? NOTHING : html` aria-invalid="true"`}`;
}

function described(field: Field): Html {
  const { hint, error } = field;
  const ids = [
    hint === undefined ? [] : `${idOf(field)}-hint`,
    error === undefined ? [] : `${idOf(field)}-error`,
  ].flat();
  return ids.length === 0 ? NOTHING : html` aria-describedby="${ids.join(' ')}"`;
}

function idOf({ name, id }: Field): string {
  return id ?? `f-${name.replace(/[^\w-]/g, '-')}`;
}

function attribute(name: string, value: Text | number | undefined): Html {
  return value === undefined ? NOTHING : html` ${name}="${value}"`;
}
