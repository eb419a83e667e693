import { randomUUID } from 'node:crypto';
import { client } from './client/client.gen';
import { createDeposit } from './client/sdk.gen';

/** Creates a deposit, and reads a refusal by its code, with the code of @hey-api/openapi-ts. */

client.setConfig({ baseUrl: process.env.ESCROW_URL ?? '' });

const depositFor = (userId: string) =>
  createDeposit({
    auth: process.env.ESCROW_API_KEY ?? '',
    headers: { 'x-company-id': process.env.ESCROW_COMPANY_ID ?? '', 'x-idempotency-key': randomUUID() },
    body: { amount: 25_000, currency: 'USD', userId },
  });

const { data } = await depositFor(process.env.ESCROW_USER_ID ?? '');
console.log(`deposit ${data?.status} ${data?.amount}`);
const { error } = await depositFor(`usr_${randomUUID()}`);
console.log(`problem ${error?.status} ${error?.code}`);
