export { EscrowClient } from './client.ts';
export type { components, operations, paths } from './description.ts';
export {
  type AmountDetails,
  ConnectionError,
  type ConnectionErrorCode,
  type DetailsOf,
  EscrowError,
  type Problem,
  type ProblemCode,
} from './errors.ts';
export type { ClientOptions, Credentials } from './options.ts';
export type { AmountProblemCode, KnownProblemCode } from './problem-codes.ts';
export type { RequestOptions } from './types.ts';
export {
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  type WebhookToVerify,
  WebhookVerificationError,
} from './webhooks.ts';
