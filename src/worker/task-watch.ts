/**
 * Shared memory in which a workflow thread writes which workflow task it is running. Its parent reads it, because a thread that
 * is stuck in workflow code answers no message.
 */
export type TaskBoard = SharedArrayBuffer;

/** How long a task may hold its thread. The SDK's own limit for a call into workflow code is the same. */
export const TASK_LIMIT_MS = 5_000;
const CHECKS_PER_LIMIT = 10;

/** Temporal limits workflow ids to 1,000 characters. */
const MAX_ID_BYTES = 4_000;
/** The count of starts and ends of tasks. It is odd while a task is running. */
const COUNT = 0;
const ID_BYTES = 1;
const HEADER = new Int32Array(2);

export function createTaskBoard(): TaskBoard {
  return new SharedArrayBuffer(HEADER.byteLength + MAX_ID_BYTES);
}

type RunTask = <Result>(workflowId: string, task: () => Result) => Result;

/** For the thread: the result runs the synchronous part of a task, and marks it on the board. Tasks are not nested. */
export function taskRunner(board: TaskBoard): RunTask {
  const header = new Int32Array(board, 0, HEADER.length);
  const id = Buffer.from(board, HEADER.byteLength);
  return (workflowId, task) => {
    Atomics.store(header, ID_BYTES, id.write(workflowId));
    Atomics.add(header, COUNT, 1);
    try {
      return task();
    } finally {
      Atomics.add(header, COUNT, 1);
    }
  };
}

/**
 * For the parent: calls `onStuck` once, when one task has held the thread for `limitMs`. It counts its own checks instead of
 * reading a clock, so a suspended machine or a busy parent does not make a task look stuck.
 * @returns a function that ends the watch
 */
export function watchTasks(
  board: TaskBoard,
  onStuck: (workflowId: string) => void,
  limitMs = TASK_LIMIT_MS,
): () => void {
  const header = new Int32Array(board, 0, HEADER.length);
  const id = Buffer.from(board, HEADER.byteLength);
  let seen = 0;
  let checks = 0;
  const timer = setInterval(() => {
    const count = Atomics.load(header, COUNT);
    const isSameTask = count % 2 !== 0 && count === seen;
    checks = isSameTask ? checks + 1 : 0;
    seen = count;
    if (checks < CHECKS_PER_LIMIT) return;
    clearInterval(timer);
    onStuck(id.toString('utf8', 0, Atomics.load(header, ID_BYTES)));
  }, limitMs / CHECKS_PER_LIMIT).unref();
  return () => clearInterval(timer);
}
