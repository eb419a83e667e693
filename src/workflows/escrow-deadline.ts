import { ApplicationFailure, uuid4 } from '@temporalio/workflow';
import { nextDeadline } from '../domain/escrow/deadlines.ts';
import type { EscrowCommand, EscrowState } from '../domain/escrow/escrow.ts';
import type { CommandId } from '../domain/ids.ts';
import type { Alarm } from './alarm.ts';
import type { Mailbox } from './mailbox.ts';

/** Sets the alarm for the next deadline. What falls due is a command like any other, and takes its turn in the mailbox. */
export function watchDeadline<Result>(state: EscrowState, alarm: Alarm, mailbox: Mailbox<EscrowCommand, Result>): void {
  const deadline = state === null ? null : nextDeadline(state);
  if (deadline === null) {
    alarm.clear();
    return;
  }
  alarm.set(deadline.at, () => {
    const command = deadline.command(newCommandId());
    mailbox.tell(command, (refusal) => {
      const reason = refusal instanceof ApplicationFailure ? (refusal.type ?? 'unknown') : 'unknown';
      // Somebody acted first: nothing is due any more. Anything else stands in the way of a release, and is shown.
      if (command.type !== 'auto-release' || reason === 'wrong_state') return;
      mailbox.tell({ type: 'block-release', commandId: newCommandId(), reason }, () => undefined);
    });
  });
}

function newCommandId(): CommandId {
  return uuid4() as CommandId; // made here, deterministically
}
