/** When a delivery is tried again, and when an endpoint is given up. Times are milliseconds. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The wait after each failed attempt: short at first, then each 12 h for three days. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  ...Array.from({ length: 6 }, () => 12 * HOUR),
];

/** A wait is lengthened by up to this part, so that deliveries that failed together do not return together. */
const JITTER = 0.2;

/**
 * The wait before the next attempt after `failedAttempts` failed ones; null if there are no more attempts. `random` is from 0 to 1.
 */
export function retryDelayMs(failedAttempts: number, random: number): number | null {
  const delay = RETRY_DELAYS_MS[failedAttempts - 1];
  return delay === undefined ? null : Math.round(delay * (1 + JITTER * random));
}

/** An endpoint without any success for this time is disabled. */
export const GIVE_UP_AFTER_MS = 72 * HOUR;

/** The receiver says that it is gone for good. */
export const GONE_STATUS = 410;

export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

export const WEBHOOK_STATUSES = ['ENABLED', 'DISABLED'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** Why an endpoint is disabled. */
export const DISABLED_REASONS = ['REQUESTED', 'GONE', 'FAILING'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Who added an endpoint. */
export type EndpointMaker = { readonly kind: 'api_key' | 'administrator'; readonly id: string };

export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const MAX_ENDPOINTS = 20;
/** The longest time for which a replaced secret signs along. */
export const MAX_ROTATION_GRACE_SECONDS = 86_400;
/** Deliveries and their attempts are kept for this time. */
export const DELIVERY_RETENTION_DAYS = 30;
