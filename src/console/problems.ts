import { isRefusalCode, REFUSAL_TITLES, type RefusalCode } from '../domain/errors.ts';
import type { ApiProblem } from './api-client.ts';

/** Problems of the API as sentences for people who use the console. */

/** Sentences that say more to a person than the problem's title does. */
const SENTENCES: { readonly [Code in RefusalCode]?: string } = {
  forbidden: 'Your role does not permit this. Ask an owner or an administrator of the company.',
  company_mismatch: 'This belongs to another company than yours.',
  invalid_credentials: 'The e-mail address or the password is wrong.',
  wrong_state: 'The state has changed since the page was shown, or does not allow this. Nothing was done.',
  negotiation_pending: 'Another proposal waits for an answer. It has to be answered first.',
  idempotency_in_progress: 'The first click is still at work. Reload the page in a moment.',
  idempotency_key_reused: 'This form was sent before with other values. Reload the page and fill it in again.',
  split_exceeds_held: 'The parts add up to more than the money that is held.',
  split_mismatch: 'The parts do not add up to the amount.',
  user_blacklisted: 'The user is blacklisted and cannot be paid. Nothing was moved.',
  account_frozen: 'The account is frozen. Nothing was moved.',
  insufficient_funds: 'The available balance does not cover the amount. Nothing was moved.',
  payment_charged_back: 'The payment that funded the escrow was charged back, so it cannot be released.',
  payout_not_backed: 'The money that came in for the company does not cover this payout.',
  too_many_requests: 'Too many requests in the last minute. Wait a moment and try again.',
  dependency_unavailable: 'A part of the service does not answer. Nothing is lost: try again in a moment.',
  provider_unavailable: 'A provider does not answer. Nothing is lost: try again in a moment.',
  not_found: 'This does not exist, or does not belong to the company that you are looking at.',
};

export function sentenceOf({ code, message }: ApiProblem): string {
  if (code === 'validation_failed' || code === 'invalid_id') return 'Some fields are not valid.';
  if (!isRefusalCode(code)) return 'Something went wrong on our side. Nothing was done twice: you can try again.';
  const known = SENTENCES[code];
  if (known !== undefined) return known;
  const title = REFUSAL_TITLES[code];
  return message === title || message === '' ? `${title}.` : `${title}: ${message}.`;
}
