import { randomUUID } from 'node:crypto';
import type { components, paths } from './types.ts';

/** Creates a deposit, and reads a refusal by its code, with the types of openapi-typescript. */

type Operation = paths['/v1/payments/deposit']['post'];
type Deposit = Operation['responses'][201]['content']['application/json'];
type Problem = Operation['responses'][422]['content']['application/problem+json'];

async function depositFor(userId: string): Promise<Response> {
  const body: components['schemas']['DepositRequest'] = { amount: 25_000, currency: 'USD', userId };
  return fetch(`${process.env.ESCROW_URL}/v1/payments/deposit`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': process.env.ESCROW_API_KEY ?? '',
      'x-company-id': process.env.ESCROW_COMPANY_ID ?? '',
      'x-idempotency-key': randomUUID(),
    },
    body: JSON.stringify(body),
  });
}

const deposit = (await (await depositFor(process.env.ESCROW_USER_ID ?? '')).json()) as Deposit;
console.log(`deposit ${deposit.status} ${deposit.amount}`);
const problem = (await (await depositFor(`usr_${randomUUID()}`)).json()) as Problem;
console.log(`problem ${problem.status} ${problem.code}`);
