import type { Currency } from '../../../domain/money.ts';
import { type Option, select, textArea, textField } from '../../components/form.ts';
import type { Html } from '../../components/html.ts';
import { amountText, typedCents } from '../../components/money.ts';
import { type Message, type Text, t } from '../../language/message.ts';
import type { Form, RefusedForm } from '../../page.ts';
import { fieldMessage } from '../../problems.ts';

/** Form fields that the actions on escrows share. After a refusal they keep what was typed. */

export type Actor = 'BUYER' | 'SELLER' | 'ADMIN';

const ACTOR_NAMES = { BUYER: t('The buyer'), SELLER: t('The seller'), ADMIN: t('An administrator: me') } as const;

const typed = (refused: RefusedForm | null, name: string) => refused?.form.fields.get(name) ?? undefined;
const errorAt = (refused: RefusedForm | null, name: string) => fieldMessage(refused?.problem, name);

type ChoiceField = {
  readonly name: string;
  readonly label: Text;
  readonly hint?: Message;
  readonly options: readonly Option[];
  /** What a link to the page chose. */
  readonly value?: string | null | undefined;
};

/** A choice that the reader makes: nothing is chosen before, unless there is one option only. */
export function choiceField(field: ChoiceField, refused: RefusedForm | null): Html {
  return select({
    ...field,
    isRequired: true,
    isDeliberate: true,
    value: typed(refused, field.name) ?? field.value,
    error: errorAt(refused, field.name),
  });
}

export function actorField(actors: readonly Actor[], refused: RefusedForm | null, asked: string | null = null): Html {
  return choiceField(
    {
      name: 'actor',
      label: t('In whose name'),
      hint: t('The timeline names this party. The audit log names you.'),
      options: actors.map((value) => ({ value, label: ACTOR_NAMES[value] })),
      value: asked,
    },
    refused,
  );
}

/** The party that the form names. Refuses any other word. */
export function actorOf<const Allowed extends Actor>(form: Form, actors: readonly Allowed[]): Allowed {
  const actor = actors.find((one) => one === form.text('actor'));
  return actor ?? form.refuse('actor', t('Choose in whose name you act.'));
}

type NoteField = {
  readonly name: string;
  readonly label: Text;
  readonly isRequired: boolean;
  readonly hint?: Message;
};

export function noteField(field: NoteField, refused: RefusedForm | null): Html {
  return textArea({
    ...field,
    maxLength: 2_000,
    rows: 3,
    value: typed(refused, field.name),
    error: errorAt(refused, field.name),
  });
}

type AmountField = {
  readonly name: string;
  readonly label: Text;
  readonly currency: Currency;
  /** Shown until somebody typed another. Null: the field is empty. */
  readonly cents: bigint | null;
  /** Absent: required. An optional amount that is left empty is zero. */
  readonly isRequired?: boolean;
  readonly hint?: Message;
};

export function amountField({ cents, ...field }: AmountField, refused: RefusedForm | null): Html {
  return textField({
    isRequired: true,
    ...field,
    inputMode: 'decimal',
    unit: field.currency,
    maxLength: 24,
    value: typed(refused, field.name) ?? (cents === null ? '' : amountText(cents, field.currency)),
    error: errorAt(refused, field.name),
  });
}

/** The cents that were typed into an amount field. Refuses text that is not an amount. API requests take numbers. */
export function centsOf(form: Form, name: string, currency: Currency, label: Message): number {
  const cents = typedCents(form.text(name), currency, form.language);
  if (cents === undefined || cents > BigInt(Number.MAX_SAFE_INTEGER)) {
    const amount = amountText(125_000n, currency);
    return form.refuse(name, t('{label}: enter an amount such as {amount}.', { label, amount }));
  }
  return Number(cents);
}

/** The same of a field that may be empty, which means no cents. */
export function optionalCentsOf(form: Form, name: string, currency: Currency, label: Message): number {
  return form.text(name) === '' ? 0 : centsOf(form, name, currency, label);
}

export function wholeField(
  field: {
    readonly name: string;
    readonly label: Text;
    readonly value: number;
    readonly min: number;
    readonly max: number;
    readonly hint?: Message;
  },
  refused: RefusedForm | null,
): Html {
  return textField({
    ...field,
    type: 'number',
    isRequired: true,
    value: typed(refused, field.name) ?? field.value,
    error: errorAt(refused, field.name),
  });
}

export function wholeOf(form: Form, name: string, label: Text): number {
  const text = form.text(name);
  return /^\d{1,9}$/.test(text) ? Number(text) : form.refuse(name, t('{label}: enter a whole number.', { label }));
}
