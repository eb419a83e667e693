import { z } from '@hono/zod-openapi';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import { Company } from '../../../db/entities/tenancy.ts';
import {
  closedPeriod,
  latestPeriod,
  MAX_STATEMENT_ENTRIES,
  openStatement,
  pagesOf,
} from '../../../db/ledger/statements.ts';
import { Refusal } from '../../../domain/errors.ts';
import { loggedFile } from '../../../observability/logged-file.ts';
import { concatInTurns, jsonInTurns, jsonOfPages, mapInTurns } from '../../../turns/turns.ts';
import type { ApiDependencies, ApiEnv } from '../../context.ts';
import { SERVER_LIMITS, SHORT } from '../../limits.ts';
import { inLongTurn } from '../../middleware/rate-limit.ts';
import { type Operations, responses, tenant } from '../../operation.ts';
import { letterheadOf } from '../../pdf/letterhead.ts';
import { pathIds } from '../../schemas/common.ts';
import { entryView, periodOf, Statement, StatementQuery, statementView } from '../../schemas/statement.ts';
import { type EntryPages, entriesOf, fileName } from '../../statements/document.ts';
import {
  formatOfMediaType,
  STATEMENT_FILES,
  STATEMENT_MEDIA_TYPES,
  type StatementFormat,
} from '../../statements/formats.ts';

const FILE = z.string().openapi({ format: 'binary' });

export function registerStatement(operation: Operations, { requests, reads, pdf }: ApiDependencies): void {
  operation(
    {
      method: 'get',
      path: '/v1/ledger/accounts/{accountId}/statement',
      tag: 'Ledger',
      summary: 'The statement of an account: opening balance, entries, totals and closing balance',
      description:
        'Without dates: the last 30 days. A window that has ended ends before the oldest posting in flight (`endDate` says where), ' +
        'so its statement never changes. At most 10,000 entries. As JSON, or by `format` or the Accept header as CSV ' +
        '(text/csv), PDF (application/pdf) or ISO 20022 camt.053.001.08 (application/xml).',
      access: tenant('read'),
      params: pathIds({ accountId: 'account' }),
      query: StatementQuery,
      success: responses({
        200: {
          description: 'The statement.',
          content: {
            'application/json': { schema: Statement },
            'text/csv': { schema: FILE },
            'application/pdf': { schema: FILE },
            'application/xml': { schema: FILE },
          },
        },
      }),
      refusals: ['not_found', 'statement_too_large'],
    },
    async ({ params: { accountId }, query: { format, lastEntries, totals, ...window }, companyId, c }) => {
      const createdAt = new Date();
      const period = periodOf(window, createdAt);
      const closed = closedPeriod(await requests.closing(companyId), period);
      const lastOf = async (em: EntityManager, entries: number | undefined) =>
        entries === undefined ? closed : await latestPeriod(em, companyId, accountId, closed, entries);
      const { account, opened, statement } = await reads(companyId, async (em) => {
        const open = async (entries: number | undefined) =>
          openStatement(em, companyId, accountId, await lastOf(em, entries));
        const shown = await open(lastEntries);
        if (shown.account === null) throw new Refusal('not_found', 'account not found');
        if (totals !== 'window') return { account: shown.account, opened: shown, statement: shown.totals };
        const whole = await open(lastEntries === undefined ? undefined : MAX_STATEMENT_ENTRIES);
        return { account: shown.account, opened: shown, statement: whole.totals };
      });
      const isLong = opened.entryIds.length > SHORT.rows;
      const pages = pagesOf(opened, companyId, (work) => {
        const read = () => reads(companyId, work);
        return isLong ? inLongTurn(c, read, SERVER_LIMITS.silentMs) : read();
      });
      c.header('Cache-Control', 'no-store');
      c.header('Vary', 'Accept');
      const chosen = format ?? acceptedFormat(c);
      if (chosen === 'json') {
        const type = { 'Content-Type': 'application/json' };
        const view = statementView({ statement, account });
        if (isLong) return c.body(await wholeJson(jsonOfPages(view, [['entries', viewsOf(pages)]])), 200, type);
        const entries = await entriesOf(pages);
        return c.body(await jsonInTurns({ ...view, entries: await mapInTurns(entries, entryView) }), 200, type);
      }
      const company = await reads(companyId, (em) => em.findOneOrFail(Company, { id: companyId }));
      const head = { statement, account, company: letterheadOf(company), timeZone: company.timeZone, createdAt };
      const file = STATEMENT_FILES[chosen];
      return c.body(loggedFile(await file.write(head, pages, (drawing) => pdf.draw(companyId, drawing)), c.var), 200, {
        'Content-Type': file.contentType,
        'Content-Disposition': `attachment; filename="${fileName(head, file.extension)}"`,
      });
    },
  );
}

async function* viewsOf(pages: EntryPages) {
  for await (const page of pages) yield await mapInTurns(page, entryView);
}

/** An entry that cannot be read is an error, and no answer that breaks off. */
async function wholeJson(json: ReadableStream<Uint8Array>): Promise<Buffer<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  for await (const piece of json) pieces.push(piece);
  return concatInTurns(pieces);
}

function acceptedFormat(c: Context<ApiEnv>): StatementFormat {
  const [fallback = ''] = STATEMENT_MEDIA_TYPES;
  return formatOfMediaType(accepts(c, { header: 'Accept', supports: [...STATEMENT_MEDIA_TYPES], default: fallback }));
}
