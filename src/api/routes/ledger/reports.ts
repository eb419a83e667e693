import { z } from '@hono/zod-openapi';
import { readLiabilities, readRevenue, readTrialBalance } from '../../../db/ledger/reports.ts';
import { FEE_KINDS } from '../../../db/treasury/fee-configs.ts';
import { publicId } from '../../../domain/ids.ts';
import { ACCOUNT_TYPES, type AccountType } from '../../../domain/ledger/accounts.ts';
import { sumCents } from '../../../domain/money.ts';
import { DAY_MS } from '../../../domain/time.ts';
import { mapInTurns } from '../../../turns/turns.ts';
import type { ApiDependencies } from '../../context.ts';
import { describeList } from '../../contract/lists.ts';
import { type Operations, tenant } from '../../operation.ts';
import { InvalidRequest } from '../../problem.ts';
import { centsText, currency, timestamp } from '../../schemas/common.ts';
import { DAY_OR_INSTANT, paging, startInstant } from '../../schemas/lists.ts';
import {
  answer,
  byCurrency,
  closed,
  headOf,
  lineRow,
  reportAnswer,
  reportCurrency,
  reportFormat,
  reportInstant,
  totalRow,
} from '../../statements/report-answer.ts';

/** The reports that close a month, at an instant or for a period. */

const tag = 'Ledger';
const DEFAULT_DAYS = 30;
const AtQuery = z.object({ at: reportInstant(), currency: reportCurrency(), format: reportFormat() });
const RevenueQuery = z.object({
  from: startInstant()
    .optional()
    .openapi({ ...DAY_OR_INSTANT, description: 'The first instant, or a UTC day. 30 days before the end by default.' }),
  to: startInstant()
    .optional()
    .openapi({ ...DAY_OR_INSTANT, description: 'The first instant after it, or a UTC day. Now by default.' }),
  currency: reportCurrency(),
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

export function registerReports(operation: Operations, { orm, reads, pdf }: ApiDependencies): void {
  operation(
    {
      method: 'get',
      path: '/v1/ledger/reports/trial-balance',
      tag,
      summary: 'The trial balance at an instant',
      description: 'Debit and credit are equal in each currency. The report of a past instant never changes.',
      access: tenant('read'),
      query: AtQuery,
      success: reportAnswer(TrialBalance),
    },
    async ({ query, companyId, c }) => {
      const at = await closed(orm, companyId, query.at);
      const { lines, head } = await reads(companyId, async (em) => ({
        lines: inCurrency(await readTrialBalance(em, companyId, at), query),
        head: await headOf(em, companyId),
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
          ...head,
          at,
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
      success: reportAnswer(Liabilities),
    },
    async ({ query, companyId, c }) => {
      const { limit, offset } = query;
      const at = await closed(orm, companyId, query.at);
      const { found, head } = await reads(companyId, async (em) => ({
        found: inCurrency(await readLiabilities(em, companyId, at), query),
        head: await headOf(em, companyId),
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
      describeList(c, { limit, offset }, { total: view.length, records: data }, { at: at.toISOString() });
      const json = { at: at.toISOString(), data, totals, total: view.length, limit, offset };
      return answer({ c, pdf }, query.format, json, {
        title: 'Liabilities to users',
        ...head,
        at,
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
      success: reportAnswer(Revenue),
    },
    async ({ query, companyId, c }) => {
      const to = await closed(orm, companyId, query.to, null); // a month that has not ended can be looked at
      const from = query.from ?? new Date(to.getTime() - DEFAULT_DAYS * DAY_MS);
      if (from >= to) throw new InvalidRequest('validation_failed', [{ path: 'from', message: 'must be before to' }]);
      const { lines, head } = await reads(companyId, async (em) => ({
        lines: inCurrency(await readRevenue(em, companyId, { from, to }), query),
        head: await headOf(em, companyId),
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
        ...head,
        from,
        at: to,
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

function inCurrency<Line extends { readonly currency: string }>(
  lines: readonly Line[],
  { currency: asked }: { readonly currency?: string | undefined },
): readonly Line[] {
  return asked === undefined ? lines : lines.filter((line) => line.currency === asked);
}
