import type { EntityManager } from '@mikro-orm/postgresql';
import type { EntityKind } from '../../domain/entity.ts';
import { nextDeadline } from '../../domain/escrow/deadlines.ts';
import { type Escrow, FINAL_STATUSES } from '../../domain/escrow/escrow.ts';
import { BEFORE_ALL_IDS, type CompanyId } from '../../domain/ids.ts';
import { fromWire, type Wire } from '../../domain/messages/wire.ts';
import type { Currency } from '../../domain/money.ts';
import { nextLinkDeadline } from '../../domain/payment-link/decide.ts';
import type { PaymentLink } from '../../domain/payment-link/link.ts';
import { LISTENING_DAYS } from '../../domain/withdrawal/payout.ts';
import { textArray } from '../core/bound.ts';

/** An escrow, a payment link or a withdrawal that is not final, and so needs a run. */
export type OpenRun = {
  readonly kind: EntityKind;
  readonly id: string;
  readonly companyId: CompanyId;
  readonly currency: Currency;
  readonly amountCents: bigint;
  readonly status: string;
  readonly updatedAt: Date;
  /** The next deadline; null if there is none, or if the row does not contain it. */
  readonly dueAt: Date | null;
  /** How far the company's test clock is ahead of real time. Deadlines and `updatedAt` are times of that clock. */
  readonly clockAheadMs: number;
};

type Row = {
  kind: EntityKind;
  id: string;
  company_id: CompanyId;
  currency: Currency;
  amount_cents: string;
  status: string;
  updated_at: Date;
  state: Wire<Escrow> | Wire<PaymentLink> | null;
  ahead: number;
};

/**
 * The condition for open rows, per table. It has the same text as in the partial indexes (escrow_open, …), because PostgreSQL
 * would not use them otherwise.
 */
const ESCROW_IS_OPEN = `status not in (${FINAL_STATUSES.map((status) => `'${status}'`).join(', ')})`;
const LINK_IS_OPEN = `(status in ('PENDING', 'PROCESSING') or state @@ '$.attempts[*].pollAt != null')`;
const WITHDRAWAL_IS_AT_THE_BANK = "status = 'PROCESSING'";
const WITHDRAWAL_MAY_CHANGE = `status <> 'PROCESSING' and updated_at > now() - make_interval(days => ${LISTENING_DAYS})
  and updated_at > company_now(company_id) - make_interval(days => ${LISTENING_DAYS})`;

/**
 * The next open entities of all kinds, in the order of their ids: of all companies if `em` has the rights of the worker or the
 * owner, else of the tenant.
 */
export async function findOpenRuns(em: EntityManager, after: string | null, limit: number): Promise<OpenRun[]> {
  const from = (table: string, amountCents: string, state: string, isOpen: string) =>
    `(select '${table.replace('_', '-')}' as kind, id, company_id, currency, ${amountCents} as amount_cents, status, updated_at,
        ${state} as state
      from ${table} where ${isOpen} and id > ? order by id limit ?)`;
  // A value, and no row of a common table expression: after a join PostgreSQL reads all open rows for each batch.
  const bounds = [after ?? BEFORE_ALL_IDS, limit];
  const rows = await em.execute<Row[]>(
    `select *, company_ahead_ms(company_id) as ahead from (
       ${from('escrow', 'total_cents', 'state', ESCROW_IS_OPEN)}
       union all ${from('payment_link', 'amount_cents', 'state', LINK_IS_OPEN)}
       union all ${from('withdrawal', 'amount_cents', 'null::jsonb', WITHDRAWAL_IS_AT_THE_BANK)}
       union all ${from('withdrawal', 'amount_cents', 'null::jsonb', WITHDRAWAL_MAY_CHANGE)}
     ) open
     order by id limit ?`,
    [...bounds, ...bounds, ...bounds, ...bounds, limit],
  );
  return rows.map((row) => ({
    kind: row.kind,
    id: row.id,
    companyId: row.company_id,
    currency: row.currency,
    amountCents: BigInt(row.amount_cents),
    status: row.status,
    updatedAt: new Date(row.updated_at),
    dueAt: dueAtOf(row),
    clockAheadMs: row.ahead,
  }));
}

function dueAtOf({ kind, state }: Row): Date | null {
  if (state === null) return null; // a withdrawal: its run decides when to check with the bank
  const deadline =
    kind === 'escrow'
      ? nextDeadline(fromWire<Escrow>(state as Wire<Escrow>)) // the state matches its kind's table
      : nextLinkDeadline(fromWire<PaymentLink>(state as Wire<PaymentLink>)); // the state matches its kind's table
  return deadline === null ? null : new Date(deadline.at);
}

/** The ids among these runs, of all kinds, that is open or changed within the last `settleMs`, because such runs may be ending. */
export async function findOpenAmong(
  em: EntityManager,
  runs: readonly { readonly id: string; readonly companyId: CompanyId }[],
  settleMs: number,
): Promise<ReadonlySet<string>> {
  const isRecent = `updated_at > company_now(company_id) - make_interval(secs => ${settleMs / 1_000})`;
  const rows = await em.execute<{ id: string }[]>(
    `with wanted as (select * from unnest(?::uuid[], ?::uuid[]) w(company_id, id))
     select id from wanted join escrow using (company_id, id) where ${ESCROW_IS_OPEN} or ${isRecent}
     union all select id from wanted join payment_link using (company_id, id) where ${LINK_IS_OPEN} or ${isRecent}
     union all select id from wanted join withdrawal using (company_id, id)
       where ${WITHDRAWAL_IS_AT_THE_BANK} or ${WITHDRAWAL_MAY_CHANGE} or ${isRecent}`,
    [textArray(runs.map(({ companyId }) => companyId)), textArray(runs.map(({ id }) => id))],
  );
  return new Set(rows.map(({ id }) => id));
}
