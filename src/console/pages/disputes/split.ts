import type { Currency } from '../../../domain/money.ts';
import type { EscrowView } from '../../api-types.ts';
import { type Html, html, NOTHING } from '../../components/html.ts';
import { amountText, moneyText, typedCents } from '../../components/money.ts';
import { notice } from '../../components/parts.ts';
import type { Language } from '../../language/languages.ts';
import { type Message, type Text, t } from '../../language/message.ts';
import type { Form } from '../../page.ts';

/**
 * A decision as it is typed: the seller's part and the fees. The buyer gets the rest of what is held, so the parts cannot miss
 * their sum. A fee that is left empty is zero.
 */

export const SPLIT_FIELDS = [
  ['seller', t('Seller'), 'required'],
  ['systemFee', t('System fee'), 'optional'],
  ['serviceFee', t('Service fee'), 'optional'],
] as const;
type SplitField = (typeof SPLIT_FIELDS)[number][0];

type TypedSplit = {
  /** Nothing is typed yet. */
  readonly isEmpty: boolean;
  /** Undefined where the text is not an amount. */
  readonly cents: Readonly<Record<SplitField, bigint | undefined>>;
  readonly heldCents: bigint;
  /** Negative if the parts exceed what is held; undefined if a part is not an amount. */
  readonly refundCents: bigint | undefined;
};

export function readSplit(
  text: (name: string) => string,
  { currency, heldAmount }: EscrowView,
  language: Language,
): TypedSplit {
  const fee = (name: SplitField) => (text(name) === '' ? 0n : typedCents(text(name), currency, language));
  const cents = {
    seller: typedCents(text('seller'), currency, language),
    systemFee: fee('systemFee'),
    serviceFee: fee('serviceFee'),
  };
  const isEmpty = SPLIT_FIELDS.every(([name]) => text(name) === '');
  const heldCents = BigInt(heldAmount);
  const { seller, systemFee, serviceFee } = cents;
  const isWhole = seller !== undefined && systemFee !== undefined && serviceFee !== undefined;
  return { isEmpty, cents, heldCents, refundCents: isWhole ? heldCents - seller - systemFee - serviceFee : undefined };
}

/** The sentences that keep a decision from being sent. */
export function mistakesIn(
  { cents, refundCents, heldCents }: TypedSplit,
  currency: Currency,
): { path: string; message: Message }[] {
  const unreadable = SPLIT_FIELDS.filter(([name]) => cents[name] === undefined).map(([name, label]) => ({
    path: name,
    message: t('{label}: enter an amount such as {amount}.', { label, amount: amountText(125_000n, currency) }),
  }));
  if (unreadable.length > 0 || refundCents === undefined || refundCents >= 0n) return unreadable;
  const values = { held: moneyText(heldCents, currency), over: moneyText(-refundCents, currency) };
  return [{ path: 'seller', message: t('The parts exceed the {held} that are held by {over}.', values) }];
}

/** Unusual decisions, allowed after a second confirmation. */
export function warningsAbout(split: TypedSplit, escrow: EscrowView, isSellerBlacklisted: boolean): Message[] {
  const { cents, refundCents } = split;
  const { system_fee_cents, service_fee_cents } = escrow.splitPlan;
  const fees = (cents.systemFee ?? 0n) + (cents.serviceFee ?? 0n);
  const agreed = BigInt(system_fee_cents) + BigInt(service_fee_cents);
  return [
    ...(isSellerBlacklisted && (cents.seller ?? 0n) > 0n
      ? [t('The seller is blacklisted, and this decision pays them.')]
      : []),
    ...(fees > agreed
      ? [
          t('The fees are higher than the {amount} that the escrow was agreed with.', {
            amount: moneyText(agreed, escrow.currency),
          }),
        ]
      : []),
    ...(BigInt(escrow.chargedBackAmount) > 0n
      ? [
          t(
            '{amount} of the payment was taken back. What is still owed of it is settled first, from what the buyer gets.',
            {
              amount: moneyText(escrow.chargedBackAmount, escrow.currency),
            },
          ),
        ]
      : []),
    ...((cents.seller ?? 0n) === 0n && fees > 0n && (refundCents ?? 0n) > 0n
      ? [t('The seller gets nothing, and the buyer still pays fees.')]
      : []),
  ];
}

type Preview = {
  readonly escrow: EscrowView;
  readonly split: TypedSplit;
  readonly warnings: readonly Message[];
};

/** Where the cents go. A script asks for it again while somebody types. */
export function splitPreview({ escrow, split, warnings }: Preview): Html {
  const { currency } = escrow;
  const { cents, refundCents, heldCents } = split;
  const mistakes = split.isEmpty ? [] : mistakesIn(split, currency);
  const row = (label: Message, amount: bigint | undefined) =>
    html`<div><dt>${label}</dt><dd class="money">${amount === undefined ? '–' : moneyText(amount, currency)}</dd></div>`;
  return html`<div id="split-preview" aria-live="polite"><dl class="facts split">
${SPLIT_FIELDS.map(([name, label]) => row(label, cents[name]))}
${row(t('For the buyer'), refundCents)}
${html`<div class="total"><dt>${t('Held now')}</dt><dd class="money">${moneyText(heldCents, currency)}</dd></div>`}
</dl>
${mistakes.map(({ message }) => notice({ tone: 'bad', text: message }))}
${warnings.length === 0 ? NOTHING : warnings.map((text) => notice({ tone: 'warn', text }))}</div>`;
}

/** Stands where the amounts stood, so that the next answer finds its place. */
export function noPreview(why: Text): Html {
  return html`<div id="split-preview" aria-live="polite">${notice({ tone: 'warn', text: why })}</div>`;
}

/** The fields of the decision, for the form that confirms it. */
export function hiddenSplit(form: Form): Html {
  return html`${[...SPLIT_FIELDS.map(([name]) => name), 'reason'].map(
    (name) => html`<input type="hidden" name="${name}" value="${form.text(name)}">`,
  )}`;
}
