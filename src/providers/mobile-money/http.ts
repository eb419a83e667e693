import type { Logger } from 'pino';
import { z } from 'zod';
import { formatAmount, isoCurrency } from '../../domain/money.ts';
import { E164 } from '../../domain/phone.ts';
import { createHttp, type HttpLimits } from '../http.ts';
import { ProviderError } from '../provider-error.ts';
import type { MobileMoney } from './port.ts';

/**
 * A plain HTTP form of the mobile money port, because no public format fits every operator: a reference identifies one charge,
 * and its status is read under the reference.
 *
 *   POST {host}/v1/charges {"reference","phone","amount":"92.00","currency":"USD"} → {"reference","status"}
 *   GET  {host}/v1/charges/{reference}                                            → {"reference","status"}, or 404
 *
 *   POST {host}/v1/charges/{reference}/reversal                                   → {"reference","status"}, or 404
 *
 * `status` is PENDING, APPROVED or DECLINED; for a reversal it is REVERSED or REFUSED. Each further operator gets a file of its
 * own.
 */

export type MobileMoneySettings = { readonly host: string; readonly apiKey: string };

const PROVIDER = 'mobile-money';
const REFERENCE = /^[A-Za-z0-9-]{1,64}$/;

const STATUSES = { PENDING: 'pending', APPROVED: 'approved', DECLINED: 'declined' } as const;
const Reversal = z.object({ status: z.enum(['REVERSED', 'REFUSED']) });
const Charge = z.object({
  reference: z.string(),
  status: z.enum(['PENDING', 'APPROVED', 'DECLINED']).transform((word) => STATUSES[word]),
});

export function createMobileMoney(
  { host, apiKey }: MobileMoneySettings,
  log?: Logger,
  limits?: Partial<HttpLimits>,
): MobileMoney {
  const http = createHttp({ provider: PROVIDER, host, headers: { authorization: `Bearer ${apiKey}` }, log, limits });
  return {
    async charge({ reference, phone, amountCents, currency }) {
      if (!REFERENCE.test(reference) || !E164.test(phone)) throw new Error('a charge needs a reference and a number');
      const request = {
        method: 'POST',
        path: ['v1', 'charges'],
        json: { reference, phone, amount: formatAmount(amountCents, currency), currency: isoCurrency(currency) },
        effect: 'repeatable', // the reference makes the charge idempotent
      } as const;
      const answer = await http.exchange(request);
      if (answer.status >= 400) throw new ProviderError(PROVIDER, 'unreachable', `refused a charge (${answer.status})`);
      return http.understand(request, answer, Charge).status;
    },
    async reverse(reference) {
      if (!REFERENCE.test(reference)) return 'refused';
      // The reference makes the reversal idempotent.
      const request = { method: 'POST', path: ['v1', 'charges', reference, 'reversal'], effect: 'repeatable' } as const;
      const answer = await http.exchange(request);
      if (answer.status === 404) return 'refused';
      if (answer.status >= 400)
        throw new ProviderError(PROVIDER, 'unreachable', `refused a reversal (${answer.status})`);
      return http.understand(request, answer, Reversal).status === 'REVERSED' ? 'refunded' : 'refused';
    },
    async status(reference) {
      if (!REFERENCE.test(reference)) return 'unknown';
      const request = { method: 'GET', path: ['v1', 'charges', reference], effect: 'none' } as const;
      const answer = await http.exchange(request);
      if (answer.status === 404) return 'unknown';
      if (answer.status >= 400)
        throw new ProviderError(PROVIDER, 'unreachable', `refused a status request (${answer.status})`);
      return http.understand(request, answer, Charge).status;
    },
  };
}
