import { workflowInfo } from '@temporalio/workflow';
import { type CompanyId, parseId } from '../domain/ids.ts';
import type { Instant } from '../domain/time.ts';
import { COMPANY_ATTRIBUTE } from './search-attributes.ts';

/**
 * The time of a run's company. It is real time, unless a tester moved the company's clock. Each load of the row updates the
 * offset. The workflow's clock is deterministic, and so is this one.
 */
export class CompanyClock {
  #aheadMs = 0;

  /** Sets how far the company's time is ahead. Returns whether that is a change. */
  set(aheadMs: number): boolean {
    const isMoved = aheadMs !== this.#aheadMs;
    this.#aheadMs = aheadMs;
    return isMoved;
  }

  nowMs(): number {
    return Date.now() + this.#aheadMs;
  }

  now(): Instant {
    return new Date(this.nowMs()).toISOString();
  }
}

/** The company for which the run was started; null if the caller did not name it. The row names it too, once it exists. */
export function companyOfRun(): CompanyId | null {
  return parseId('company', workflowInfo().typedSearchAttributes.get(COMPANY_ATTRIBUTE) ?? '') ?? null;
}
