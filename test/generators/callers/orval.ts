import { randomUUID } from 'node:crypto';
import { createDeposit } from './client.ts';

/** Creates a deposit, and reads a refusal by its code, with the code of orval. */

const depositFor = (userId: string) =>
  createDeposit(
    { amount: 25_000, currency: 'USD', userId },
    {
      headers: {
        'x-api-key': process.env.ESCROW_API_KEY ?? '',
        'x-company-id': process.env.ESCROW_COMPANY_ID ?? '',
        'x-idempotency-key': randomUUID(),
      },
    },
  );

const deposit = await depositFor(process.env.ESCROW_USER_ID ?? '');
if (deposit.status === 201) console.log(`deposit ${deposit.data.status} ${deposit.data.amount}`);
const refusal = await depositFor(`usr_${randomUUID()}`);
if (refusal.status === 422) console.log(`problem ${refusal.data.status} ${refusal.data.code}`);
