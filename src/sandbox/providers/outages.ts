import { setTimeout as delay } from 'node:timers/promises';
import type { MiddlewareHandler } from 'hono';

/** The providers that the sandbox stands in for. */
export const SANDBOX_PROVIDERS = ['gateway', 'messaging', 'mobile-money', 'payout', 'webhooks'] as const;
export type SandboxProvider = (typeof SANDBOX_PROVIDERS)[number];

type Outage = {
  readonly provider: SandboxProvider;
  readonly seconds: number;
  readonly slowMs?: number | undefined;
};

export type Outages = {
  /** Replaces the provider's current outage settings. */
  begin(outage: Outage): void;
  /** Runs before the provider's own routes: answers 503 during an outage, and delays responses while the provider is slow. */
  door(provider: SandboxProvider): MiddlewareHandler;
};

export function createOutages(): Outages {
  const current = new Map<SandboxProvider, { readonly until: number; readonly slowMs: number | undefined }>();
  return {
    begin({ provider, seconds, slowMs }) {
      current.set(provider, { until: performance.now() + seconds * 1_000, slowMs });
    },
    door: (provider) => async (c, next) => {
      const outage = current.get(provider);
      if (outage === undefined || outage.until <= performance.now()) return next();
      if (outage.slowMs === undefined) return c.text('Service Unavailable', 503);
      await delay(outage.slowMs);
      return next();
    },
  };
}
