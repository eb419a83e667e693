import type { EntityManager } from '@mikro-orm/postgresql';
import type { CompanyId } from '../../domain/ids.ts';

/** The messages that the sandbox's messaging platform received for a company. */

export type SandboxMessage = {
  /** In E.164. */
  readonly to: string;
  readonly code: string;
  readonly merchant: string;
  /** With its currency, as the message says it. */
  readonly amount: string;
};

export const MAX_SANDBOX_MESSAGES = 100;

/** Stores a message, and forgets the oldest beyond the limit. */
export async function storeSandboxMessage(
  em: EntityManager,
  companyId: CompanyId,
  { to, code, merchant, amount }: SandboxMessage,
): Promise<void> {
  await em.execute(
    'insert into sandbox_message (company_id, mobile_number, code, merchant, amount) values (?, ?, ?, ?, ?)',
    [companyId, to, code, merchant, amount],
  );
  await em.execute(
    `delete from sandbox_message where company_id = ? and id < (
       select id from sandbox_message where company_id = ? order by id desc offset ? limit 1)`,
    [companyId, companyId, MAX_SANDBOX_MESSAGES - 1],
  );
}

/** The messages of the company, newest first: all, or those to one number. */
export async function listSandboxMessages(
  em: EntityManager,
  companyId: CompanyId,
  to: string | null,
): Promise<(SandboxMessage & { readonly sentAt: Date })[]> {
  const rows = await em.execute<(SandboxMessage & { sent_at: Date })[]>(
    `select mobile_number as to, code, merchant, amount, sent_at from sandbox_message
     where company_id = ? and (?::text is null or mobile_number = ?) order by id desc limit ?`,
    [companyId, to, to, MAX_SANDBOX_MESSAGES],
  );
  return rows.map(({ sent_at: sentAt, ...message }) => ({ ...message, sentAt: new Date(sentAt) }));
}
