import type { z } from '@hono/zod-openapi';
import { readTenant } from '../../../db/core/orm.ts';
import { isHeldByPlatform } from '../../../db/ledger/account-freeze.ts';
import { personBehind } from '../../../db/treasury/bank-details.ts';
import {
  findWithdrawal,
  findWithdrawalTimeline,
  listWithdrawals,
  WITHDRAWAL_SORTS,
} from '../../../db/treasury/withdrawals.ts';
import { Refusal } from '../../../domain/errors.ts';
import { publicId } from '../../../domain/ids.ts';
import { isHoldBack } from '../../../domain/withdrawal/bank-reports.ts';
import { WITHDRAWAL_STATUSES } from '../../../domain/withdrawal/withdrawal.ts';
import { runOnce } from '../../commands/idempotency.ts';
import { actorIn } from '../../commands/ordered-by.ts';
import { type RequestedWithdrawal, requestWithdrawal } from '../../commands/withdrawals.ts';
import type { ApiDependencies } from '../../context.ts';
import { pageAnswer } from '../../contract/lists.ts';
import { versionTag } from '../../middleware/headers.ts';
import { created, type Operations, ok, tenant } from '../../operation.ts';
import { InvalidRequest } from '../../problem.ts';
import { pathIds, text } from '../../schemas/common.ts';
import { anyOf, changedBetween, listing, pageResponse, splitQuery } from '../../schemas/lists.ts';
import {
  BANK_FIELDS,
  destinationOf,
  timelineView,
  Withdrawal,
  WithdrawalRequest,
  WithdrawalRequested,
  WithdrawalWithTimeline,
  withdrawalView,
} from '../../schemas/treasury.ts';

const tag = 'Treasury';
const SANDBOX_NOTE =
  'The sandbox decides by the start of `externalReference`: `sandbox-rejected` is rejected (AC04), `sandbox-returned` is paid and ' +
  'returned after 5 s (AC06; the service asks again within an hour of the test clock), `sandbox-manual` stays PROCESSING until a ' +
  'tester decides, and everything else is paid after 1 s.';

const WithdrawalQuery = listing('page', WITHDRAWAL_SORTS, '-createdAt').extend({
  status: anyOf(WITHDRAWAL_STATUSES).optional(),
  externalReference: text().optional().describe('Your own reference.'),
  q: text().optional().describe('Only those with this reference, of yours or at the bank, in any case.'),
  ...changedBetween(),
});

export function registerWithdrawals(operation: Operations, dependencies: ApiDependencies): void {
  const { orm, reads, cipher, settings } = dependencies;

  operation(
    {
      method: 'post',
      path: '/v1/treasury/withdraw',
      tag,
      summary: 'Pay money out to a bank account',
      description:
        'The amount and the transfer tax on it are held at once. When the bank has paid, they leave the account; when it ' +
        'refuses, everything is given back. Follow it by its id, which is also the id of its transaction. Without bank fields the money ' +
        "goes to the default bank details of the account's ledger, else to the user's bank account, else it is 400. " +
        SANDBOX_NOTE,
      access: tenant('manage_money', { factor: 'fresh' }),
      idempotency: 'required',
      body: WithdrawalRequest,
      unknownFields: 'refused',
      success: created(WithdrawalRequested),
      refusals: [
        'not_found',
        'user_blacklisted',
        'duplicate_reference',
        'insufficient_funds',
        'bank_details_cooling',
        'payout_not_backed',
        'receivable_open',
        'account_frozen',
        'account_not_owned',
        'idempotency_key_reused',
      ],
    },
    ({ body: input, companyId, principal, c }) =>
      runOnce(
        c,
        dependencies,
        async (commandId) => {
          const { accountId, amount: amountCents, externalReference } = input;
          const requested = await requestWithdrawal(dependencies, {
            ...{ companyId, commandId, accountId, amountCents, externalReference },
            ...{ given: destinationOf(input), role: principal.role },
            personOf: (em) => personBehind(em, actorIn(principal)),
          });
          if (requested === null) throw withoutDestination();
          return requestedView(requested, externalReference);
        },
        { makes: 'transaction' },
      ),
  );

  operation(
    {
      method: 'get',
      path: '/v1/treasury/withdrawals',
      tag,
      summary: "The company's withdrawals, newest first",
      description: 'Each with its state at the bank.',
      access: tenant('read'),
      query: WithdrawalQuery,
      success: ok(pageResponse(Withdrawal)),
    },
    async ({ query, companyId, c }) => {
      const { page, filter } = splitQuery(query, WITHDRAWAL_SORTS);
      const found = await reads(companyId, (em) => listWithdrawals(em, cipher, companyId, filter, page));
      return pageAnswer(c, query, found, (row) => withdrawalView(row, settings.bankCharacterSet));
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/treasury/withdrawals/{id}',
      tag,
      summary: 'One withdrawal with its events',
      description: 'Its `ETag` goes into `If-Match` of a command that must not meet another version.',
      access: tenant('read'),
      params: pathIds({ id: 'transaction' }),
      success: ok(WithdrawalWithTimeline),
      refusals: ['not_found'],
    },
    async ({ params: { id }, companyId, c }) => {
      const {
        withdrawal,
        timeline,
        isHeldByPlatform: isForPlatform,
      } = await readTenant(orm, companyId, async (em) => {
        const found = await findWithdrawal(em, cipher, companyId, id);
        if (found === null) throw new Refusal('not_found', 'withdrawal not found');
        return {
          withdrawal: found,
          timeline: await findWithdrawalTimeline(em, companyId, id),
          isHeldByPlatform: isHoldBack(found.concern) && (await isHeldByPlatform(em, companyId, id)),
        };
      });
      const view = withdrawalView(withdrawal, settings.bankCharacterSet);
      c.header('ETag', versionTag(view.version));
      return { ...view, is_held_by_platform: isForPlatform, timeline: timelineView(timeline) };
    },
  );
}

function withoutDestination(): InvalidRequest {
  const message = 'is required: neither the ledger nor the user has bank details that a payment file can carry';
  return new InvalidRequest(
    'validation_failed',
    BANK_FIELDS.map((path) => ({ path, message })),
  );
}

function requestedView(
  { terms, at, notBefore, sent }: RequestedWithdrawal,
  reference: string,
): z.infer<typeof WithdrawalRequested> {
  return {
    id: publicId('transaction', terms.withdrawalId),
    status: 'PROCESSING',
    amount: terms.amountCents.toString(),
    taxAmount: terms.taxCents.toString(),
    reference,
    created_at: at,
    not_before: notBefore?.toISOString() ?? null,
    sent_to_bank: sent,
  };
}
