import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** By Linux, a thread gets a third of the processor beside one that is less nice by this. */
const STEPS = 5;

/**
 * Lets the other threads of the process run first, for a thread that calculates for seconds: it still advances on a busy machine. Linux has
 * a priority for each thread. On other systems nothing changes.
 */
export function lowerPriorityOfThread(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, Math.min(constants.priority.PRIORITY_LOW, getPriority(thread) + STEPS));
  } catch {
    // The thread works without it.
  }
}
