import type { EntityManager } from '@mikro-orm/postgresql';
import { openStatement, pagesOf } from '../../src/db/ledger/statements.ts';
import type { AccountId, CompanyId } from '../../src/domain/ids.ts';
import type { Period, Statement, StatementEntry } from '../../src/domain/ledger/statement.ts';

/** The whole statement of one of the company's accounts. Throws `statement_too_large`. */
export async function readStatement(
  em: EntityManager,
  companyId: CompanyId,
  accountId: AccountId,
  period: Period,
): Promise<Statement> {
  const opened = await openStatement(em, companyId, accountId, period);
  const entries: StatementEntry[] = [];
  for await (const page of pagesOf(opened, companyId, (work) => work(em))) entries.push(...page);
  return { ...opened.totals, entries };
}
