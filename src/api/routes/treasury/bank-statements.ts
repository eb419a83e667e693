import { z } from '@hono/zod-openapi';
import { v7 as uuidv7 } from 'uuid';
import { inTenant } from '../../../db/core/orm.ts';
import { companyNow } from '../../../db/identity/company-clock.ts';
import { addBankStatements, matchBankEntry } from '../../../db/treasury/bank-matching.ts';
import { readReconciliation } from '../../../db/treasury/bank-reconciliation.ts';
import {
  BANK_STATEMENT_SORTS,
  findBankStatement,
  listBankEntries,
  listBankStatements,
} from '../../../db/treasury/bank-statements.ts';
import { Refusal, refusedFor } from '../../../domain/errors.ts';
import type { BankStatementId } from '../../../domain/ids.ts';
import { permits, type Role } from '../../../domain/roles.ts';
import { mapInTurns } from '../../../turns/turns.ts';
import type { UploadedFile } from '../../bodies/uploaded-file.ts';
import { changeOnce } from '../../commands/idempotency.ts';
import type { ApiDependencies } from '../../context.ts';
import { describeList, pageAnswer } from '../../contract/lists.ts';
import { MAX_BANK_FILE_BYTES } from '../../limits.ts';
import { created, type Operations, ok, tenant } from '../../operation.ts';
import { InvalidRequest } from '../../problem.ts';
import {
  AddedBankStatements,
  addedStatementsView,
  BankEntry,
  BankFileForm,
  BankMatchRequest,
  BankStatement,
  BankStatementWithLines,
  bankEntryView,
  bankStatementView,
  Reconciliation,
  reconciliationView,
} from '../../schemas/bank-statement.ts';
import { pathIds, text } from '../../schemas/common.ts';
import { listing, pageResponse, paging, splitQuery } from '../../schemas/lists.ts';
import { closed, reportInstant } from '../../statements/report-answer.ts';

const tag = 'Treasury';

const StatementQuery = listing('page', BANK_STATEMENT_SORTS, '-createdAt').extend({
  account: text().optional().describe('Only of this account.'),
});
const LinesQuery = paging('array').extend({
  status: z.enum(['OPEN', 'MATCHED']).optional().describe('Only entries with this status.'),
});
const ReconciliationQuery = paging('openItems').extend({ at: reportInstant() });

/** The bank's statements, as the bank sends them, and what they confirm. */
export function registerBankStatements(operation: Operations, dependencies: ApiDependencies): void {
  const { orm, reads, settings, readBankFile } = dependencies;
  const mayRecordReceipts = (role: Role) => !settings.mayOnlyPlatformCapture || permits(role, 'platform');

  operation(
    {
      method: 'post',
      path: '/v1/treasury/bank/statements',
      tag,
      summary: "Store the bank's statements, and match their entries with the books",
      description:
        'An ISO 20022 file camt.053.001.02 or 001.08 with statements of one or several accounts and at most 10,000 entries, as the ' +
        'body or as the field `file` of a form. It books no receipt and adds no cash for payouts: its entries confirm captures (by EndToEndId, remittance ' +
        "text or structured reference) and payouts (by EndToEndId), and settle the clearing accounts that the company's " +
        '`settlement_references` name. An entry counts once, in whatever file it comes.',
      access: tenant('manage_money'),
      idempotency: 'accepted',
      form: BankFileForm,
      isFileAlone: true,
      success: created(AddedBankStatements),
      refusals: [
        'statement_invalid',
        'statement_too_large',
        'amount_too_large',
        'payload_too_large',
        'unsupported_media_type',
        'dependency_unavailable',
        'idempotency_key_reused',
      ],
    },
    async ({ body, companyId, principal, c }) => {
      if (!mayRecordReceipts(principal.role)) throw refusedFor('forbidden', { code: 'platform_records_receipts' });
      const sent = checkedFile(body.file);
      await sent.sha256(); // reading moves the bytes to another thread
      const { statements } = await readBankFile(companyId, sent.bytes);
      return changeOnce(c, dependencies, async (em) => {
        const added = statements.map((one) => ({ id: uuidv7() as BankStatementId, companyId, ...one })); // made here
        return addedStatementsView(await addBankStatements(em, companyId, added));
      });
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/treasury/bank/statements',
      tag,
      summary: "The bank's statements, newest first",
      description: 'With how many of their entries are matched and open now.',
      access: tenant('read'),
      query: StatementQuery,
      success: ok(pageResponse(BankStatement)),
    },
    async ({ query, companyId, c }) => {
      const { page, filter } = splitQuery(query, BANK_STATEMENT_SORTS);
      const found = await reads(companyId, (em) => listBankStatements(em, companyId, filter, page));
      return pageAnswer(c, query, found, bankStatementView);
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/treasury/bank/statements/{id}',
      tag,
      summary: 'A statement of the bank with its entries',
      description: 'Those that an earlier file brought are with that file.',
      access: tenant('read'),
      params: pathIds({ id: 'bankStatement' }),
      query: LinesQuery,
      success: ok(BankStatementWithLines),
      refusals: ['not_found'],
    },
    async ({ params: { id: statementId }, query, companyId, c }) => {
      const { status, limit, offset } = query;
      const filter = { statementId, isOpen: status === undefined ? undefined : status === 'OPEN' };
      const { statement, lines } = await reads(companyId, async (em) => ({
        statement: await findBankStatement(em, companyId, statementId),
        lines: await listBankEntries(em, companyId, filter, { limit, offset }),
      }));
      describeList(c, query, { total: lines.total, records: lines.records });
      return { ...bankStatementView(statement), lines: await mapInTurns(lines.records, bankEntryView) };
    },
  );

  operation(
    {
      method: 'post',
      path: '/v1/treasury/bank/entries/{id}/match',
      tag,
      summary: 'Match an open entry of the bank by hand',
      description: 'With a capture or a payout of the same direction and amount, or as a settlement or a fee.',
      access: tenant('manage_money'),
      idempotency: 'accepted',
      params: pathIds({ id: 'bankEntry' }),
      body: BankMatchRequest,
      success: ok(BankEntry),
      refusals: ['not_found', 'wrong_state', 'amount_too_large', 'idempotency_key_reused'],
    },
    ({ params: { id: entryId }, body: { kind, id: named }, companyId, principal, c }) =>
      changeOnce(c, dependencies, async (em) => {
        const request = kind === 'CAPTURE' || kind === 'PAYOUT' ? { kind, id: required(named) } : ({ kind } as const);
        const may = { mayRecordReceipts: mayRecordReceipts(principal.role) };
        return bankEntryView(await matchBankEntry(em, { companyId, entryId, ...may, ...request }));
      }),
  );

  operation(
    {
      method: 'get',
      path: '/v1/treasury/bank/reconciliation',
      tag,
      summary: 'Compare the bank with the books at an instant',
      description:
        'Statements and entries of days that began before the instant, and what was posted before it. The difference of a currency ' +
        'equals its open items: those at the bank, which the books do not have, less those in the books, which the bank does not have. ' +
        '`totals` counts all of them.',
      access: tenant('read'),
      query: ReconciliationQuery,
      success: ok(Reconciliation),
    },
    async ({ query: { at: asked, limit, offset }, companyId, c }) => {
      const now = await inTenant(orm, companyId, (em) => companyNow(em, companyId));
      const at = await closed(orm, companyId, asked ?? (now > new Date() ? now : undefined), now);
      const page = { limit, offset };
      const found = await inTenant(orm, companyId, (em) => readReconciliation(em, companyId, at, page));
      const view = await reconciliationView(at, found, page);
      describeList(c, page, { total: view.total, records: view.open }, { at: view.at });
      return view;
    },
  );
}

function required<T>(value: T | null | undefined): T {
  if (value == null) throw new Error('the schema requires the id');
  return value;
}

function checkedFile(sent: UploadedFile): UploadedFile {
  if (sent.bytes.length > MAX_BANK_FILE_BYTES) throw new Refusal('payload_too_large');
  if (sent.bytes.length === 0) throw new InvalidRequest('validation_failed', [{ path: 'file', message: 'is empty' }]);
  return sent;
}
