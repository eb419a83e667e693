import type { EntityManager } from '@mikro-orm/postgresql';

export const MESSAGING_EVENT_KINDS = ['received', 'sent', 'delivered', 'read', 'failed'] as const;
export type MessagingEventKind = (typeof MESSAGING_EVENT_KINDS)[number];

export type MessagingEvent = { readonly messageId: string; readonly kind: MessagingEventKind };

/** Whether the platform's status is one of the facts that we store. */
export function isMessagingEventKind(word: string): word is MessagingEventKind {
  return MESSAGING_EVENT_KINDS.some((kind) => kind === word);
}

/** Records each fact once, even if it is reported repeatedly or out of order. Returns the number of new facts. */
export async function recordMessagingEvents(em: EntityManager, events: readonly MessagingEvent[]): Promise<number> {
  if (events.length === 0) return 0;
  const [row] = await em.execute<{ count: number }[]>('select messaging_record(?::jsonb) as count', [
    JSON.stringify(events),
  ]);
  return row?.count ?? 0;
}
