import { HOUR_MS } from '../time.ts';

/** When a delivery is tried again, and when an endpoint is given up. Times are milliseconds. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** The wait after each failed attempt, as Standard Webhooks recommends: about three days in all. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** A wait is lengthened by up to this share, so that deliveries that failed together do not return together. */
const MAX_JITTER_SHARE = 0.2;

/**
 * The wait before the next attempt after `failedAttempts` failed ones; null if there are no more attempts. `random` is from 0 to
 * 1.
 */
export function retryDelayMs(failedAttempts: number, random: number): number | null {
  const delay = RETRY_DELAYS_MS[failedAttempts - 1];
  return delay === undefined ? null : Math.round(delay * (1 + MAX_JITTER_SHARE * random));
}

/** An endpoint that has only failed for this long is disabled. */
export const GIVE_UP_AFTER_MS = 72 * HOUR_MS;

/** The HTTP status by which a receiver says that it is gone for good. */
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
/** The longest time for which a replaced secret also signs. */
export const MAX_ROTATION_GRACE_SECONDS = 86_400;
/** Deliveries and their attempts are kept for this time. */
export const DELIVERY_RETENTION_DAYS = 30;
