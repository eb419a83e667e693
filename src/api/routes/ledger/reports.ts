import { z } from '@hono/zod-openapi';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from 'hono';
import { inTenant } from '../../../db/core/orm.ts';
import { Company } from '../../../db/entities/tenancy.ts';
import { closedInstant, readLiabilities, readRevenue, readTrialBalance } from '../../../db/ledger/reports.ts';
import { FEE_KINDS } from '../../../db/treasury/fee-configs.ts';
import { type CompanyId, publicId } from '../../../domain/ids.ts';
import { ACCOUNT_TYPES, type AccountType } from '../../../domain/ledger/accounts.ts';
import { CURRENCY_CODES, type Currency, sumCents } from '../../../domain/money.ts';
import { DAY_MS } from '../../../domain/time.ts';
import { mapInTurns } from '../../../turns/turns.ts';
import type { ApiDependencies, ApiEnv } from '../../context.ts';
import { describeList } from '../../contract/lists.ts';
import { type Operations, responses, tenant } from '../../operation.ts';
import { InvalidRequest } from '../../problem.ts';
import { centsText, currency, timestamp } from '../../schemas/common.ts';
import { paging, startInstant } from '../../schemas/lists.ts';
import type { PdfRenderer } from '../../statements/pdf-renderer.ts';
import { csvReport, type Report } from '../../statements/report-files.ts';

/** The reports that close a month, at an instant or for a period. */

const tag = 'Ledger';
const DEFAULT_DAYS = 30;
export const REPORT_FILE = z.string().openapi({ format: 'binary' });

export const reportFormat = () =>
  z.enum(['json', 'csv', 'pdf']).optional().describe('The form of the answer: JSON, or a file. JSON by default.');
export const reportInstant = () =>
  startInstant().optional().openapi({
    type: 'string',
    description: 'An instant, or a UTC day: its beginning. Not in the future. Now by default.',
  });

const AtQuery = z.object({ at: reportInstant(), format: reportFormat() });
const RevenueQuery = z.object({
  from: startInstant()
    .optional()
    .openapi({ type: 'string', description: 'The first instant, or a UTC day. 30 days before the end by default.' }),
  to: startInstant()
    .optional()
    .openapi({ type: 'string', description: 'The first instant after it, or a UTC day. Now by default.' }),
  format: reportFormat(),
});

const TYPES = Object.keys(ACCOUNT_TYPES) as [AccountType, ...AccountType[]]; // its own keys, at least one
const TrialBalance = z
  .object({
    at: timestamp().describe('The balances are those right before this instant.'),
    lines: z
      .array(
        z.object({
          type: z.enum(TYPES).describe('The type of the accounts.'),
          currency: currency(),
          accounts: z.int().describe('How many accounts of the type have a balance.'),
          debit: centsText().describe('The sum of balances below zero, without its sign. Integer cents.'),
          credit: centsText().describe('The sum of balances above zero. Integer cents.'),
        }),
      )
      .describe('By type and currency. Lines of zero are left out.'),
    totals: z
      .array(
        z.object({
          currency: currency(),
          debit: centsText().describe('Equals `credit`. Integer cents.'),
          credit: centsText().describe('Equals `debit`. Integer cents.'),
        }),
      )
      .describe('The sums by currency.'),
  })
  .openapi('TrialBalance');

const Money = {
  balance: centsText().describe('What the company owes. Integer cents.'),
  held: centsText().describe('The part that is held. Integer cents.'),
  available: centsText().describe('The rest. Integer cents.'),
};
const Liabilities = z
  .object({
    at: timestamp().describe('The balances are those right before this instant.'),
    data: z
      .array(
        z.object({
          userId: z.string().describe('The user.'),
          name: z.string().nullable().describe("The user's name today."),
          currency: currency(),
          ...Money,
        }),
      )
      .describe('A page of users with a balance.'),
    totals: z.array(z.object({ currency: currency(), ...Money })).describe('The sums over all users.'),
    total: z.int().describe('How many lines there are in all.'),
    limit: z.int().describe('The size of the page.'),
    offset: z.int().describe('How many lines are before the page.'),
  })
  .openapi('Liabilities');

const KIND = z.enum(FEE_KINDS).describe('A fee of escrows, or the tax of withdrawals.');
const Revenue = z
  .object({
    from: timestamp().describe('The first instant.'),
    to: timestamp().describe('The first instant after the period.'),
    lines: z
      .array(
        z.object({
          kind: KIND,
          currency: currency(),
          basis_points: z.int().nullable().describe('The rate. Null where a split plan set the fee.'),
          count: z.int().describe('How often it was taken.'),
          base: centsText().describe('The amount of which it was taken. Integer cents.'),
          amount: centsText().describe('What was taken. Integer cents.'),
        }),
      )
      .describe('By kind, currency and rate.'),
    totals: z
      .array(z.object({ kind: KIND, currency: currency(), amount: centsText().describe('Integer cents.') }))
      .describe('The sums by kind and currency.'),
  })
  .openapi('Revenue');

type Call = { readonly c: Context<ApiEnv>; readonly pdf: PdfRenderer };
type Format = z.infer<ReturnType<typeof reportFormat>>;

export function registerReports(operation: Operations, { orm, reads, pdf }: ApiDependencies): void {
  const answered = (schema: z.ZodType) =>
    responses({
      200: {
        description: 'The report.',
        content: {
          'application/json': { schema },
          'text/csv': { schema: REPORT_FILE },
          'application/pdf': { schema: REPORT_FILE },
        },
      },
    });

  /** Only the primary knows the postings in flight. */
  async function instantOf(companyId: CompanyId, asked: Date | undefined, now: Date): Promise<Date> {
    refuseFuture(asked, now);
    return inTenant(orm, companyId, (em) => closedInstant(em, companyId, asked ?? now));
  }

  operation(
    {
      method: 'get',
      path: '/v1/ledger/reports/trial-balance',
      tag,
      summary: 'The trial balance at an instant',
      description: 'Debit and credit are equal in each currency. The report of a past instant never changes.',
      access: tenant('read'),
      query: AtQuery,
      success: answered(TrialBalance),
    },
    async ({ query, companyId, c }) => {
      const at = await instantOf(companyId, query.at, new Date());
      const { lines, companyName } = await reads(companyId, async (em) => ({
        lines: await readTrialBalance(em, companyId, at),
        companyName: await nameOf(em, companyId),
      }));
      const view = lines.map(({ type, currency: code, accounts, debitCents, creditCents }) => ({
        ...{ type, currency: code, accounts },
        ...{ debit: debitCents.toString(), credit: creditCents.toString() },
      }));
      const totals = byCurrency(lines, (own) => ({
        debit: sumCents(own.map(({ debitCents }) => debitCents)).toString(),
        credit: sumCents(own.map(({ creditCents }) => creditCents)).toString(),
      }));
      return answer(
        { c, pdf },
        query.format,
        { at: at.toISOString(), lines: view, totals },
        {
          title: 'Trial balance',
          companyName,
          at,
          period: instantText(at),
          columns: [
            { name: 'type', title: 'Accounts' },
            { name: 'accounts', title: 'Number' },
            { name: 'debit', title: 'Debit', isAmount: true },
            { name: 'credit', title: 'Credit', isAmount: true },
          ],
          rows: [
            ...view.map((line) => lineRow(line.currency, { ...line, accounts: String(line.accounts) })),
            ...totals.map((total) => totalRow(total.currency, total)),
          ],
        },
      );
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/ledger/reports/liabilities',
      tag,
      summary: 'What the company owes its users at an instant',
      description: 'Files have all lines. The amounts of a past instant never change; names are those of today.',
      access: tenant('read'),
      query: AtQuery.extend(paging('page').shape),
      success: answered(Liabilities),
    },
    async ({ query, companyId, c }) => {
      const { limit, offset } = query;
      const at = await instantOf(companyId, query.at, new Date());
      const { found, companyName } = await reads(companyId, async (em) => ({
        found: await readLiabilities(em, companyId, at),
        companyName: await nameOf(em, companyId),
      }));
      const money = (balanceCents: bigint, heldCents: bigint) => ({
        balance: balanceCents.toString(),
        held: heldCents.toString(),
        available: (balanceCents - heldCents).toString(),
      });
      const view = await mapInTurns(found, ({ userId, name, currency: code, balanceCents, heldCents }) => ({
        ...{ userId: publicId('user', userId), name, currency: code },
        ...money(balanceCents, heldCents),
      }));
      const totals = byCurrency(found, (own) =>
        money(sumCents(own.map(({ balanceCents }) => balanceCents)), sumCents(own.map(({ heldCents }) => heldCents))),
      );
      const data = view.slice(offset, offset + limit);
      describeList(c, { limit, offset }, { total: view.length, records: data });
      const json = { at: at.toISOString(), data, totals, total: view.length, limit, offset };
      return answer({ c, pdf }, query.format, json, {
        title: 'Liabilities to users',
        companyName,
        at,
        period: instantText(at),
        columns: [
          { name: 'userId', title: 'User', isId: true },
          { name: 'name', title: 'Name' },
          { name: 'balance', title: 'Balance', isAmount: true },
          { name: 'held', title: 'Held', isAmount: true },
          { name: 'available', title: 'Available', isAmount: true },
        ],
        rows: [
          ...(await mapInTurns(view, (line) => lineRow(line.currency, { ...line, name: line.name ?? '' }))),
          ...totals.map((total) => totalRow(total.currency, total)),
        ],
      });
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/ledger/reports/revenue',
      tag,
      summary: 'Fees and taxes of a period, by rate',
      description: 'Fees count when they are paid. A tax that was given back counts against it.',
      access: tenant('read'),
      query: RevenueQuery,
      success: answered(Revenue),
    },
    async ({ query, companyId, c }) => {
      const asked = query.to ?? new Date();
      const from = query.from ?? new Date(asked.getTime() - DEFAULT_DAYS * DAY_MS);
      if (from >= asked)
        throw new InvalidRequest('validation_failed', [{ path: 'from', message: 'must be before to' }]);
      const to = await inTenant(orm, companyId, (em) => closedInstant(em, companyId, asked));
      const { lines, companyName } = await reads(companyId, async (em) => ({
        lines: await readRevenue(em, companyId, { from, to }),
        companyName: await nameOf(em, companyId),
      }));
      const view = lines.map(({ kind, currency: code, basisPoints, count, baseCents, amountCents }) => ({
        ...{ kind, currency: code, basis_points: basisPoints, count },
        ...{ base: baseCents.toString(), amount: amountCents.toString() },
      }));
      const totals = FEE_KINDS.flatMap((kind) =>
        byCurrency(
          lines.filter((line) => line.kind === kind),
          (own) => ({ amount: sumCents(own.map(({ amountCents }) => amountCents)).toString() }),
        ).map((total) => ({ kind, ...total })),
      );
      const json = { from: from.toISOString(), to: to.toISOString(), lines: view, totals };
      return answer({ c, pdf }, query.format, json, {
        title: 'Revenue',
        companyName,
        at: to,
        period: `${from.toISOString()} to ${to.toISOString()}`,
        columns: [
          { name: 'kind', title: 'Kind' },
          { name: 'basis_points', title: 'Basis points' },
          { name: 'count', title: 'Count' },
          { name: 'base', title: 'Taken of', isAmount: true },
          { name: 'amount', title: 'Amount', isAmount: true },
        ],
        rows: [
          ...view.map((line) =>
            lineRow(line.currency, {
              ...line,
              basis_points: line.basis_points === null ? '' : String(line.basis_points),
              count: String(line.count),
            }),
          ),
          ...totals.map((total) => totalRow(total.currency, total)),
        ],
      });
    },
  );
}

/** Throws `validation_failed` for an instant that has not come. */
export function refuseFuture(at: Date | undefined, now: Date): void {
  if (at !== undefined && at > now)
    throw new InvalidRequest('validation_failed', [{ path: 'at', message: 'must not be in the future' }]);
}

export const lineRow = (code: Currency, cells: Readonly<Record<string, string>>) =>
  ({ record: 'LINE', currency: code, cells }) as const;
export const totalRow = (code: Currency, cells: Readonly<Record<string, string>>) =>
  ({ record: 'TOTAL', currency: code, cells }) as const;

export function instantText(at: Date): string {
  return `Right before ${at.toISOString()}`;
}

export async function nameOf(em: EntityManager, companyId: CompanyId): Promise<string> {
  return (await em.findOneOrFail(Company, { id: companyId })).name;
}

/** One total for each currency that has lines. */
function byCurrency<Line extends { readonly currency: Currency }, Total>(
  lines: readonly Line[],
  totalOf: (own: readonly Line[]) => Total,
): (Total & { currency: Currency })[] {
  return CURRENCY_CODES.flatMap((code) => {
    const own = lines.filter((line) => line.currency === code);
    return own.length === 0 ? [] : [{ currency: code, ...totalOf(own) }];
  });
}

/** The report in the chosen form. */
export async function answer({ c, pdf }: Call, format: Format, json: object, report: Report): Promise<Response> {
  c.header('Cache-Control', 'no-store');
  if (format === undefined || format === 'json') return c.json(json, 200);
  const name = report.title.toLowerCase().replaceAll(' ', '-');
  const [type, body] =
    format === 'csv'
      ? ['text/csv; charset=utf-8; header=present', csvReport(report)]
      : ['application/pdf', await pdf.draw(report)];
  return c.body(body, 200, { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}.${format}"` });
}
