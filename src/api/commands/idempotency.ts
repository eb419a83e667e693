import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { v7 as uuidv7 } from 'uuid';
import { inTenant } from '../../db/core/orm.ts';
import {
  type Claim,
  type ClaimOutcome,
  claimKeys,
  finishAll,
  type Once,
  type OnceOutcome,
} from '../../db/requests/idempotency.ts';
import { isRefused, Refusal } from '../../domain/errors.ts';
import type { CommandId, CompanyId } from '../../domain/ids.ts';
import type { ApiDependencies, ApiEnv } from '../context.ts';
import { digestOf } from '../contract/canonical.ts';
import { auditLineOf } from '../middleware/audit.ts';
import { IDEMPOTENCY_KEY, idempotencyKeyOf } from '../middleware/headers.ts';

type Dependencies = Pick<ApiDependencies, 'requests' | 'log'>;

export type Answer<Status extends number, Body> = { readonly status: Status; readonly body: Body };

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
 * key, `work` simply runs.
 *
 * Throws `idempotency_key_reused` if the key was used with another request, and `idempotency_in_progress` while the first
 * request is still running.
 */
export function runOnce<Status extends ContentfulStatusCode, Body>(
  c: Context<ApiEnv>,
  dependencies: Dependencies,
  work: (commandId: CommandId) => Promise<Answer<Status, Body>>,
): Promise<Answer<Status, Body>> {
  const nothing: Lookup<undefined> = {
    alone: async () => undefined,
    withClaim: async (claim) => ({ outcome: await dependencies.requests.claim(claim), found: undefined }),
  };
  return findThenRunOnce(c, dependencies, nothing, work);
}

/** Looks up what `work` needs, in the same database call that claims the key, if there is one. */
export type Lookup<Found> = {
  readonly alone: () => Promise<Found>;
  readonly withClaim: (claim: Claim) => Promise<{ readonly outcome: ClaimOutcome; readonly found: Found }>;
};

/** `runOnce` for work on an existing resource: one database call claims the key and looks the resource up. */
export async function findThenRunOnce<Found, Status extends ContentfulStatusCode, Body>(
  c: Context<ApiEnv>,
  { requests, log }: Dependencies,
  { alone, withClaim }: Lookup<Found>,
  work: (commandId: CommandId, found: Found) => Promise<Answer<Status, Body>>,
): Promise<Answer<Status, Body>> {
  const key = idempotencyKeyOf(c.req.header(IDEMPOTENCY_KEY));
  if (key === undefined) return remember(c, await work(newCommandId(), await alone()));
  const claim = await claimOf(c, key);
  const { outcome, found } = await withClaim(claim);
  if (outcome.kind !== 'claimed') return answerOf(c, outcome);
  const claimed = { ...claim, commandId: outcome.commandId };
  try {
    const answer = await work(claimed.commandId, found);
    await requests.finish({ answer: { ...claimed, ...answer }, line: auditLineOf(c, answer) });
    c.set('isAudited', true);
    return answer;
  } catch (error) {
    await requests
      .release(claimed, !isRefused(error))
      .catch((failure: unknown) =>
        log.warn({ err: failure }, 'an idempotency key stays locked until its claim expires'),
      );
    throw error;
  }
}

/** `runOnce` for work that claims the key, stores its answer and writes the audit log in the transaction of its effect. */
export async function submitOnce<Status extends ContentfulStatusCode, Body>(
  c: Context<ApiEnv>,
  work: (once: Once) => Promise<OnceOutcome>,
): Promise<Answer<Status, Body>> {
  const key = idempotencyKeyOf(c.req.header(IDEMPOTENCY_KEY));
  if (key === undefined) throw new Refusal('missing_header', `${IDEMPOTENCY_KEY} is required`);
  const claim = await claimOf(c, key);
  const outcome = await work({ claim, auditLineOf: (answer) => auditLineOf(c, answer) });
  if (outcome instanceof Refusal) throw outcome;
  if (outcome.kind === 'answered') c.set('isAudited', true);
  return answerOf(c, outcome);
}

/**
 * Runs `work`, which changes rows and nothing else, at most once for the client's key. Key, effect, stored response and audit
 * line are written in one transaction. Without a key, `work` simply runs. `tenant` is the company whose rows change, by default
 * that of the request; `status` is that of the response.
 */
export async function changeOnce<Body>(
  c: Context<ApiEnv>,
  { orm }: Pick<ApiDependencies, 'orm'>,
  work: (em: EntityManager) => Promise<Body>,
  {
    tenant = c.get('companyId'),
    status = 200,
  }: { readonly tenant?: CompanyId; readonly status?: ContentfulStatusCode } = {},
): Promise<Body> {
  const outcome = await changeUnlessDone(c, orm, tenant, { status, work, stored: (made) => made });
  if (outcome.kind === 'done') return outcome.made;
  c.header('Idempotent-Replayed', 'true');
  return outcome.body as Body; // the stored response is of this operation
}

/**
 * The same for work that makes a secret. The secret is in the answer alone and is stored nowhere, so a repetition is refused with
 * `already_exists` and the id of what the first request made.
 */
export async function makeSecretOnce<Body extends { readonly id: string }>(
  c: Context<ApiEnv>,
  { orm }: Pick<ApiDependencies, 'orm'>,
  status: ContentfulStatusCode,
  work: (em: EntityManager) => Promise<Body>,
): Promise<Body> {
  const stored = ({ id }: Body) => ({ id });
  const outcome = await changeUnlessDone(c, orm, c.get('companyId'), { status, work, stored });
  if (outcome.kind === 'replay') throw secretGone(outcome.body);
  return outcome.made;
}

type Changed<Body> =
  | { readonly kind: 'done'; readonly made: Body }
  /** The first request did it; `body` is what was kept of its response. */
  | { readonly kind: 'replay'; readonly body: unknown };

async function changeUnlessDone<Body>(
  c: Context<ApiEnv>,
  orm: ApiDependencies['orm'],
  tenant: CompanyId,
  {
    status,
    work,
    stored,
  }: {
    readonly status: ContentfulStatusCode;
    readonly work: (em: EntityManager) => Promise<Body>;
    /** What is kept of the response. */
    readonly stored: (made: Body) => unknown;
  },
): Promise<Changed<Body>> {
  const key = idempotencyKeyOf(c.req.header(IDEMPOTENCY_KEY));
  if (key === undefined) return { kind: 'done', made: await inTenant(orm, tenant, work) };
  const result = await inTenant<Changed<Body>>(orm, tenant, async (em) => {
    const claim = await claimOf(c, key);
    const [outcome] = await claimKeys(em, [claim]);
    if (outcome?.kind === 'replay') return { kind: 'replay', body: outcome.body };
    if (outcome?.kind !== 'claimed') throw unclaimed(outcome?.kind);
    const made = await work(em);
    const answer = { ...claim, commandId: outcome.commandId, status, body: stored(made) };
    await finishAll(em, [{ answer, line: auditLineOf(c, { status, body: made }) }]);
    return { kind: 'done', made };
  });
  if (result.kind === 'done') c.set('isAudited', true);
  return result;
}

function secretGone(stored: unknown): Refusal {
  const { id } = stored as { readonly id: string }; // written by makeSecretOnce, as the operation is part of the key
  return new Refusal('already_exists', `the first request created ${id}; only its response contained the secret`, {
    duplicateOf: id,
  });
}

function unclaimed(kind: 'reused' | 'in_progress' | undefined): Refusal {
  return new Refusal(kind === 'reused' ? 'idempotency_key_reused' : 'idempotency_in_progress');
}

function answerOf<Status extends number, Body>(
  c: Context<ApiEnv>,
  outcome: Exclude<OnceOutcome, Refusal>,
): Answer<Status, Body> {
  if (outcome.kind === 'reused' || outcome.kind === 'in_progress') throw unclaimed(outcome.kind);
  if (outcome.kind === 'replay') c.header('Idempotent-Replayed', 'true');
  return remember(c, { status: outcome.status, body: outcome.body } as Answer<Status, Body>); // the stored response is of this operation
}

/** For the audit log, which records what was created. */
function remember<Status extends number, Body>(c: Context<ApiEnv>, answer: Answer<Status, Body>): Answer<Status, Body> {
  c.set('answer', answer.body);
  return answer;
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
