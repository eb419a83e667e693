import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import { Refusal } from '../../domain/errors.ts';
import type { CompanyId, WebhookId } from '../../domain/ids.ts';
import { type DisabledReason, type EndpointMaker, MAX_ENDPOINTS, type WebhookStatus } from '../../domain/webhooks.ts';
import { textArray } from '../core/bound.ts';
import type { EncryptedText, FieldCipher } from '../core/field-cipher.ts';
import { createdSort, createListReader } from '../core/list-reader.ts';
import { group, orNull, type RecordOf, readModel, type SqlRow, time, value } from '../core/read-model.ts';

/** The endpoints of a company. Secrets are encrypted, and no read of an endpoint returns them. */

export const ENDPOINT = readModel({
  id: value<WebhookId>('w.id'),
  url: value<string>('w.url'),
  /** Types of events, or `*`. */
  events: value<readonly string[]>('w.events'),
  description: value<string | null>('w.description'),
  status: value<WebhookStatus>('w.status'),
  disabledReason: value<DisabledReason | null>('w.disabled_reason'),
  /** The first failure since the last success. */
  failingSince: orNull(time('w.failing_since')),
  createdBy: group({ kind: value<EndpointMaker['kind']>('w.created_by_kind'), id: value<string>('w.created_by') }),
  createdAt: time('w.created_at'),
});
export type EndpointRecord = RecordOf<typeof ENDPOINT>;

type EndpointFields = Pick<EndpointRecord, 'url' | 'events' | 'description'>;
type EndpointChanges = Partial<EndpointFields & Pick<EndpointRecord, 'status'>>;

const SECRET = 'webhook_endpoint.secret';
const PREVIOUS_SECRET = 'webhook_endpoint.previous_secret';

/** Adds an endpoint that receives the events from now on. Throws `wrong_state` if the company has its maximum. */
export async function addEndpoint(
  em: EntityManager,
  cipher: FieldCipher,
  companyId: CompanyId,
  { url, events, description, createdBy }: EndpointFields & Pick<EndpointRecord, 'createdBy'>,
  secret: string,
): Promise<EndpointRecord> {
  // Concurrent additions of a company wait for each other, so that the count holds.
  await em.execute(`select pg_advisory_xact_lock(hashtextextended('webhooks ' || ?, 0))`, [companyId]);
  const [count] = await em.execute<{ endpoints: number }[]>(
    'select count(*)::integer as endpoints from webhook_endpoint where company_id = ?',
    [companyId],
  );
  if ((count?.endpoints ?? 0) >= MAX_ENDPOINTS)
    throw new Refusal('wrong_state', `a company has at most ${MAX_ENDPOINTS} endpoints`);
  const id = uuidv7() as WebhookId; // made here
  const [row] = await em.execute<SqlRow[]>(
    `insert into webhook_endpoint as w (id, company_id, url, events, description, secret, created_by_kind, created_by, cursor_position)
     values (?, ?, ?, ?::text[], ?, ?, ?, ?, (select coalesce(max(position), 0) from event where company_id = ?))
     returning ${ENDPOINT.columns}`,
    [
      ...[id, companyId, url, textArray(events), description, cipher.encrypt(SECRET, id, secret)],
      ...[createdBy.kind, createdBy.id, companyId],
    ],
  );
  if (row === undefined) throw new Error('the endpoint was not written');
  return ENDPOINT.toRecord(row);
}

export const ENDPOINT_SORTS = createdSort('w');

export const { list: listEndpoints } = createListReader<
  Readonly<Record<string, never>>,
  EndpointRecord,
  keyof typeof ENDPOINT_SORTS
>({
  table: 'webhook_endpoint',
  alias: 'w',
  ...ENDPOINT,
  conditions: {},
  sorts: ENDPOINT_SORTS,
  defaultOrder: { by: 'createdAt', isDescending: false },
});

/** Throws `not_found`. */
export async function requireEndpoint(em: EntityManager, companyId: CompanyId, id: WebhookId): Promise<EndpointRecord> {
  const [row] = await em.execute<SqlRow[]>(
    `select ${ENDPOINT.columns} from webhook_endpoint w where company_id = ? and id = ?`,
    [companyId, id],
  );
  return ENDPOINT.toRecord(found(row));
}

/**
 * Changes the given fields. A re-enabled endpoint resumes where it stopped. If it is enabled, or has another URL, the deliveries
 * that wait for a retry begin again at once. Throws `not_found`.
 */
export async function changeEndpoint(
  em: EntityManager,
  companyId: CompanyId,
  id: WebhookId,
  { url, events, description, status }: EndpointChanges,
): Promise<EndpointRecord> {
  const [row] = await em.execute<
    (SqlRow & { status: WebhookStatus; url: string; was_status: WebhookStatus; was_url: string })[]
  >(
    `update webhook_endpoint w set url = coalesce(?, w.url), events = coalesce(?::text[], events),
       description = case when ? then ? else description end, status = n.status,
       disabled_reason = case when n.status = 'ENABLED' then null else coalesce(disabled_reason, 'REQUESTED') end,
       failing_since = case when n.status = 'ENABLED' and w.status = 'DISABLED' then null else failing_since end,
       awake_until = null, updated_at = now()
     from (select coalesce(?, status) as status, status as was_status, url as was_url
       from webhook_endpoint where company_id = ? and id = ? for update) n
     where company_id = ? and id = ?
     returning ${ENDPOINT.columns}, n.was_status, n.was_url`,
    [
      ...[url ?? null, events === undefined ? null : textArray(events), description !== undefined, description ?? null],
      ...[status ?? null, companyId, id, companyId, id],
    ],
  );
  const changed = found(row);
  const isEnabled = changed.status === 'ENABLED' && changed.was_status === 'DISABLED';
  if (isEnabled || changed.url !== changed.was_url)
    await em.execute(
      `update webhook_delivery set failed_attempts = 0, next_attempt_at = now(), updated_at = now()
       where company_id = ? and endpoint_id = ? and status = 'PENDING'`,
      [companyId, id],
    );
  return ENDPOINT.toRecord(changed);
}

/** Removes the endpoint with its deliveries. Throws `not_found`. */
export async function removeEndpoint(em: EntityManager, companyId: CompanyId, id: WebhookId): Promise<void> {
  const [row] = await em.execute<{ id: string }[]>(
    'delete from webhook_endpoint where company_id = ? and id = ? returning id',
    [companyId, id],
  );
  found(row);
}

/** Replaces the secret; the old one also signs for `graceSeconds`. Throws `not_found`. */
export async function rotateSecret(
  em: EntityManager,
  cipher: FieldCipher,
  companyId: CompanyId,
  id: WebhookId,
  { secret, graceSeconds }: { readonly secret: string; readonly graceSeconds: number },
): Promise<EndpointRecord> {
  const [old] = await em.execute<{ secret: EncryptedText }[]>(
    'select secret from webhook_endpoint where company_id = ? and id = ? for update',
    [companyId, id],
  );
  const previous = cipher.decrypt(SECRET, id, found(old).secret);
  const [row] = await em.execute<SqlRow[]>(
    `update webhook_endpoint w set secret = ?, previous_secret = ?, previous_secret_until = now() + make_interval(secs => ?),
       updated_at = now()
     where company_id = ? and id = ? returning ${ENDPOINT.columns}`,
    [
      cipher.encrypt(SECRET, id, secret),
      graceSeconds === 0 ? null : cipher.encrypt(PREVIOUS_SECRET, id, previous),
      graceSeconds,
      companyId,
      id,
    ],
  );
  return ENDPOINT.toRecord(found(row));
}

/** Where messages go, and the secrets that sign them now, the current one first. */
export type Target = { readonly url: string; readonly secrets: readonly string[] };

/** Throws `not_found`. */
export async function targetOf(
  em: EntityManager,
  cipher: FieldCipher,
  companyId: CompanyId,
  id: WebhookId,
): Promise<Target> {
  const [row] = await em.execute<{ url: string; secret: EncryptedText; previous_secret: EncryptedText | null }[]>(
    `select url, secret, case when previous_secret_until > now() then previous_secret end as previous_secret
     from webhook_endpoint where company_id = ? and id = ?`,
    [companyId, id],
  );
  const { url, secret, previous_secret: previous } = found(row);
  const current = cipher.decrypt(SECRET, id, secret);
  return { url, secrets: previous === null ? [current] : [current, cipher.decrypt(PREVIOUS_SECRET, id, previous)] };
}

function found<T>(row: T | undefined): T {
  if (row === undefined) throw new Refusal('not_found', 'endpoint not found');
  return row;
}
