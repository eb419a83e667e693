import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../../domain/errors.ts';
import type { Party } from '../../domain/escrow/escrow.ts';
import type { CommandId, CompanyId, EscrowId, OrderRequestId } from '../../domain/ids.ts';
import type { OrderAct, RequestStatus } from '../../domain/order-pages.ts';
import type { EncryptedText } from '../core/field-cipher.ts';
import { createdSort, createListReader, NEWEST_FIRST } from '../core/list-reader.ts';
import { type RecordOf, readModel, time, value } from '../core/read-model.ts';

/** What parties asked for on their pages, where the company wants to be asked first. */

/** What the party entered, as the act's form has it. Ids are bare, amounts are strings of cents. */
export type OrderWish = {
  readonly items?: readonly { readonly itemId: string; readonly quantity: number }[];
  readonly notes?: string;
  readonly reason?: string;
  readonly hours?: number;
  readonly sellerPayoutCents?: string;
  readonly negotiationId?: string;
  readonly accept?: boolean;
  readonly carrier?: string;
  readonly trackingNumber?: string;
  readonly trackingUrl?: string;
  readonly milestoneId?: string;
  readonly amountCents?: string;
  readonly bankName?: string;
  readonly branchCode?: string;
  /** Masked. */
  readonly accountNumber?: string;
  readonly accountName?: string;
};

/** A request whose time has passed has lapsed, although the worker writes that a moment later. */
const STATUS = `case when r.status = 'PENDING' and r.deciding is null and r.lapses_at <= company_now(r.company_id)
  then 'LAPSED' else r.status end`;

const REQUEST = readModel({
  id: value<OrderRequestId>('r.id'),
  escrowId: value<EscrowId>('r.escrow_id'),
  commandId: value<CommandId>('r.command_id'),
  act: value<OrderAct>('r.act'),
  party: value<Party>('r.party'),
  details: value<OrderWish>('r.details'),
  secret: value<EncryptedText | null>('r.secret'),
  status: value<RequestStatus>(STATUS),
  reason: value<string | null>('r.reason'),
  createdAt: time('r.created_at'),
  lapsesAt: time('r.lapses_at'),
});
export type OrderRequestRecord = RecordOf<typeof REQUEST>;

type RequestFilter = {
  readonly escrowId?: EscrowId | undefined;
  readonly id?: OrderRequestId | undefined;
  readonly party?: Party | undefined;
  readonly status?: readonly RequestStatus[] | undefined;
};

export const REQUEST_SORTS = createdSort('r');

const READER = createListReader<RequestFilter, OrderRequestRecord, keyof typeof REQUEST_SORTS>({
  table: 'order_request',
  alias: 'r',
  ...REQUEST,
  conditions: {
    escrowId: 'r.escrow_id = ?',
    id: 'r.id = ?',
    party: 'r.party = ?',
    status: `${STATUS} = any(?::text[])`,
  },
  sorts: REQUEST_SORTS,
  defaultOrder: NEWEST_FIRST,
});

export const { list: listOrderRequests } = READER;

/** The request of the escrow. Throws `not_found`. */
export async function requireOrderRequest(
  em: EntityManager,
  companyId: CompanyId,
  { escrowId, id }: { readonly escrowId: EscrowId; readonly id: OrderRequestId },
): Promise<OrderRequestRecord> {
  const [found] = await READER.find(em, companyId, { escrowId, id }, { limit: 1, offset: 0 });
  if (found === undefined) throw new Refusal('not_found', 'the escrow has no such request');
  return found;
}

/** The party's latest requests, newest first. */
export async function latestOrderRequests(
  em: EntityManager,
  companyId: CompanyId,
  of: { readonly escrowId: EscrowId; readonly party: Party },
): Promise<OrderRequestRecord[]> {
  return READER.find(em, companyId, of, { limit: LATEST_REQUESTS, offset: 0 });
}
const LATEST_REQUESTS = 20;
/** A party who asks again and again must not fill the list of the company. */
const MAX_REQUESTS = 200;

type NewOrderRequest = {
  readonly id: OrderRequestId;
  readonly companyId: CompanyId;
  readonly escrowId: EscrowId;
  readonly act: OrderAct;
  readonly party: Party;
  readonly details: OrderWish;
  readonly secret: EncryptedText | null;
  readonly askHours: number;
};

/** Whether the request is stored already. */
export async function isOrderRequestKnown(
  em: EntityManager,
  companyId: CompanyId,
  id: OrderRequestId,
): Promise<boolean> {
  const rows = await em.execute('select from order_request where company_id = ? and id = ?', [companyId, id]);
  return rows.length > 0;
}

/** Throws `wrong_state` if the party has asked for the act and waits for the answer, and `limit_reached`. */
export async function requireNoWaitingRequest(
  em: EntityManager,
  companyId: CompanyId,
  { escrowId, party, act }: Pick<NewOrderRequest, 'escrowId' | 'party' | 'act'>,
): Promise<void> {
  const [row] = await em.execute<{ all: number; waiting: number }[]>(
    `select count(*)::integer as all, (count(*) filter (where r.act = ? and ${STATUS} = 'PENDING'))::integer as waiting
     from order_request r where r.company_id = ? and r.escrow_id = ? and r.party = ?`,
    [act, companyId, escrowId, party],
  );
  if ((row?.waiting ?? 0) > 0) throw new Refusal('wrong_state', 'a request for this is already waiting for an answer');
  if ((row?.all ?? 0) >= MAX_REQUESTS) throw new Refusal('limit_reached', `at most ${MAX_REQUESTS} requests`);
}

/** Stores a request once. Its times are those of the company's clock. Returns false if another one for the act waits. */
export async function addOrderRequest(em: EntityManager, request: NewOrderRequest): Promise<boolean> {
  const { id, companyId, escrowId, act, party, details, secret, askHours } = request;
  // One that has lapsed is closed first: only one may wait.
  await em.execute(
    `update order_request r set status = 'LAPSED', updated_at = now()
     where r.company_id = ? and r.escrow_id = ? and r.party = ? and r.act = ? and r.status = 'PENDING' and ${STATUS} = 'LAPSED'`,
    [companyId, escrowId, party, act],
  );
  await em.execute(
    `insert into order_request (id, company_id, escrow_id, act, party, details, secret, created_at, command_id, lapses_at)
     select ?, ?, ?, ?, ?, ?::jsonb, ?, n.at, gen_random_uuid(), n.at + make_interval(hours => ?) from (select company_now(?) as at) n
     on conflict do nothing`,
    [id, companyId, escrowId, act, party, JSON.stringify(details), secret, askHours, companyId],
  );
  return isOrderRequestKnown(em, companyId, id);
}

type RequestDecision = 'APPROVED' | 'REFUSED';
type OneRequest = { readonly companyId: CompanyId; readonly id: OrderRequestId };

/**
 * Begins to decide a request, so that the other decision is refused meanwhile. A decision that was interrupted may be begun again.
 * Throws `wrong_state` if it is closed, or if the other decision is being carried out.
 */
export async function beginDecision(
  em: EntityManager,
  { companyId, id }: OneRequest,
  decision: RequestDecision,
): Promise<void> {
  const begun = await em.execute<unknown[]>(
    `update order_request r set deciding = ?, updated_at = now()
     where r.company_id = ? and r.id = ? and ${STATUS} = 'PENDING' and coalesce(r.deciding, ?) = ? returning r.id`,
    [decision, companyId, id, decision, decision],
  );
  if (begun.length === 0) throw closed();
}

/** The request waits again, because what it asks for was refused. That refusal is final for its command, so it gets another one. */
export async function abandonDecision(em: EntityManager, { companyId, id }: OneRequest): Promise<void> {
  await em.execute(
    `update order_request set deciding = null, command_id = gen_random_uuid(), updated_at = now()
     where company_id = ? and id = ? and status = 'PENDING'`,
    [companyId, id],
  );
}

/** Closes a request whose decision was begun. The secret is not needed any more. */
export async function closeOrderRequest(
  em: EntityManager,
  { companyId, id }: OneRequest,
  decision: RequestDecision,
  reason: string | null,
): Promise<void> {
  const closing = await em.execute<unknown[]>(
    `update order_request set status = ?, reason = ?, deciding = null, secret = null, updated_at = now()
     where company_id = ? and id = ? and status = 'PENDING' and deciding = ? returning id`,
    [decision, reason, companyId, id, decision],
  );
  if (closing.length === 0) throw closed();
}

function closed(): Refusal {
  return new Refusal('wrong_state', 'the request is closed, or another decision about it is being carried out');
}
