import { isRefusalCode, REFUSALS, type Refusal, type RefusalCode, retryAfterSecondsOf } from '../domain/errors.ts';
import {
  type ForbiddenReason,
  isForbiddenReason,
  isStatementReason,
  STATEMENT_REASONS,
} from '../domain/refusal-reasons.ts';
import { ApiProblem, type FieldError, type SentReason } from './api-client.ts';
import { joined, Message, plainText, type Text, t } from './language/message.ts';

/** Problems of the API as sentences for people who use the console. */

/** Sentences that say more to a person than the problem's title does. */
const SENTENCES: { readonly [Code in RefusalCode]?: Message } = {
  forbidden: t('Your role does not permit this. Ask an owner or an administrator of the company.'),
  company_mismatch: t('This belongs to another company.'),
  invalid_credentials: t('The e-mail address or the password is wrong.'),
  mfa_required: t('A second factor is required. Set one up on the page of your second factor.'),
  wrong_state: t('The current state does not allow this, or it changed after the page was shown. Nothing was done.'),
  precondition_failed: t(
    'This changed after the page was shown, so nothing was done. Check the current values before you send the form.',
  ),
  negotiation_pending: t('Answer the open proposal first.'),
  idempotency_in_progress: t('Still processing. Sending the form again is safe.'),
  idempotency_key_reused: t(
    'This form was already sent with other values, which may have taken effect. Check, then open the page again.',
  ),
  split_exceeds_held: t('The parts exceed the held amount.'),
  split_mismatch: t('The parts do not add up to the amount.'),
  user_blacklisted: t('The user is blacklisted, so this is not possible. Nothing was moved.'),
  account_frozen: t('The account is frozen. Nothing was moved.'),
  insufficient_funds: t('The available balance does not cover the amount. Nothing was moved.'),
  payment_charged_back: t('The payment that funded the escrow was charged back, so it cannot be released.'),
  payout_not_backed: t('The company has not received enough money for this payout.'),
  too_many_requests: t('Too many requests or files in a short time. Wait a moment and try again.'),
  dependency_unavailable: t('A part of the service is not responding. Nothing is lost: try again in a moment.'),
  provider_unavailable: t('A provider is not responding. Nothing is lost: try again in a moment.'),
  payload_too_large: t('The form is too long, so nothing was done. Shorten its texts, and send it again.'),
  not_found: t('Not found in the company that the console shows.'),
};

/** What is forbidden for another reason than the reader's role. */
const FORBIDDEN: { readonly [Reason in ForbiddenReason]: Message } = {
  platform_records_receipts: t('Only the platform does this. Ask its staff.'),
  platform_froze: t('Only the platform does this. Ask its staff.'),
  other_administrator: t('Another administrator, who was there before the change, has to approve it.'),
};

/** Problems that the console finds itself, before it calls the API. */
const OWN_SENTENCES = {
  form_of_other_session: t(
    'Nothing was done: the form was opened before you logged in. Check the form and send it again.',
  ),
  form_of_other_company: t('Nothing was done: the form belongs to another company than the one shown now.'),
  form_back_in_its_company: t(
    'Nothing was done. You act for the form’s company again: check the form and send it again.',
  ),
  form_broken: t('Nothing was done: the form is not as the page sends it. Open the page again.'),
  form_unreadable: t('Nothing was done: the form does not name its company. Open the page again.'),
  changed_meanwhile: t('Nothing was saved: someone else changed this.'),
  secret_shown_before: t(
    'This was already done, and the secret was shown. If you did not see it, create another one and remove this one.',
  ),
  password_shown_before: t(
    'The administrator was already added, and the temporary password was shown. If you did not see it, remove the administrator and add them again.',
  ),
  factor_code_wrong: t('The code is wrong or was used. Wait for the next one.'),
} as const;
export type OwnProblem = keyof typeof OWN_SENTENCES;

/** Why a form was not carried out. */
export const ownProblem = (code: OwnProblem) => new ApiProblem({ status: 403, code, detail: code });

const isOwnProblem = (code: string): code is OwnProblem => Object.hasOwn(OWN_SENTENCES, code);

/** A form that was not read, because its company sends too many. */
export const throttled = (refusal: Refusal) =>
  new ApiProblem({
    status: 429,
    code: refusal.code,
    detail: refusal.message,
    retryAfterSeconds: retryAfterSecondsOf(refusal) ?? null,
  });

/** About a code of the second factor. */
export function codeNotice(problem: ApiProblem): Text {
  return problem.code === 'invalid_credentials' || problem.code === 'mfa_required'
    ? t('The code is wrong or was used. Wait for the next one.')
    : sentenceOf(problem);
}

export function sentenceOf({ code, message, reason }: ApiProblem): Text {
  if (isOwnProblem(code)) return OWN_SENTENCES[code];
  if (code === 'validation_failed' || code === 'invalid_id') return t('Some fields are not valid.');
  if (reason !== undefined && isForbiddenReason(reason.code)) return FORBIDDEN[reason.code];
  return sentenceOfRefusal(code, reason === undefined ? message : whyOf(reason, message));
}

/** For a code that an object of the API holds, such as the reason of a refused release. */
export function sentenceOfRefusal(code: string, detail: Text = ''): Text {
  if (!isRefusalCode(code)) return t('Something went wrong on our side. Trying again is safe.');
  const { title } = REFUSALS[code];
  const isAlone = detail === '' || detail === title;
  return SENTENCES[code] ?? (isAlone ? joined([t(title), '.'], '') : withDetail(t(title), detail));
}

/** What is wrong with a file or a statement. */
function whyOf({ code, value = '' }: SentReason, message: string): Text {
  return isStatementReason(code) ? t(STATEMENT_REASONS[code], { value, count: Number(value) }) : message;
}

function withDetail(title: Message, detail: Text): Message {
  return new Message((language) => {
    const sentence = plainText(detail, language).replace(/\.$/, '');
    return joined([title, language.tag === 'fr' ? '\u00a0: ' : ': ', sentence, '.'], '').in(language);
  });
}

/** What is wrong with a field, as a sentence for the place beside the field. */
export function fieldMessage(problem: ApiProblem | undefined, name: string): Text | undefined {
  const error = problem?.errors.find(({ path }) => path === name);
  return error === undefined ? undefined : asSentence(error.message);
}

/** The same for a list of all mistakes: with the field's name, if the message does not say it. */
export function fieldSentence({ path, message }: FieldError): Text {
  if (message instanceof Message) return message;
  const isSentence = /^[A-Z]/.test(message);
  return asSentence(isSentence || path === '' ? message : `${pathWords(path)} ${message}`);
}

function asSentence(text: Text): Text {
  if (text instanceof Message) return text;
  const end = /[.!?]$/.test(text) ? '' : '.';
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${end}`;
}

/** `items.0.pricePerUnit` → `items 1 price per unit`. */
function pathWords(path: string): string {
  const parts = path.split('.').map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : part));
  return parts
    .join(' ')
    .replace(/_/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
}
