import { z } from '@hono/zod-openapi';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { Context } from 'hono';
import { inTenant } from '../../db/core/orm.ts';
import { Company } from '../../db/entities/tenancy.ts';
import { closedUntil, closeInstant } from '../../db/ledger/reports.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { CURRENCY_CODES, type Currency } from '../../domain/money.ts';
import { dayIn } from '../../domain/time-zone.ts';
import type { ApiEnv } from '../context.ts';
import { responses } from '../operation.ts';
import { letterheadOf } from '../pdf/letterhead.ts';
import { InvalidRequest } from '../problem.ts';
import { currency } from '../schemas/common.ts';
import { DAY_OR_INSTANT, startInstant } from '../schemas/lists.ts';
import type { PdfRenderer } from './pdf-renderer.ts';
import { csvReport, type Report } from './report-files.ts';

/** What the reports at an instant have in common: their query, their instant, and their forms. */

const FILE = z.string().openapi({ format: 'binary' });

export const reportFormat = () =>
  z.enum(['json', 'csv', 'pdf']).optional().describe('The form of the answer: JSON, or a file. JSON by default.');
export const reportInstant = () =>
  startInstant()
    .optional()
    .openapi({
      ...DAY_OR_INSTANT,
      description: 'An instant, or a UTC day: its beginning. Not in the future. Now by default.',
    });
export const reportCurrency = () => currency().optional().describe('Only lines and sums of this currency.');

export function reportAnswer(schema: z.ZodType) {
  return responses({
    200: {
      description: 'The report.',
      content: { 'application/json': { schema }, 'text/csv': { schema: FILE }, 'application/pdf': { schema: FILE } },
    },
  });
}

/**
 * The instant of a report that never changes: the one that was asked for, as soon as no earlier posting is in flight; otherwise the
 * latest one of which this is true already. Only the primary knows. Throws `validation_failed` for an instant after `latest`, which
 * is now, or the company's time if its test clock is ahead: nothing is in flight then.
 */
export async function closed(
  orm: MikroORM,
  companyId: CompanyId,
  asked: Date | undefined,
  latest: Date | null = new Date(),
): Promise<Date> {
  if (asked === undefined) return inTenant(orm, companyId, (em) => closedUntil(em, companyId));
  if (latest !== null && asked > latest)
    throw new InvalidRequest('validation_failed', [{ path: 'at', message: 'must not be in the future' }]);
  if (asked <= new Date()) await closeInstant((work) => inTenant(orm, companyId, work), companyId, asked);
  return asked;
}

export const lineRow = (code: Currency, cells: Readonly<Record<string, string>>) =>
  ({ record: 'LINE', currency: code, cells }) as const;
export const totalRow = (code: Currency, cells: Readonly<Record<string, string>>) =>
  ({ record: 'TOTAL', currency: code, cells }) as const;

/** What stands above a report. Names and zone are those of today. */
export async function headOf(em: EntityManager, companyId: CompanyId): Promise<Pick<Report, 'company' | 'timeZone'>> {
  const company = await em.findOneOrFail(Company, { id: companyId });
  return { company: letterheadOf(company), timeZone: company.timeZone };
}

/** One total for each currency that has lines. */
export function byCurrency<Line extends { readonly currency: Currency }, Total>(
  lines: readonly Line[],
  totalOf: (own: readonly Line[]) => Total,
): (Total & { currency: Currency })[] {
  return CURRENCY_CODES.flatMap((code) => {
    const own = lines.filter((line) => line.currency === code);
    return own.length === 0 ? [] : [{ currency: code, ...totalOf(own) }];
  });
}

/** The report in the chosen form. */
export async function answer(
  { c, pdf }: { readonly c: Context<ApiEnv>; readonly pdf: PdfRenderer },
  format: z.infer<ReturnType<typeof reportFormat>>,
  json: object,
  report: Report,
): Promise<Response> {
  c.header('Cache-Control', 'no-store');
  if (format === undefined || format === 'json') return c.json(json, 200);
  const name = `${report.title.toLowerCase().replaceAll(' ', '-')}-${dayIn(report.timeZone, report.at)}`;
  const [type, body] =
    format === 'csv'
      ? ['text/csv; charset=utf-8; header=present', csvReport(report)]
      : ['application/pdf', await pdf.draw(c.var.companyId, report)];
  return c.body(body, 200, { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}.${format}"` });
}
