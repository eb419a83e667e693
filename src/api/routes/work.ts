import { z } from '@hono/zod-openapi';
import { countWork, listWork, type WorkItem, type WorkSubject } from '../../db/operations/work.ts';
import { assertNever } from '../../domain/errors.ts';
import { EVENT_OBJECT_NAMES, EVENT_OBJECTS } from '../../domain/events/event-types.ts';
import { type CompanyId, type IdKind, publicId } from '../../domain/ids.ts';
import { WORK_KINDS } from '../../domain/work.ts';
import type { ApiDependencies } from '../context.ts';
import { describeList } from '../contract/lists.ts';
import { LIST_LIMITS } from '../limits.ts';
import { type Operations, ok, tenant } from '../operation.ts';
import { centsText, currency, timestamp } from '../schemas/common.ts';
import { anyOf, integerText, pageResponse, paging } from '../schemas/lists.ts';

const SUBJECTS = { ...EVENT_OBJECTS, receivable: 'transaction' } as const satisfies Record<WorkSubject, IdKind>;

const Work = z
  .object({
    id: z
      .string()
      .openapi({ example: 'wrk_01900000-0000-7000-8000-000000000001' })
      .describe('The same as long as it stands.'),
    kind: z.enum(WORK_KINDS).describe('Which work it is.'),
    subject: z
      .object({
        type: z.enum([...EVENT_OBJECT_NAMES, 'receivable']).describe('Its kind.'),
        id: z.string().describe('Its id. A receivable has that of the transaction that booked it.'),
      })
      .describe('What a person looks at.'),
    companyId: z.string().describe('The company.'),
    companyName: z.string().describe('Its name.'),
    title: z.string().describe('What to do, in words.'),
    reference: z.string().nullable().describe('What people call it. Null: it has no name.'),
    reason: z
      .string()
      .nullable()
      .describe('Why, as a word: who opened a dispute, what is unclear about a payout. Null: the kind says it.'),
    amount: centsText().nullable().describe('The money in question, in integer cents. Null: none.'),
    currency: currency().nullable(),
    since: timestamp().describe('Since when it waits.'),
    ageSeconds: z.int().describe("How long it has waited: by the company's clock, where `since` is of that clock."),
    dueAt: timestamp().nullable().describe('When it is too late, or happens by itself. Null: never.'),
    url: z.string().describe('Its page in the console.'),
  })
  .openapi('Work');

const WorkQuery = paging('page').extend({
  kind: anyOf(WORK_KINDS).optional(),
  perKind: integerText(1, LIST_LIMITS.page.maxLimit)
    .optional()
    .describe('At most so many of each kind, so that one kind does not hide the others.'),
  maxTotal: integerText(1, LIST_LIMITS.maxOffset)
    .optional()
    .describe('Each kind is counted up to this number: a count of this number means this many or more.'),
});

export function registerWork(operation: Operations, { reads, settings }: ApiDependencies): void {
  operation(
    {
      method: 'get',
      path: '/v1/work',
      tag: 'Companies',
      summary: 'What needs a person, the most urgent first',
      description:
        "What has a time limit comes first, then the oldest. In the platform's company a super administrator gets the work of all " +
        'companies. PAYOUT and IDENTITY, which only the platform decides, are in that list alone. Nothing is stored: work is here ' +
        'as long as it stands.',
      access: tenant('read'),
      query: WorkQuery,
      success: ok(
        pageResponse(Work).extend({
          counts: z
            .array(z.object({ kind: z.enum(WORK_KINDS).describe('The kind.'), count: z.int().describe('How many.') }))
            .describe('The number of items of each requested kind. Kinds without items are left out.'),
        }),
      ),
    },
    async ({ query, companyId, principal, c }) => {
      const { kind: kinds = WORK_KINDS, limit, offset, perKind = null, maxTotal: most = null } = query;
      const asked = { kinds, isPlatform: principal.role === 'SUPER_ADMIN' };
      const { found, counts } = await reads(companyId, async (em) => ({
        found: await listWork(em, { ...asked, limit, offset, perKind }),
        counts: await countWork(em, { ...asked, most }),
      }));
      const total = counts.reduce((sum, { count }) => sum + Math.min(count, perKind ?? count), 0);
      describeList(c, query, { total, records: found });
      const data = found.map((work) => workView(work, companyId, settings.baseUrl));
      return { data, total, limit, offset, counts };
    },
  );
}

function workView(work: WorkItem, companyId: CompanyId, baseUrl: string): z.infer<typeof Work> {
  const { id, kind, subject, reference, detail, currency: code, amountCents, since, dueAt, ageSeconds } = work;
  const subjectId = publicId(SUBJECTS[subject], work.subjectId);
  const owner = publicId('company', work.companyId);
  const page = pageOf(work, subjectId);
  const path =
    work.companyId === companyId ? page : `/act-for?${new URLSearchParams({ companyId: owner, next: page })}`;
  return {
    id: publicId('work', id),
    kind,
    subject: { type: subject, id: subjectId },
    companyId: owner,
    companyName: work.companyName,
    title: titleOf(work, subjectId),
    reference,
    reason: detail,
    amount: amountCents,
    currency: code,
    since: since.toISOString(),
    ageSeconds,
    dueAt: dueAt?.toISOString() ?? null,
    url: `${baseUrl}/console${path}`,
  };
}

/** The page below /console where the work is done. */
function pageOf({ kind, subject, reference }: WorkItem, id: string): string {
  switch (subject) {
    case 'escrow':
      return `/${kind === 'DISPUTE' ? 'disputes' : 'escrows'}/${id}`;
    case 'payment_link':
      return `/links/${id}`;
    case 'withdrawal':
      return `/withdrawals/${id}`;
    case 'capture':
      return `/receipts/${id}?${new URLSearchParams({ reference: reference ?? '' })}`;
    case 'user':
      return `/users/${id}`;
    case 'bank_details':
      return `/ledger/${id}/bank-details`;
    case 'webhook_endpoint':
      return `/webhooks/${id}`;
    case 'receivable':
      return '/receivables?status=OPEN';
    default:
      throw new Error(`work is about no ${subject}`);
  }
}

function titleOf({ kind, detail, reference }: WorkItem, id: string): string {
  const name = reference ?? id;
  switch (kind) {
    case 'DISPUTE':
      return `Decide the dispute about ${name}.`;
    case 'PAYOUT':
      return `Decide the payout ${name}.`;
    case 'WEBHOOK':
      return detail === null ? `${name} fails now.` : `${name} was disabled. Mend and enable it.`;
    case 'SUSPENSE':
      return `Find the owner of the receipt ${name}.`;
    case 'LATE_MONEY':
      return `The payment of ${name} came after its link had ended. It is on the buyer's balance: tell the buyer.`;
    case 'IDENTITY':
      return detail === 'BLACKLIST_MATCH'
        ? `${name} has the bank account of a blacklisted person.`
        : detail === 'NO_DOCUMENT'
          ? `${name} has no identity document.`
          : `Check the identity of ${name}.`;
    case 'PROPOSAL':
      return `The proposal about ${name} lapses soon.`;
    case 'CHARGEBACK':
      return `The payment of ${name} was taken back. Collect what is owed.`;
    case 'BANK_DETAILS':
      return detail === null
        ? `Approve the new bank details of ${name}, or wait.`
        : `The payout ${name} goes to a new bank account. Approve it, or wait.`;
    case 'REQUEST':
      return `Answer the request about ${name}.`;
    default:
      return assertNever(kind);
  }
}
