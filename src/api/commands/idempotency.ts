import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from 'hono';
import { v7 as uuidv7 } from 'uuid';
import { inTenant } from '../../db/core/orm.ts';
import type { EscrowSubject } from '../../db/escrow/escrows.ts';
import { type Announcement, writeAuditLines } from '../../db/requests/audit-log.ts';
import {
  type Claim,
  claimKeys,
  finishAll,
  type Once,
  type OnceOutcome,
  type RequestStore,
  type Unclaimed,
} from '../../db/requests/request-store.ts';
import { isRefused, Refusal } from '../../domain/errors.ts';
import { type CommandId, type CompanyId, type EscrowId, type IdKind, idMadeBy, publicId } from '../../domain/ids.ts';
import type { ApiDependencies, ApiEnv } from '../context.ts';
import { digestOf } from '../contract/canonical.ts';
import { auditLineOf, idIn } from '../middleware/audit.ts';
import { expectedVersion, IDEMPOTENCY_KEY, IF_MATCH, idempotencyKeyOf } from '../middleware/headers.ts';

/**
 * The id of a command that comes from a request: a UUIDv7 made here, never a value from the client. Workflows make the ids of
 * commands that a deadline causes. The public routes of a payment link take no idempotency key: each of their requests is a
 * command of its own.
 */
export function newCommandId(): CommandId {
  return uuidv7() as CommandId; // made in this function
}

/**
 * Runs `work` at most once for the client's key, and answers every repetition with the stored response. `work` receives the
 * command's id, which is the same after a crash or a time-out, and derives the ids of everything it creates from it. Without a
 * key, `work` simply runs. With `escrowId`, one database call claims the key and reads the company's escrow, which `work` gets; null
 * if there is none.
 *
 * The audit line is announced before the work, under the command's id. The transaction that writes the command's effect writes it:
 * events of runs do so by themselves, other work calls `writeAnnounced`. A change whose line cannot be written is not made.
 *
 * Throws `idempotency_key_reused` if the key was used with another request, and `idempotency_in_progress` while the first
 * request is still running.
 */
export async function runOnce<Body>(
  c: Context<ApiEnv>,
  dependencies: Pick<ApiDependencies, 'requests' | 'log'>,
  work: (commandId: CommandId, escrow: EscrowSubject | null) => Promise<Body>,
  { escrowId, rewrite, makes }: RunOptions<Body> = {},
): Promise<Body> {
  const { requests, log } = dependencies;
  const key = idempotencyKeyOf(c.req.header(IDEMPOTENCY_KEY));
  const lineOf = (id: CommandId) => ({
    ...auditLineOf(c, { status: c.get('successStatus'), body: null }),
    ...(makes === undefined ? {} : { resource: publicId(makes, idMadeBy(makes, id)) }),
  });
  if (key === undefined) {
    const commandId = newCommandId();
    const escrow = escrowId === undefined ? null : await requests.findEscrow(c.get('companyId'), escrowId);
    return announced(c, requests, { commandId, line: lineOf(commandId) }, () => work(commandId, escrow));
  }
  const named = await claimOf(c, key);
  const claim = { ...named, line: lineOf(named.commandId) };
  const { outcome, escrow } =
    escrowId === undefined
      ? { outcome: await requests.claim(claim), escrow: null }
      : await requests.claimOnEscrow(claim, escrowId);
  if (outcome.kind !== 'claimed') {
    if (escrowId !== undefined && escrow === null) throw noSuchEscrow();
    return storedBody(c, outcome, rewrite);
  }
  const claimed = { ...named, commandId: outcome.commandId };
  // An earlier attempt had another id, which stands in the line of what it makes.
  if (claimed.commandId !== named.commandId && makes !== undefined)
    await requests.announce({ ...claimed, line: lineOf(claimed.commandId) });
  try {
    const body = await work(claimed.commandId, escrow);
    const answer = { status: c.get('successStatus'), body };
    const kept = rewrite === undefined ? answer : { ...answer, body: rewrite.store(body) };
    await requests.finish({ answer: { ...claimed, ...kept }, line: 'announced' });
    c.set('isAudited', true);
    return body;
  } catch (error) {
    await requests
      .release(claimed, !isRefused(error))
      .catch((failure: unknown) =>
        log.warn({ err: failure }, 'an idempotency key stays locked until its claim expires'),
      );
    throw error;
  }
}

/** An escrow for a command, and the version that the caller knows. */
export type CommandSubject = EscrowSubject & { readonly expectedSeq?: number | undefined };

/**
 * Runs `work` at most once (`runOnce`) on one of the company's escrows. Also throws `not_found`. The version in `If-Match` goes
 * to the workflow, which compares it after it has looked for the command's first outcome: a repetition is answered, although
 * the first request has changed the escrow.
 */
export function runOnceOnEscrow<Body>(
  c: Context<ApiEnv>,
  dependencies: Pick<ApiDependencies, 'requests' | 'log'>,
  id: EscrowId,
  work: (escrow: CommandSubject, commandId: CommandId) => Promise<Body>,
): Promise<Body> {
  const expectedSeq = expectedVersion(c.req.header(IF_MATCH));
  const onEscrow = (commandId: CommandId, escrow: EscrowSubject | null) => {
    if (escrow === null) throw noSuchEscrow();
    return work({ ...escrow, expectedSeq }, commandId);
  };
  return runOnce(c, dependencies, onEscrow, { escrowId: id });
}

/** `runOnce` for work without a key. */
async function announced<Body>(
  c: Context<ApiEnv>,
  requests: RequestStore,
  { commandId, line }: Omit<Announcement, 'companyId'>,
  work: () => Promise<Body>,
): Promise<Body> {
  const command = { companyId: c.get('companyId'), commandId };
  await requests.announce({ ...command, line });
  try {
    const body = await work();
    await requests.writeAnnounced(command);
    c.set('isAudited', true);
    return body;
  } catch (error) {
    // The command may still be carried out unless it was refused.
    if (isRefused(error)) await requests.revoke(command);
    throw error;
  }
}

type RunOptions<Body> = {
  readonly escrowId?: EscrowId;
  readonly rewrite?: Rewrite<Body>;
  /** What the command makes, for the line: it has the command's id. */
  readonly makes?: IdKind;
};

export function noSuchEscrow(): Refusal {
  return new Refusal('not_found', 'escrow not found');
}

/** Work that changes rows and nothing else: in a transaction of its own, or submitted with others that share one. */
type Change<Body> =
  | ((em: EntityManager, commandId: CommandId) => Promise<Body>)
  | { readonly submit: (once: Once) => Promise<OnceOutcome> };

type ChangeOptions = {
  /** The company whose rows change, by default that of the request. */
  readonly tenant?: CompanyId;
  /**
   * For work that makes a secret. The secret is in the answer alone and is stored nowhere, so a repetition is refused with
   * `already_exists` and the id of what the first request made.
   */
  readonly keeps?: 'id' | Rewrite<never>;
};

/**
 * Of an answer with secrets that can be derived again: what is stored of it, and the answer from what was stored.
 */
type Rewrite<Body> = {
  readonly store: (body: Body) => unknown;
  readonly restore: (stored: unknown) => unknown;
};

/**
 * `runOnce` for work that changes rows and nothing else. Key, effect, stored response and audit line are written in one
 * transaction. Without a key, effect and audit line are; submitted work needs a key.
 */
export async function changeOnce<Body>(
  c: Context<ApiEnv>,
  { orm }: Pick<ApiDependencies, 'orm'>,
  change: Change<Body>,
  { tenant = c.get('companyId'), keeps }: ChangeOptions = {},
): Promise<Body> {
  const key = idempotencyKeyOf(c.req.header(IDEMPOTENCY_KEY));
  const isSubmitted = typeof change === 'object';
  if (key === undefined) {
    if (isSubmitted) throw new Refusal('missing_header', `${IDEMPOTENCY_KEY} is required`);
    return changeAudited(c, { orm }, (em) => change(em, newCommandId()), tenant);
  }
  const once: Once = { claim: await claimOf(c, key), auditLineOf: (answer) => auditLineOf(c, answer) };
  const outcome = isSubmitted
    ? await change.submit(once)
    : await inTenant(orm, tenant, async (em): Promise<OnceOutcome> => {
        const [claimed] = await claimKeys(em, [once.claim]);
        if (claimed?.kind !== 'claimed') return claimed ?? { kind: 'in_progress' };
        const answer = { status: c.get('successStatus'), body: await change(em, claimed.commandId) };
        const body = storedOf(answer.body, keeps);
        const stored = { ...once.claim, commandId: claimed.commandId, status: answer.status, body };
        await finishAll(em, [{ answer: stored, line: once.auditLineOf(answer) }]);
        return { kind: 'answered', ...answer };
      });
  if (outcome instanceof Refusal) throw outcome;
  if (outcome.kind === 'answered') {
    c.set('isAudited', true);
    return outcome.body as Body; // the body of the work above
  }
  if (outcome.kind === 'replay' && keeps === 'id') throw secretGone(outcome.body);
  return storedBody(c, outcome, keeps === 'id' ? undefined : keeps);
}

function storedOf(body: unknown, keeps: ChangeOptions['keeps']): unknown {
  if (keeps === undefined) return body;
  return keeps === 'id' ? { id: idIn(body) } : keeps.store(body as never); // the body of the same work
}

/**
 * Runs `change` and writes its audit line in the same transaction: without the line, nothing changes. The id of what it creates is
 * the `id` of its result.
 */
export async function changeAudited<Result>(
  c: Context<ApiEnv>,
  { orm }: Pick<ApiDependencies, 'orm'>,
  change: (em: EntityManager) => Promise<Result>,
  tenant: CompanyId = c.get('companyId'),
): Promise<Result> {
  const result = await inTenant(orm, tenant, async (em) => {
    const body = await change(em);
    await writeAuditLines(em, [auditLineOf(c, { status: c.get('successStatus'), body })]);
    return body;
  });
  c.set('isAudited', true);
  return result;
}

/** Runs a change that opens its transaction itself, and calls `record` in it to write the audit line. */
export async function audited<Result>(
  c: Context<ApiEnv>,
  change: (record: (em: EntityManager) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const line = auditLineOf(c, { status: c.get('successStatus'), body: null });
  const result = await change((em) => writeAuditLines(em, [line]));
  c.set('isAudited', true);
  return result;
}

function secretGone(stored: unknown): Refusal {
  const { id } = stored as { readonly id: string }; // stored above, as the operation is part of the key
  return new Refusal('already_exists', `the first request created ${id}; only its response contained the secret`, {
    duplicateOf: id,
  });
}

/** The stored response, if the first request ended. */
function storedBody<Body>(c: Context<ApiEnv>, outcome: Unclaimed, rewrite?: Pick<Rewrite<Body>, 'restore'>): Body {
  if (outcome.kind !== 'replay')
    throw new Refusal(outcome.kind === 'reused' ? 'idempotency_key_reused' : 'idempotency_in_progress');
  c.header('Idempotent-Replayed', 'true');
  const body = rewrite === undefined ? outcome.body : rewrite.restore(outcome.body);
  return body as Body; // the stored response is of this operation
}

async function claimOf(c: Context<ApiEnv>, key: string): Promise<Claim> {
  const operation = `${c.req.method} ${c.req.routePath}`;
  return {
    companyId: c.get('companyId'),
    operation,
    key,
    // The fingerprint of the parsed request: field order and white space do not matter.
    fingerprint: await digestOf(operation, withoutPassword(c.get('parsed'))),
    commandId: newCommandId(),
  };
}

/** The fingerprint is a fast hash, and a password could be guessed from it. */
function withoutPassword(parsed: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { json } = parsed;
  return typeof json === 'object' && json !== null && 'password' in json
    ? { ...parsed, json: { ...json, password: null } }
    : parsed;
}
