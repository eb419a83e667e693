import type { EntityManager } from '@mikro-orm/postgresql';
import type { EscrowEvent } from '../../domain/escrow/commands.ts';
import { type Actor, ESCROW_STATUSES, type Escrow, type EscrowStatus } from '../../domain/escrow/escrow.ts';
import type { AccountId, CommandId, CompanyId, EscrowId, Id, TransactionId, UserId } from '../../domain/ids.ts';
import type { Wire } from '../../domain/messages/wire.ts';
import type { Currency } from '../../domain/money.ts';
import type { Source } from '../../domain/source.ts';
import {
  createListReader,
  NEWEST_FIRST,
  sumOfCompanyCounts,
  type TimeFilter,
  timeConditions,
  timeSorts,
} from '../core/list-reader.ts';
import { columnsOf, looked, type RecordOf, readModel, value, wire } from '../core/read-model.ts';
import { type CommandContent, EscrowRow } from '../entities/escrow.ts';
import { type FileRow, ORDER_FILES, type OrderFile, orderFilesOf } from './order-files.ts';

/** Read models of escrows: the folded row with its texts and names. */

/** The data of an escrow that a command needs. */
export type EscrowSubject = { readonly id: EscrowId; readonly status: EscrowStatus; readonly state: Escrow };

type EscrowFilter = TimeFilter & {
  readonly id?: EscrowId | undefined;
  readonly status?: readonly EscrowStatus[] | undefined;
  readonly buyerId?: UserId | undefined;
  readonly sellerId?: UserId | undefined;
  readonly externalReference?: string | undefined;
  /** A whole reference or invoice number, in any case. */
  readonly q?: string | undefined;
};

export const ESCROW_SORTS = timeSorts('e');
type Sort = keyof typeof ESCROW_SORTS;

/**
 * The names of the buyer and the seller of an escrow `e`, as all readers show them. Null: the user has no name. Each is looked up by an
 * index for each row of a page, and costs less as a subquery than as a join.
 */
export const PARTY_NAMES = {
  buyerName: value<string | null>(userName('e.buyer_id')),
  /** The company's name if the company itself sells. */
  sellerName: value<string | null>(
    `case when e.seller_id is null then (select c.name from company c where c.id = e.company_id) else ${userName('e.seller_id')} end`,
  ),
};

function userName(id: string): string {
  return `(select nullif(concat_ws(' ', u.first_name, u.last_name), '') from app_user u where u.company_id = e.company_id and u.id = ${id})`;
}

/** What no event of an escrow changes, and its state does not have. */
export const ESCROW_TEXTS = {
  externalReference: value<string | null>('e.external_reference'),
  externalInvoiceNumber: value<string | null>('e.external_invoice_number'),
  /** The caller's texts from its creation: item names, milestone titles. */
  content: value<CommandContent>("coalesce(t.content, '{}')"),
  ...PARTY_NAMES,
};
const ESCROW = readModel({
  ...columnsOf(EscrowRow, 'e', ['companyId', 'seq', 'buyerId', 'sellerId', 'currency', 'totalCents']),
  ...ESCROW_TEXTS,
  state: wire<Escrow>('e.state'),
});
export type EscrowRecord = RecordOf<typeof ESCROW>;

/** What a list shows of an escrow: its folded state and its texts cost more than everything else of a row. */
const SUMMARY = readModel({
  ...columnsOf(EscrowRow, 'e', ['state', 'seq', 'externalInvoiceNumber', 'updatedAt']),
  ...PARTY_NAMES,
});
export type EscrowSummaryRecord = RecordOf<typeof SUMMARY>;

const ESCROWS = {
  table: 'escrow',
  alias: 'e',
  conditions: {
    id: 'e.id = ?',
    status: 'e.status = any(?::text[])',
    buyerId: 'e.buyer_id = ?',
    sellerId: 'e.seller_id = ?',
    externalReference: 'match_key(e.external_reference) = match_key(?) and e.external_reference = ?',
    q: 'match_key(e.external_reference) = match_key(?) or match_key(e.external_invoice_number) = match_key(?)',
    ...timeConditions('e'),
  },
  sorts: ESCROW_SORTS,
  defaultOrder: NEWEST_FIRST,
  storedTotal: (companyId, { status, ...others }) =>
    Object.values(others).every((value) => value === undefined)
      ? sumOfCompanyCounts(
          companyId,
          (status ?? ESCROW_STATUSES).map((one) => `escrows ${one}`),
        )
      : null,
} satisfies Omit<Parameters<typeof createListReader<EscrowFilter, unknown, Sort>>[0], 'columns' | 'toRecord'>;

const READER = createListReader<EscrowFilter, EscrowRecord, Sort>({
  ...ESCROWS,
  ...ESCROW,
  joins: looked('left join', 'command_text', 't', 't.company_id = e.company_id and t.command_id = e.id'),
});

/** The company's matching escrows, newest first unless the page has another order. */
export const { list: listEscrows } = READER;
export const { list: listEscrowSummaries } = createListReader<EscrowFilter, EscrowSummaryRecord, Sort>({
  ...ESCROWS,
  ...SUMMARY,
});

export async function findEscrow(em: EntityManager, companyId: CompanyId, id: EscrowId): Promise<EscrowRecord | null> {
  const [escrow] = await READER.find(em, companyId, { id }, { limit: 1, offset: 0 });
  return escrow ?? null;
}

/** Far more than an escrow has, unless a party sends notes for ever. */
const MAX_ESCROW_EVENTS = 10_000;

export type TimelineRecord = {
  readonly event: Wire<EscrowEvent>;
  readonly actor: Actor;
  readonly at: Date;
  readonly source: Source;
  readonly content: CommandContent;
  /** What its sender sent with it. */
  readonly files: readonly OrderFile[];
};

/**
 * Who did it. A release is carried out by the service; on an order page it is the buyer's act, also where the company had to approve
 * it.
 */
function actorOf(type: EscrowEvent['type'], actor: Actor, source: Source, content: CommandContent | null): Actor {
  const isRelease = type === 'FUNDS_RELEASED' || type === 'MILESTONE_RELEASED';
  const isOnPage = source === 'ORDER_PAGE' || (content?.requestId ?? null) !== null;
  return isRelease && isOnPage ? 'BUYER' : actor;
}

type EventRow = {
  data: Wire<EscrowEvent>;
  actor: Actor;
  at: string;
  source: Source;
  content: CommandContent | null;
};

/** The latest `MAX_ESCROW_EVENTS` events in order, with the texts and files that were sent with them. */
export async function findTimeline(em: EntityManager, companyId: CompanyId, id: EscrowId): Promise<TimelineRecord[]> {
  const [row] = await em.execute<{ events: EventRow[]; files: FileRow[] }[]>(
    `select (
         select coalesce(json_agg(l), '[]') from (
           select v.data, v.actor, v.at, v.source, t.content
           from (select * from escrow_event where company_id = ? and escrow_id = ? order by seq desc limit ?) v
           left join command_text t on t.company_id = v.company_id and t.command_id = v.command_id order by v.seq) l) as events,
       (select coalesce(json_agg(f), '[]') from (${ORDER_FILES}) f) as files`,
    [companyId, id, MAX_ESCROW_EVENTS, companyId, id],
  );
  const files = orderFilesOf(row?.files ?? []);
  return (row?.events ?? []).map(({ data, actor, at, source, content }) => ({
    event: data,
    actor: actorOf(data.type, actor, source, content),
    at: new Date(at),
    source,
    content: content ?? {},
    files: files.filter(({ commandId }) => commandId === (content?.requestId ?? data.commandId)),
  }));
}

/**
 * Stores the texts of a command under its id. If texts are already stored under this id, they are returned unchanged. `about`: the
 * entity to which the command is sent next; null if the transaction carries it out.
 */
export async function storeText(
  em: EntityManager,
  companyId: CompanyId,
  commandId: CommandId,
  content: CommandContent,
  about: EntityId | null = null,
): Promise<CommandContent> {
  const [row] = await em.execute<{ content: CommandContent }[]>(
    `insert into command_text (command_id, company_id, content, about) values (?, ?, ?::jsonb, ?)
     on conflict (company_id, command_id) do update set command_id = excluded.command_id returning content`,
    [commandId, companyId, JSON.stringify(content), about],
  );
  return row?.content ?? content;
}

export type EntityId = EscrowId | Id<'paymentLink'> | TransactionId;

/** Deletes the texts of a refused command. */
export async function deleteText(em: EntityManager, companyId: CompanyId, commandId: CommandId): Promise<void> {
  await em.execute('delete from command_text where company_id = ? and command_id = ?', [companyId, commandId]);
}

/** After 7 days no idempotency key and no run can lead to a command any more. Regular runs have found what is older than 14. */
const ABANDONED_DAYS = [7, 14];

/**
 * Deletes texts of commands that were never carried out, of all companies: an API process that dies after storing a text leaves one
 * behind, and no erasure of a person would find it. `em` must have the rights of the worker. Returns how many it deleted.
 */
export async function deleteAbandonedTexts(em: EntityManager): Promise<number> {
  const dropped = await em.execute<unknown[]>(
    `delete from command_text t
     where t.created_at < now() - make_interval(days => ?) and t.created_at > now() - make_interval(days => ?) and t.about is not null
       and not exists (select from escrow_event v
         where v.company_id = t.company_id and v.escrow_id = t.about and v.command_id = t.command_id)
       and not exists (select from payment_link_event v
         where v.company_id = t.company_id and v.link_id = t.about and v.command_id = t.command_id)
       and not exists (select from withdrawal_event v
         where v.company_id = t.company_id and v.withdrawal_id = t.about and v.command_id = t.command_id)
     returning t.command_id`,
    ABANDONED_DAYS,
  );
  return dropped.length;
}

/** The accounts that receive the fees of an escrow of the transaction's company. */
export async function findFeeAccounts(
  em: EntityManager,
  currency: Currency,
): Promise<{ serviceFeeAccountId: AccountId; systemFeeAccountId: AccountId }> {
  const [row] = await em.execute<
    { service_fee_account_id: AccountId | null; system_fee_account_id: AccountId | null }[]
  >('select * from fee_accounts(?)', [currency]);
  if (row == null || row.service_fee_account_id === null || row.system_fee_account_id === null)
    throw new Error('the platform or the company has no fee accounts');
  return { serviceFeeAccountId: row.service_fee_account_id, systemFeeAccountId: row.system_fee_account_id };
}
