import { setTimeout as wait } from 'node:timers/promises';

/** Reads the stream of events (`GET /v1/events/stream`) like any client: it reconnects, and resumes after the last event. */

export type StreamedEvent = {
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
  readonly [field: string]: unknown;
};

export type StreamOptions = {
  /** The address of the stream with its query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the stream. */
  readonly signal: AbortSignal;
  /** Called each time that the stream is open. */
  readonly onOpen: () => void;
  /** Called when the connection ended or failed; it is opened again. */
  readonly onLost: (why: string) => void;
};

const RECONNECT_AFTER_MS = 1_000;
/** Statuses after which the stream is opened again. */
const PASSING = new Set([408, 429, 500, 502, 503, 504]);

/** Thrown when the service refuses the stream for good. */
export class StreamRefused extends Error {
  override readonly name = 'StreamRefused';
}

/** Every event from now on, each once. Throws `StreamRefused`. */
export async function* streamEvents({ url, headers, signal, onOpen, onLost }: StreamOptions) {
  let lastId: string | undefined;
  while (!signal.aborted) {
    try {
      const from = lastId === undefined ? {} : { 'last-event-id': lastId };
      const response = await fetch(url, { headers: { ...headers, ...from, accept: 'text/event-stream' }, signal });
      if (!response.ok || response.body === null) {
        const answer = `the service answered ${response.status}: ${await response.text()}`;
        if (!PASSING.has(response.status)) throw new StreamRefused(answer);
        throw new Error(answer);
      }
      onOpen();
      for await (const event of eventsIn(response.body)) {
        lastId = event.id;
        yield event;
      }
      onLost('the service ended the stream');
    } catch (error) {
      if (error instanceof StreamRefused) throw error;
      if (!signal.aborted) onLost(reasonOf(error));
    }
    await wait(RECONNECT_AFTER_MS, undefined, { signal }).catch(() => undefined); // aborted: the loop's condition ends it
  }
}

/** What failed, with its cause: `fetch failed` alone says nothing. */
export function reasonOf(error: unknown): string {
  const { message, cause } = Object(error);
  const reason: unknown = Object(cause).code ?? Object(cause).message;
  return `${message ?? error}${reason === undefined ? '' : ` (${reason})`}`;
}

/** The messages of a stream of Server-Sent Events. Comments, which keep the connection alive, have no data. */
async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent> {
  let rest = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const messages = (rest + text).split('\n\n');
    rest = messages.pop() ?? '';
    for (const message of messages) {
      const data = message
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice('data:'.length).trimStart());
      if (data.length > 0) yield JSON.parse(data.join('\n'));
    }
  }
}
