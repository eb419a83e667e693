import type { Logger } from 'pino';
import { z } from 'zod';
import { createHttp, type HttpLimits } from '../http.ts';
import { ProviderError } from '../provider-error.ts';
import type { BankTransport } from './iso20022.ts';

/**
 * Files over HTTP, for banks and service bureaus that offer it and for the sandbox:
 *
 *   POST {host}/v1/files {"name","content"}   → {"report": "<Document…" | null}
 *   GET  {host}/v1/reports/{EndToEndId}       → {"report": "<Document…" | null}, or 404 for a payment the bank does not know
 */

type HttpTransportSettings = { readonly host: string; readonly token: string };

const PROVIDER = 'payout';
/** A check requests the status and may then send the file, within the time of PROVIDER_ACTIVITY. */
const LIMITS: Partial<HttpLimits> = { deadlineMs: 3_500, attemptMs: 2_000, attempts: 2 };

const Answer = z.object({ report: z.string().nullable() });

export function httpTransport(
  { host, token }: HttpTransportSettings,
  log?: Logger,
  limits: Partial<HttpLimits> = LIMITS,
): BankTransport {
  const http = createHttp({ provider: PROVIDER, host, headers: { authorization: `Bearer ${token}` }, log, limits });
  return {
    async send(file) {
      const request = { method: 'POST', path: ['v1', 'files'], json: file, effect: 'once' } as const; // check before sending again
      const answer = await http.exchange(request);
      // The bank did not accept the file. That says nothing about the payment.
      if (answer.status >= 400) throw new ProviderError(PROVIDER, 'unreachable', `refused a file (${answer.status})`);
      return http.understand(request, answer, Answer).report;
    },
    async reports(endToEndId) {
      const request = { method: 'GET', path: ['v1', 'reports', endToEndId], effect: 'none' } as const;
      const answer = await http.exchange(request);
      if (answer.status === 404) return null;
      if (answer.status >= 400)
        throw new ProviderError(PROVIDER, 'unreachable', `refused a status request (${answer.status})`);
      const { report } = http.understand(request, answer, Answer);
      return report === null ? 'accepted' : [report];
    },
  };
}
