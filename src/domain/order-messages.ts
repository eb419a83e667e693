/** The messages that tell the parties about their orders. `order_message_causes` (400-order-messages.sql) has what causes each. */

export const ORDER_MESSAGE_KINDS = [
  'DELIVERY',
  'RELEASE_IN_48_HOURS',
  'RELEASE_IN_6_HOURS',
  'PROPOSAL',
  'DISPUTE',
  'DECISION',
  'SETTLEMENT',
  'PAYOUT',
  'CANCELLATION',
  'REJECTION',
  'REFUSAL',
  'CHARGEBACK',
] as const;
export type OrderMessageKind = (typeof ORDER_MESSAGE_KINDS)[number];

/**
 * Why the service does not send a message that is due. SWITCHED_OFF: the company sends its own; STOPPED: the number's owner wants none;
 * LIMIT: the number had too many; NO_NUMBER: the person was erased.
 */
export const NOT_SENT_REASONS = ['SWITCHED_OFF', 'STOPPED', 'LIMIT', 'NO_NUMBER'] as const;
export type NotSentReason = (typeof NOT_SENT_REASONS)[number];

/** A message that could not be sent for so long is not sent any more. */
export const STALE_AFTER_HOURS = 24;
/** A message that the platform refused is tried again this often, after longer and longer waits. */
export const MAX_SENDS = 5;

/** What people write to get no more messages, and to get them again, in the languages of the service. */
const STOP_WORDS = [
  'STOP',
  'STOPP',
  'END',
  'QUIT',
  'CANCEL',
  'UNSUBSCRIBE',
  'ARRET',
  'ARRETER',
  'FIN',
  'PARAR',
  'PARE',
  'SAIR',
];
const START_WORDS = ['START', 'UNSTOP', 'COMMENCER', 'REPRENDRE', 'COMECAR', 'INICIAR', 'VOLTAR'];

/** Whether a message asks for no more messages, or for messages again; null for any other text. */
export function stopWordIn(text: string): 'stop' | 'start' | null {
  const word = text
    .normalize('NFD')
    .replace(/[^\p{Letter}]/gu, '')
    .toUpperCase();
  return STOP_WORDS.includes(word) ? 'stop' : START_WORDS.includes(word) ? 'start' : null;
}
