import type { TimelineEntry } from '../../activities/contract.ts';
import { instant, list, oneOf, optional, record, text } from '../../domain/messages/codec.ts';
import { SOURCES, type Source } from '../../domain/source.ts';
import type { Instant } from '../../domain/time.ts';

/** The number of refused signals that a run remembers. */
const MAX_REFUSED = 100;
/** A signal without a handler can have any name. */
const MAX_NAME_CHARACTERS = 100;
const MAX_TEXT_CHARACTERS = 2_000;

/** `source` is null if nobody verified it. */
type RefusedSignal = {
  readonly at: Instant;
  readonly signal: string;
  readonly code: string;
  readonly source: Source | null;
};
/** `signal` is null for a refused cancellation. */
type RefusedMessage = { readonly signal: string | null; readonly text: string };

/** The refused messages in the input of the next run. */
export type KeptRefusals = { readonly latest: RefusedMessage | null; readonly refused: readonly RefusedSignal[] };

const name = text(MAX_NAME_CHARACTERS);
const kept = record<KeptRefusals>({
  latest: optional(record<RefusedMessage>({ signal: optional(name), text: text(MAX_TEXT_CHARACTERS) })),
  refused: list(
    record<RefusedSignal>({ at: instant, signal: name, code: name, source: optional(oneOf(...SOURCES)) }),
    0,
    MAX_REFUSED,
  ),
});

/**
 * The requests that a run did not carry out and whose senders get no answer: signals and cancellations. Operators see them in
 * the run. The database does not have them, so a run that continues as new gives them to the next run.
 */
export class RefusedMessages {
  #latest: RefusedMessage | null;
  #refused: readonly RefusedSignal[];
  /** Called after each refusal. */
  onChange: () => void = () => undefined;

  /** `given` is from the run's input. An invalid value counts as none. */
  constructor(given?: unknown) {
    const { latest, refused } = kept.parse(given) ?? { latest: null, refused: [] };
    this.#latest = latest;
    this.#refused = refused;
  }

  /** The latest refusal as one line of Markdown; null if there is none. */
  get latest(): string | null {
    return this.#latest?.text ?? null;
  }

  /** The refused signals as entries of the timeline, oldest first. */
  get entries(): readonly TimelineEntry[] {
    return this.#refused.map(({ source, ...refused }) => ({
      event: 'REFUSED',
      actor: 'SYSTEM',
      ...refused,
      ...(source === null ? {} : { source }),
    }));
  }

  /** For the next run; undefined if there are none. */
  get kept(): KeptRefusals | undefined {
    return this.#latest === null && this.#refused.length === 0
      ? undefined
      : { latest: this.#latest, refused: this.#refused };
  }

  refuseSignal(
    refused: { readonly signal: string; readonly code: string; readonly source: Source | undefined },
    reason: string,
  ): void {
    const at = new Date().toISOString();
    const { code, source = null } = refused;
    const signal = plain(refused.signal);
    this.#refused = [...this.#refused, { at, signal, code, source }].slice(-MAX_REFUSED);
    this.#show(`Refused the signal \`${signal}\` at ${at}: ${code}, ${reason}`, signal);
  }

  refuseCancellation(noun: string): void {
    this.#show(
      `Refused to cancel the run at ${new Date().toISOString()}: it goes on. To end the ${noun}, send a command.`,
      null,
    );
  }

  /**
   * Removes the latest refusal if it is about this command, because it was carried out now, or about a cancellation: the
   * entity goes on. The entries stay.
   */
  clear(command: string): void {
    if (this.#latest?.signal === null || this.#latest?.signal === command) this.#latest = null;
  }

  #show(refusal: string, signal: string | null): void {
    this.#latest = { signal, text: refusal.slice(0, MAX_TEXT_CHARACTERS) };
    this.onChange();
  }
}

/** The name without characters that would end its Markdown, and not longer than a line. */
function plain(signalName: string): string {
  return signalName.replaceAll(/[^\w .:/-]/g, '?').slice(0, MAX_NAME_CHARACTERS);
}
