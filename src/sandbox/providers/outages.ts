import { setTimeout as delay } from 'node:timers/promises';
import type { MiddlewareHandler } from 'hono';

/** The providers that the sandbox stands in for. */
export const SANDBOX_PROVIDERS = ['gateway', 'messaging', 'mobile-money', 'payout', 'webhooks', 'mail'] as const;
export type SandboxProvider = (typeof SANDBOX_PROVIDERS)[number];

type Outage = {
  readonly provider: SandboxProvider;
  readonly seconds: number;
  readonly slowMs?: number | undefined;
};

type Outages = {
  /** Replaces the provider's current outage settings. */
  begin(outage: Outage): void;
  /** Runs before the provider's own routes: answers 503 during an outage, and delays responses while the provider is slow. */
  door(provider: SandboxProvider): MiddlewareHandler;
  /** For a provider that does not speak HTTP. */
  isOut(provider: SandboxProvider): boolean;
};

export function createOutages(): Outages {
  const current = new Map<SandboxProvider, { readonly until: number; readonly slowMs: number | undefined }>();
  const of = (provider: SandboxProvider) => {
    const outage = current.get(provider);
    return outage === undefined || outage.until <= performance.now() ? undefined : outage;
  };
  return {
    begin({ provider, seconds, slowMs }) {
      current.set(provider, { until: performance.now() + seconds * 1_000, slowMs });
    },
    door: (provider) => async (c, next) => {
      const outage = of(provider);
      if (outage === undefined) return next();
      if (outage.slowMs === undefined) return c.text('Service Unavailable', 503);
      await delay(outage.slowMs);
      return next();
    },
    isOut: (provider) => of(provider) !== undefined,
  };
}
