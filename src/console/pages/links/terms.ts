import type { AnswerOf, Operation, RequestOf } from '../../../../clients/typescript/src/types.ts';
import { MAX_AUTO_RELEASE_HOURS } from '../../../domain/escrow/escrow.ts';
import { FEE_PAYERS } from '../../../domain/escrow/shares.ts';
import { LOCALES, type Locale } from '../../../domain/locale.ts';
import { LINK_LIFETIME_HOURS, MAX_LINK_LIFETIME_HOURS } from '../../../domain/payment-link/link.ts';
import { select, textArea, textField } from '../../components/form.ts';
import { type Html, html, NOTHING } from '../../components/html.ts';
import { numberText } from '../../components/numbers.ts';
import type { Fact } from '../../components/parts.ts';
import { entered, optional, optionalWholeOf } from '../../entered.ts';
import { type Message, type Text, t } from '../../language/message.ts';
import type { Form, Visit } from '../../page.ts';

/** The terms of a new link that have a default: fees, release, milestones, lifetime, language and return addresses. */

const MILESTONES = [0, 1, 2, 3, 4] as const;
const SHARE_EXAMPLE = numberText(33.33);
const LANGUAGES: Readonly<Record<Locale, Message>> = {
  en: t('English'),
  fr: t('French'),
  pt: t('Portuguese'),
};

type NewLink = RequestOf<Operation<'post', '/v1/payments/generate-escrow-payment-link'>>['body'];
type LinkView = AnswerOf<Operation<'get', '/v1/payments/links/{id}'>>;
/** What the company says of a link besides its terms: what is both sent and shown. */
type OfferName = Exclude<keyof LinkView & keyof NewLink, 'amount' | 'buyerId' | 'currency'>;
type Typed = { readonly name: OfferName; readonly value: string; readonly error: Text | undefined };

const address = (typed: Typed, label: Message) =>
  textField({ ...typed, label, hint: t('On a checkout host of the settings'), type: 'url', maxLength: 2_000 });

type OfferRow = {
  readonly isFolded: boolean;
  readonly fact: (link: LinkView) => Fact;
  readonly field: (typed: Typed) => Html;
};

const OFFER: Readonly<Record<OfferName, OfferRow>> = {
  externalReference: {
    isFolded: false,
    fact: (link) => [t('Reference'), link.externalReference],
    field: (typed) => textField({ ...typed, label: t('Your reference'), maxLength: 255 }),
  },
  userReference: {
    isFolded: false,
    fact: (link) => [t('Memo'), link.userReference],
    field: (typed) => textArea({ ...typed, label: t('Memo'), rows: 2 }),
  },
  locale: {
    isFolded: true,
    fact: ({ locale }) => [
      t('Language'),
      locale === null ? t('The language of the buyer’s browser') : LANGUAGES[locale],
    ],
    field: (typed) =>
      select({
        ...typed,
        label: t('Language of the checkout'),
        options: [
          { value: '', label: t('The language of the buyer’s browser') },
          ...LOCALES.map((locale) => ({ value: locale, label: LANGUAGES[locale] })),
        ],
      }),
  },
  successUrl: {
    isFolded: true,
    fact: (link) => [t('After the payment'), link.successUrl],
    field: (typed) => address(typed, t('Address after the payment')),
  },
  cancelUrl: {
    isFolded: true,
    fact: (link) => [t('If the buyer cancels'), link.cancelUrl],
    field: (typed) => address(typed, t('Address if the buyer cancels')),
  },
};
const OFFER_NAMES = Object.keys(OFFER) as OfferName[]; // its only keys

export function offerFacts(link: LinkView): readonly Fact[] {
  return OFFER_NAMES.map((name) => OFFER[name].fact(link));
}

/** The fields of the offer; `isFolded`: those with a default that most links keep. */
export function offerFields(visit: Visit, { isFolded }: Pick<OfferRow, 'isFolded'>): readonly Html[] {
  const { value, error } = entered(visit, 'make');
  return OFFER_NAMES.filter((name) => OFFER[name].isFolded === isFolded).map((name) =>
    OFFER[name].field({ name, value: value(name), error: error(name) }),
  );
}

function offerIn(sent: Form): { readonly [Name in OfferName]: NewLink[Name] } {
  return {
    externalReference: optional(sent.text('externalReference')),
    userReference: optional(sent.text('userReference')),
    locale: LOCALES.find((locale) => locale === sent.text('locale')),
    successUrl: optional(sent.text('successUrl')),
    cancelUrl: optional(sent.text('cancelUrl')),
  };
}

export function termFields(visit: Visit): Html {
  const { value, error, isRefused } = entered(visit, 'make');
  const field = (name: string) => ({ name, value: value(name), error: error(name) });
  const hours = (name: string, label: Message, hint: Message, max: number) =>
    textField({ ...field(name), label, hint, type: 'number', min: 1, max });
  return html`<details class="more-terms"${isRefused ? html` open` : NOTHING}><summary>${t('Fees, release, milestones, language, return addresses')}</summary><div class="stack">
${select({
  ...field('feePayer'),
  label: t('Who pays the fees'),
  options: [
    { value: '', label: t('The seller, out of the price') },
    { value: 'BUYER', label: t('The buyer, on top of the price') },
  ],
})}
${hours('expiresInHours', t('Hours until it expires'), t('Empty: {count} hours', { count: LINK_LIFETIME_HOURS }), MAX_LINK_LIFETIME_HOURS)}
${hours('autoReleaseHours', t('Automatic release after hours'), t('Empty: the setting of the company. Not with milestones.'), MAX_AUTO_RELEASE_HOURS)}
<fieldset class="item"><legend>${t('Milestones')} <span class="optional">${t('optional')}</span></legend><p class="hint">${t('Parts of the price that are released one by one. They add up to 100 %.')}</p>${MILESTONES.map(
    (index) => html`<div class="form-row">
${textField({ ...field(`milestones.${index}.title`), label: t('Milestone {number}', { number: index + 1 }), maxLength: 255 })}
${textField({ ...field(`milestones.${index}.percentage`), label: t('Per cent of the price, {number}', { number: index + 1 }), inputMode: 'decimal', placeholder: SHARE_EXAMPLE })}</div>`,
  )}</fieldset>
${offerFields(visit, { isFolded: true })}</div></details>`;
}

/** The chosen terms, as the API takes them. */
export function termsOf(sent: Form) {
  const milestones = filledMilestones(sent).map((index) => milestoneOf(sent, index));
  return {
    feePayer: FEE_PAYERS.find((payer) => payer === sent.text('feePayer')),
    expiresInHours: optionalWholeOf(sent, 'expiresInHours'),
    autoReleaseHours: optionalWholeOf(sent, 'autoReleaseHours'),
    milestones: milestones.length === 0 ? undefined : milestones,
    ...offerIn(sent),
  };
}

const fieldsOfMilestone = (index: number) => [`milestones.${index}.title`, `milestones.${index}.percentage`] as const;

/** The rows with a milestone. */
export function filledMilestones(sent: Form): readonly number[] {
  return MILESTONES.filter((index) => fieldsOfMilestone(index).some((name) => sent.text(name) !== ''));
}

function milestoneOf(sent: Form, index: number) {
  const [title, share] = fieldsOfMilestone(index);
  if (sent.text(title) === '') return sent.refuse(title, t('Enter a title.'));
  // No group of three digits fits, so a comma is always a decimal one.
  if (!/^\d{1,3}([.,]\d{1,2})?$/.test(sent.text(share)))
    return sent.refuse(share, t('Enter a percentage such as {example}.', { example: SHARE_EXAMPLE }));
  return { title: sent.text(title), percentage: Number(sent.text(share).replace(',', '.')) };
}
