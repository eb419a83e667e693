import { type CommandId, isUuid } from '../ids.ts';
import type { AttemptId, LinkCommand } from './link.ts';

/** The commands that an update or a signal may bring to a link. */
export type LinkMessageType = Extract<
  LinkCommand['type'],
  'open-checkout' | 'start-charge' | 'pay-from-balance' | 'reject' | 'check-attempt'
>;

/** The command that `raw` describes, or `undefined` where it does not fit. Only a check carries anything: an attempt's id. */
export function parseLinkCommand(type: LinkMessageType, commandId: CommandId, raw: unknown): LinkCommand | undefined {
  if (type !== 'check-attempt') return { type, commandId };
  if (typeof raw !== 'object' || raw === null || !('attemptId' in raw)) return undefined;
  const { attemptId } = raw;
  if (typeof attemptId !== 'string' || !isUuid(attemptId)) return undefined;
  return { type, commandId, attemptId: attemptId as AttemptId }; // checked above
}
