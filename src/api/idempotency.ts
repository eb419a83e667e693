import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { v7 as uuidv7 } from 'uuid';
import { Refusal } from '../domain/errors.ts';
import type { CommandId } from '../domain/ids.ts';
import type { ApiDependencies, ApiEnv } from './context.ts';
import { IDEMPOTENCY_KEY, idempotencyKeyOf } from './middleware/headers.ts';
import { isMultipart } from './uploads.ts';

const LOCK = '60 seconds';
const LIFETIME = '24 hours';

export type Answer<Status extends number, Body> = { readonly status: Status; readonly body: Body };

/** A fresh command id: a UUIDv7 of ours, never what a client sent. */
export function newCommandId(): CommandId {
  return uuidv7() as CommandId; // the one place that makes them
}

/**
 * Runs `work` at most once for the key that the client sent, and answers the stored response to every repetition. `work`
 * gets the command's id, the same one after a crash or a time-out, and names everything it makes by it. Without a key,
 * `work` simply runs.
 *
 * Throws `idempotency_key_reused` for the same key with another request, `idempotency_in_progress` while the first
 * one is at work.
 */
export async function once<Status extends ContentfulStatusCode, Body>(
  c: Context<ApiEnv>,
  { orm, log }: Pick<ApiDependencies, 'orm' | 'log'>,
  work: (commandId: CommandId) => Promise<Answer<Status, Body>>,
): Promise<Answer<Status, Body>> {
  const key = idempotencyKeyOf(c.req.header(IDEMPOTENCY_KEY));
  if (key === undefined) return work(newCommandId());

  const operation = `${c.req.method} ${c.req.routePath}`;
  const em = orm.em.fork();
  const [claim] = await em.execute<
    { outcome: string; command_id: CommandId; response_status: Status | null; response_body: Body }[]
  >('select * from idempotency_claim(?, ?, ?, ?, ?, ?::interval, ?::interval)', [
    c.var.companyId,
    operation,
    key,
    await fingerprintOf(c),
    newCommandId(),
    LOCK,
    LIFETIME,
  ]);
  if (claim === undefined) throw new Error('idempotency_claim answered nothing');
  if (claim.outcome === 'reused') throw new Refusal('idempotency_key_reused');
  if (claim.outcome === 'in_progress') throw new Refusal('idempotency_in_progress');
  if (claim.outcome === 'replay' && claim.response_status !== null) {
    c.header('Idempotent-Replayed', 'true');
    return { status: claim.response_status, body: claim.response_body };
  }

  const row = [c.var.companyId, operation, key, claim.command_id];
  try {
    const answer = await work(claim.command_id);
    await em.execute('select idempotency_finish(?, ?, ?, ?, ?, ?::jsonb)', [
      ...row,
      answer.status,
      JSON.stringify(answer.body),
    ]);
    return answer;
  } catch (error) {
    // Whatever is no plain refusal may have had its effect: the retry has to resume the same command.
    const mayHaveHappened = !(error instanceof Refusal) || error.code === 'dependency_unavailable';
    await em
      .execute('select idempotency_release(?, ?, ?, ?, ?)', [...row, mayHaveHappened])
      .catch((failure: unknown) => log.warn({ err: failure }, 'an idempotency key stays locked until its time is up'));
    throw error;
  }
}

/** Method, path, query and body as they were sent. */
async function fingerprintOf(c: Context<ApiEnv>): Promise<Buffer> {
  const url = new URL(c.req.url);
  url.searchParams.sort();
  const hash = createHash('sha256').update(`${c.req.method} ${url.pathname}?${url.searchParams}\n`);
  if (!isMultipart(c)) return hash.update(Buffer.from(await c.req.arrayBuffer())).digest();
  // Every try has a boundary of its own, so it is the parts that are compared.
  for (const [name, value] of await c.req.formData()) {
    const content = typeof value === 'string' ? Buffer.from(value) : Buffer.from(await value.arrayBuffer());
    hash.update(`${JSON.stringify(name)}:${content.length}\n`).update(content);
  }
  return hash.digest();
}
