import { randomUUID } from 'node:crypto';
import { bare, sql } from './api.ts';
import { eventually } from './eventually.ts';
import { newCompany, newUser, type TestCompany, type TestService } from './service.ts';

/** Helpers that the treasury tests share. */

export const BANK = {
  bank_name: 'CBZ & Söhne',
  branch_code: '6101',
  account_number: '01234567890123',
  account_name: 'T. Moyo',
};

/** The request for a withdrawal. */
export const asked = (accountId: string, amount: number, fields: Record<string, unknown> = {}) => ({
  accountId,
  amount,
  externalReference: `payout-${randomUUID()}`,
  ...BANK,
  ...fields,
});

/** A user of a company of their own, which taxes withdrawals at the default rates if `isTaxed`. */
export async function newHolder(
  service: TestService,
  {
    balance = 10_000,
    isTaxed = false,
    user: fields = {},
  }: { balance?: number; isTaxed?: boolean; user?: Record<string, unknown> } = {},
) {
  const owner = await newCompany(service);
  if (isTaxed) await owner.post('/v1/treasury/seed-configs');
  const user = await newUser(owner, fields);
  await owner.post('/v1/payments/deposit', { userId: user.id, amount: balance, currency: 'USD' });
  const account = async () => (await owner.get(`/v1/ledger/accounts/${user.usdAccountId}`)).body;
  return { company: owner, user, accountId: user.usdAccountId, account };
}

export const companyAccount = async (of: TestCompany, type: string, currency = 'USD') =>
  (await of.get('/v1/ledger/company/accounts')).body.find(
    (account: { type: string; currency: string }) => account.type === type && account.currency === currency,
  );

/** A withdrawal that the bank has accepted and does not decide, so that nothing but the caller changes it. */
export async function newUndecidedPayout(of: TestCompany, accountId: string, amount: number) {
  const externalReference = `sandbox-manual-${randomUUID()}`;
  const { id } = (await of.post('/v1/treasury/withdraw', asked(accountId, amount, { externalReference }))).body;
  const read = async () => (await of.get(`/v1/treasury/withdrawals/${id}`)).body;
  await eventually(async () => (await read()).timeline.at(-1).event === 'SUBMITTED');
  return { id, externalReference, read };
}

/** The withdrawal once the bank has decided. */
export const ended = (of: TestCompany, id: string) =>
  eventually(async () => {
    const { status, body } = await of.get(`/v1/treasury/withdrawals/${id}`);
    return status === 200 && body.status !== 'PROCESSING' && body;
  });

/** Puts money on an account that no operation credits directly. */
export async function fundByHand(
  service: TestService,
  of: TestCompany,
  accountId: string,
  amountCents: number,
): Promise<void> {
  const declared = await companyAccount(of, 'CLEARING_DECLARED');
  const id = randomUUID();
  const posting = {
    id,
    company_id: bare(of.id),
    key: `deposit/${id}`,
    type: 'ADJUSTMENT',
    status: 'COMPLETED',
    amount: String(amountCents),
    currency: 'USD',
    reference: null,
    escrow_id: null,
    metadata: {},
    legs: [
      { account_id: bare(declared.id), amount: String(-amountCents) },
      { account_id: accountId, amount: String(amountCents) },
    ],
    holds: [],
  };
  const [outcome] = await sql(service, 'select kind from ledger_post($1::jsonb)', [JSON.stringify([posting])]);
  if (outcome?.kind !== 'posted') throw new Error('the ledger refused the money');
  // The request that an audit expects as the cause.
  await sql(
    service,
    `insert into audit_log (company_id, actor_kind, actor_id, actor_role, operation, resource, status, request_id)
     values ($1, 'api_key', gen_random_uuid(), 'OWNER', 'POST /v1/payments/deposit', $2, 201, 'by hand')`,
    [bare(of.id), `txn_${id}`],
  );
}
