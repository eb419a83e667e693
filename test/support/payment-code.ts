import type { PaymentCode } from '../../src/providers/messaging/port.ts';

/** A one-time password as it is sent, for tests of the messaging platform. */
export function paymentCode(code: string): PaymentCode {
  return { code, merchant: 'Market', amount: 'USD 250.00' };
}
