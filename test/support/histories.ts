import { readdirSync, readFileSync } from 'node:fs';
import proto from '@temporalio/proto';

/** Histories of real runs as JSON; record-histories.ts makes them. */
export const HISTORIES = new URL('../histories/', import.meta.url);

const { History } = proto.temporal.api.history.v1;
export type History = proto.temporal.api.history.v1.IHistory;

export function historyNames(): string[] {
  return readdirSync(HISTORIES).filter((file) => file.endsWith('.json'));
}

export function readHistory(name: string): History {
  return historyFrom(readFileSync(new URL(name, HISTORIES), 'utf8'));
}

export function historyFrom(text: string): History {
  return History.fromObject(JSON.parse(text));
}

/** The fields that name the machine and the process that recorded a history. */
const REPLACED: Readonly<Record<string, string>> = { identity: 'recorder', stackTrace: '' };

/** The workflow id of a stored history, which does not contain it: the kind is in the file's name, and the public id in the input. */
export function workflowIdOf(name: string): string {
  const kind = name.split('.')[1]?.replace(/-\d+$/, '');
  const [input] = readHistory(name).events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  const { escrowId, linkId, withdrawalId, webhookId } = JSON.parse(Buffer.from(input?.data ?? '').toString());
  return `${kind}/${escrowId ?? linkId ?? withdrawalId ?? webhookId}`;
}

export function historyToText(history: History): string {
  const plain = History.toObject(History.fromObject(history), { longs: String, enums: String, bytes: String });
  return `${JSON.stringify(plain, (key, value) => REPLACED[key] ?? value)}\n`;
}

/** Every text of a history except the worker's build id, which is a hash. Texts in base64, such as payloads, are decoded. */
export function textsOf(name: string): string {
  const texts: string[] = [];
  JSON.parse(readFileSync(new URL(name, HISTORIES), 'utf8'), (key, value) => {
    if (typeof value === 'string' && key !== 'buildId')
      texts.push(key === 'data' ? Buffer.from(value, 'base64').toString() : value);
    return value;
  });
  return texts.join('\n');
}
