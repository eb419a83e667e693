import { z } from '@hono/zod-openapi';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from 'hono';
import { inTenant, readTenant } from '../../../db/core/orm.ts';
import { Administrator } from '../../../db/entities/tenancy.ts';
import { ownersOf } from '../../../db/identity/companies.ts';
import { hasLedger } from '../../../db/ledger/transactions.ts';
import {
  approveBankDetails,
  BANK_DETAILS_SORTS,
  type BankDetailsChange,
  findBankDetails,
  findDefaultDestination,
  type LedgerBankDetails,
  listBankDetails,
  personBehind,
  type StoredBankDetails,
  setBankDetails,
} from '../../../db/treasury/bank-details.ts';
import { type Approver, endWaits, findWaiting, mayEndWait } from '../../../db/treasury/withdrawals.ts';
import { Refusal, refusedFor } from '../../../domain/errors.ts';
import type { CompanyId, LedgerId } from '../../../domain/ids.ts';
import { publicId } from '../../../domain/ids.ts';
import { mayAct } from '../../../domain/roles.ts';
import { maskAccountNumber, type BankDetails as NewDetails } from '../../../domain/withdrawal/bank-details.ts';
import type { WithdrawalTerms } from '../../../domain/withdrawal/withdrawal.ts';
import { changeAudited, changeOnce, newCommandId } from '../../commands/idempotency.ts';
import { actorIn } from '../../commands/ordered-by.ts';
import { sentToBank } from '../../commands/payout-destination.ts';
import type { ApiDependencies, ApiEnv, Principal } from '../../context.ts';
import { pageAnswer } from '../../contract/lists.ts';
import { noteChanges } from '../../middleware/audit.ts';
import { bearer, type Operations, ok, tenant } from '../../operation.ts';
import { pathIds, timestamp } from '../../schemas/common.ts';
import { listing, pageResponse, splitQuery } from '../../schemas/lists.ts';
import { bankFields, SentToBankNames } from '../../schemas/treasury.ts';

const tag = 'Ledger';

const BankDetails = z
  .object(bankFields)
  .openapi('BankDetails', { description: 'The bank account to which withdrawals go.' });

const maskedNumber = () => z.string().describe('The number of the account: all but the last four characters hidden.');

const waitFields = {
  updated_at: timestamp().nullable().describe('When the latest details were set; null: never.'),
  effective_at: timestamp()
    .nullable()
    .describe('When the latest details take effect, or took it; null where none are set.'),
  pending: z
    .object({
      bank_name: z.string().describe('The name of the bank.'),
      branch_code: z.string().describe('The code of the branch.'),
      account_number: maskedNumber(),
      account_name: z.string().describe('The holder of the account at the bank.'),
      effective_at: timestamp().describe('When they take effect.'),
      changed_at: timestamp().describe('When they were set.'),
      changed_by: z.string().describe('The administrator or API key that set them.'),
    })
    .nullable()
    .describe('The next details, which are not in effect yet; null if there are none.'),
  waiting_payments: z
    .int()
    .describe('How many payments from the ledger wait, because they go to an account that was never paid before.'),
  may_approve: z.boolean().describe('Whether the caller may end the wait of the details or of a payment.'),
  payout_details: z
    .object({
      source: z.enum(['LEDGER', 'USER']).describe("The ledger's details, or the user's bank account."),
      bank_name: z.string().describe('The name of the bank.'),
      account_number: maskedNumber(),
    })
    .nullable()
    .describe('The destination of a withdrawal without bank fields now; null: there is none.'),
};

const BankDetailsSet = BankDetails.extend({
  ledgerId: z.string().describe('The ledger.'),
  sent_to_bank: SentToBankNames.describe('The names in payment files, in the characters that the bank takes.'),
  ...waitFields,
}).openapi('BankDetailsSet', { description: 'The bank details as they were set.' });

const BankDetailsRead = z
  .object({
    ledgerId: z.string().describe('The ledger.'),
    bank_name: z.string().nullable().describe('The name of the bank.'),
    branch_code: z.string().nullable().describe('The code of the branch.'),
    account_number: maskedNumber().nullable(),
    account_name: z.string().nullable().describe('The holder of the account at the bank.'),
    ...waitFields,
  })
  .openapi('BankDetailsRead', { description: 'The bank details in effect, and the next.' });

const BankDetailsChanged = z
  .object({
    bank_name: z.string().describe('The name of the bank.'),
    branch_code: z.string().describe('The code of the branch.'),
    account_number: maskedNumber(),
    account_name: z.string().describe('The holder of the account at the bank.'),
    changed_at: timestamp().describe('When they were set.'),
    changed_by: z.string().describe('The administrator or API key that set them, or the user on an order page.'),
    effective_at: timestamp().nullable().describe('When they took or take effect; null: others replaced them before.'),
    approved_by: z.string().nullable().describe('The administrator who ended the wait; null: nobody did.'),
  })
  .openapi('BankDetailsChange', { description: 'A change of the bank details.' });

const HistoryQuery = listing('page', BANK_DETAILS_SORTS, '-createdAt');

export function registerBankDetails(operation: Operations, dependencies: ApiDependencies): void {
  const { orm, reads, cipher, settings, commands, mails } = dependencies;
  const { bankDetailsCoolingHours: coolingHours } = settings;
  const params = pathIds({ ledgerId: 'ledger' });

  async function requireDetails(em: EntityManager, companyId: CompanyId, ledgerId: LedgerId) {
    const found = await findBankDetails(em, cipher, companyId, ledgerId);
    if (found === null) throw new Refusal('not_found', 'ledger not found');
    return found;
  }

  /** Null: an API key approves nothing. */
  async function approverOf(principal: Principal): Promise<Approver | null> {
    if (principal.kind !== 'administrator' || !mayAct(principal, 'manage_money')) return null;
    const { administratorId: id, companyId } = principal;
    return inTenant(orm, companyId, (own) => own.findOneOrFail(Administrator, { id, companyId }));
  }

  async function waitView(
    em: EntityManager,
    companyId: CompanyId,
    ledgerId: LedgerId,
    details: LedgerBankDetails,
    approver: Approver | null,
  ) {
    const { current, pending } = details;
    const latest = pending ?? current;
    const waiting = await findWaiting(em, companyId, ledgerId);
    const payout = await findDefaultDestination(em, cipher, companyId, details, coolingHours);
    return {
      updated_at: latest?.changedAt.toISOString() ?? null,
      effective_at: latest?.effectiveAt.toISOString() ?? null,
      pending: pending && {
        ...detailsView(pending),
        effective_at: pending.effectiveAt.toISOString(),
        changed_at: pending.changedAt.toISOString(),
        changed_by: actorView(pending),
      },
      waiting_payments: waiting.length,
      may_approve:
        approver !== null &&
        (pending === null ? waiting.some((one) => mayEndWait(approver, one)) : isSecond(approver, pending)),
      payout_details: payout && {
        source: payout.source,
        bank_name: payout.bankName,
        account_number: maskAccountNumber(payout.accountNumber),
      },
    };
  }

  async function readView(em: EntityManager, companyId: CompanyId, ledgerId: LedgerId, approver: Approver | null) {
    const details = await requireDetails(em, companyId, ledgerId);
    const none = { bank_name: null, branch_code: null, account_number: null, account_name: null };
    return {
      ledgerId: publicId('ledger', ledgerId),
      ...(details.current === null ? none : detailsView(details.current)),
      ...(await waitView(em, companyId, ledgerId, details, approver)),
    };
  }

  operation(
    {
      method: 'patch',
      path: '/v1/ledger/{ledgerId}/bank-details',
      tag,
      summary: "Set the ledger's default bank details",
      description:
        'Withdrawals that name no account use them from `effective_at` on: after `BANK_DETAILS_COOLING_HOURS`, or once a second ' +
        'administrator approves them. Until then they use the details in effect.',
      access: tenant('manage_money', { factor: 'fresh' }),
      params,
      body: BankDetails,
      unknownFields: 'refused',
      success: ok(BankDetailsSet),
      refusals: ['not_found', 'wrong_state'],
    },
    async ({ params: { ledgerId }, body: input, companyId, principal, c }) => {
      const approver = await approverOf(principal);
      let owners: readonly string[] = [];
      const answer = await changeAudited(c, dependencies, async (em) => {
        const by = actorIn(principal);
        const actor = { ...by, personId: await personBehind(em, by) };
        const details = {
          bankName: input.bank_name,
          branchCode: input.branch_code,
          accountNumber: input.account_number,
          accountName: input.account_name,
        };
        const sent = sentToBank(details, settings.bankCharacterSet);
        const before = await setBankDetails(em, cipher, companyId, ledgerId, details, { actor, coolingHours });
        if (before === null) throw new Refusal('not_found', 'ledger not found');
        noteDetails(c, before, details);
        // The worker tells a user. The company's own money is the owners' concern.
        if (before.userId === null) owners = await ownersOf(em, companyId);
        const after = await requireDetails(em, companyId, ledgerId);
        const wait = await waitView(em, companyId, ledgerId, after, approver);
        return { ledgerId: publicId('ledger', ledgerId), ...input, sent_to_bank: sent, ...wait };
      });
      const { bank_name: bank, account_number: number } = input;
      mails.bankDetailsChanged(owners, `${bank} ${maskAccountNumber(number)}`);
      return answer;
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/ledger/{ledgerId}/bank-details',
      tag,
      summary: "The ledger's default bank details in effect; null where none are",
      description: 'The number is shown but for its last characters.',
      access: tenant('read'),
      params,
      success: ok(BankDetailsRead),
      refusals: ['not_found'],
    },
    async ({ params: { ledgerId }, companyId, principal }) => {
      const approver = await approverOf(principal);
      return readTenant(orm, companyId, (em) => readView(em, companyId, ledgerId, approver));
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/ledger/{ledgerId}/bank-details/history',
      tag,
      summary: "All changes of the ledger's bank details, newest first",
      description: 'Each with the time from which withdrawals used it.',
      access: tenant('read'),
      params,
      query: HistoryQuery,
      success: ok(pageResponse(BankDetailsChanged)),
      refusals: ['not_found'],
    },
    async ({ params: { ledgerId }, query, companyId, c }) => {
      const { page } = splitQuery(query, BANK_DETAILS_SORTS);
      const found = await reads(companyId, async (em) => {
        if (!(await hasLedger(em, companyId, ledgerId))) throw new Refusal('not_found', 'ledger not found');
        return listBankDetails(em, companyId, { ledgerId }, page);
      });
      return pageAnswer(c, query, found, changeView);
    },
  );

  operation(
    {
      method: 'post',
      path: '/v1/ledger/{ledgerId}/bank-details/approve',
      tag,
      summary: 'End the wait of new bank details, or of payments to a new destination',
      description:
        'By a second administrator, who is older than the change and did not make it: else 403. With pending details it ends their wait, ' +
        'and that of the withdrawals to them; without, that of the withdrawals of the ledger. Nothing waits: 409 `wrong_state`.',
      access: bearer('manage_money', { factor: 'fresh' }),
      idempotency: 'accepted',
      params,
      success: ok(BankDetailsRead),
      refusals: ['not_found', 'forbidden', 'wrong_state'],
    },
    async ({ params: { ledgerId }, companyId, principal, c }) => {
      const approver = await approverOf(principal);
      if (approver === null) throw new Refusal('forbidden', 'only an administrator can approve');
      let ended: readonly WithdrawalTerms[] = [];
      const answer = await changeOnce(c, dependencies, async (em) => {
        const { pending } = await requireDetails(em, companyId, ledgerId);
        if (pending !== null && !isSecond(approver, pending)) throw notSecond();
        if (pending !== null) await approveBankDetails(em, companyId, pending, approver.id);
        const waits = await endWaits(em, cipher, companyId, ledgerId, { approver, to: pending });
        if (pending === null && waits.ended.length === 0) {
          if (waits.isOwn) throw notSecond();
          throw new Refusal('wrong_state', 'nothing is waiting for approval');
        }
        ended = waits.ended;
        return readView(em, companyId, ledgerId, approver);
      });
      for (const terms of ended)
        await commands.signalWithdrawal({ id: terms.withdrawalId, ...terms }, 'check-payout', {
          commandId: newCommandId(),
          mayResend: false,
        });
      return answer;
    },
  );
}

function isSecond(approver: Approver, { personId, createdAt }: StoredBankDetails): boolean {
  return mayEndWait(approver, { person_id: personId, created_at: createdAt });
}

function notSecond(): Refusal {
  return refusedFor('forbidden', { code: 'other_administrator' });
}

/** What the audit log says of the change. The number is masked. */
function noteDetails(c: Context<ApiEnv>, { current, pending }: LedgerBankDetails, details: NewDetails): void {
  const last = pending ?? current;
  const [before, after] = [last === null ? null : detailsView(last), detailsView(details)];
  const names = Object.keys(after) as (keyof typeof after)[]; // the keys of its type
  noteChanges(
    c,
    names.flatMap((field) =>
      before?.[field] === after[field] ? [] : [{ field, before: before?.[field] ?? null, after: after[field] }],
    ),
  );
}

function detailsView({ bankName, branchCode, accountNumber, accountName }: NewDetails) {
  return {
    bank_name: bankName,
    branch_code: branchCode,
    account_number: maskAccountNumber(accountNumber),
    account_name: accountName,
  };
}

const ACTOR_IDS = { api_key: 'apiKey', administrator: 'administrator', user: 'user' } as const;

function actorView({ actorKind, actorId }: Pick<StoredBankDetails, 'actorKind' | 'actorId'>): string {
  return publicId(ACTOR_IDS[actorKind], actorId);
}

function changeView(change: BankDetailsChange): z.infer<typeof BankDetailsChanged> {
  const { approvedBy } = change;
  return {
    bank_name: change.bankName,
    branch_code: change.branchCode,
    account_number: change.maskedNumber,
    account_name: change.accountName,
    changed_at: change.changedAt.toISOString(),
    changed_by: actorView(change),
    effective_at: change.effectiveAt?.toISOString() ?? null,
    approved_by: approvedBy === null ? null : publicId('administrator', approvedBy),
  };
}
