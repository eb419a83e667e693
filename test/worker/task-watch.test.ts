import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { createTaskBoard, taskRunner, watchTasks } from '../../src/worker/task-watch.ts';

const LIMIT_MS = 1_000;

afterEach(() => {
  jest.useRealTimers();
});

/** A watch of a board, with a clock that only `pass` advances. */
function watched() {
  jest.useFakeTimers({ doNotFake: ['nextTick'] });
  const board = createTaskBoard();
  const stuck: string[] = [];
  const endWatch = watchTasks(board, (workflowId) => stuck.push(workflowId), LIMIT_MS);
  return { runTask: taskRunner(board), stuck, endWatch, pass: (ms: number) => jest.advanceTimersByTime(ms) };
}

describe('the watch of a workflow thread', () => {
  test('names once the workflow whose task holds the thread beyond the limit', () => {
    const { runTask, stuck, pass } = watched();
    runTask('escrow/1', () => undefined);
    runTask('escrow/2', () => {
      pass(LIMIT_MS * 0.9);
      expect(stuck).toEqual([]);
      pass(LIMIT_MS * 3);
    });
    expect(stuck).toEqual(['escrow/2']);
  });

  test('measures every task separately, also tasks of one workflow', () => {
    const { runTask, stuck, pass } = watched();
    for (let task = 0; task < 20; task++) runTask('escrow/1', () => pass(LIMIT_MS * 0.9));
    expect(stuck).toEqual([]);
  });

  test('reports nothing for an idle thread, also after a task that failed', () => {
    const { runTask, stuck, pass } = watched();
    const failing = () =>
      runTask('escrow/1', () => {
        throw new Error('broken');
      });
    expect(failing).toThrow('broken');
    pass(LIMIT_MS * 10);
    expect(stuck).toEqual([]);
  });

  test('ends when asked to', () => {
    const { runTask, stuck, endWatch, pass } = watched();
    endWatch();
    runTask('escrow/1', () => pass(LIMIT_MS * 10));
    expect(stuck).toEqual([]);
  });

  test('keeps workflow ids whole, in any script', () => {
    const { runTask, stuck, pass } = watched();
    const workflowId = 'é日'.repeat(500);
    runTask(workflowId, () => pass(LIMIT_MS * 2));
    expect(stuck).toEqual([workflowId]);
  });
});
