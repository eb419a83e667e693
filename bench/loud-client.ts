import { randomUUID } from 'node:crypto';

/** A process that sends one request again and again, at a steady pace, from one message to the next. */

export type LoudRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: GET. */
  readonly body?: string;
  readonly everyMs: number;
  /** While so many are not answered, none is sent. */
  readonly mostAtOnce: number;
};

/** The longest wait for an answer, so that a run ends. */
const ANSWER_MS = 30_000;

const waiting = new Set<Promise<unknown>>();
let timer: NodeJS.Timeout | undefined;
let answered = 0;

async function send({ url, headers, body }: LoudRequest): Promise<void> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, 'x-idempotency-key': randomUUID() },
    signal: AbortSignal.timeout(ANSWER_MS),
    ...(body === undefined ? {} : { body: new Blob([body]) }), // sent in pieces
  });
  await response.arrayBuffer();
  if (response.status !== 429) answered += 1;
}

/** A request begins, `stop` ends. Both are answered: with nothing, and with how many answers came, without those of requests that had no turn. */
process.on('message', async (message: LoudRequest | 'stop') => {
  clearInterval(timer);
  if (message === 'stop') {
    process.send?.(answered);
    await Promise.all(waiting);
    return;
  }
  await Promise.all(waiting);
  answered = 0;
  timer = setInterval(() => {
    if (waiting.size >= message.mostAtOnce) return;
    const one = send(message).catch(() => undefined); // it was not answered in time: only the quiet company counts
    waiting.add(one);
    void one.finally(() => waiting.delete(one));
  }, message.everyMs);
  process.send?.(0);
});
