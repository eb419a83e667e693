import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ensureSchedules } from '../../src/temporal/schedules.ts';
import { type OwnService, ownService } from '../support/own-service.ts';

let service: OwnService;

beforeAll(async () => {
  service = await ownService();
});
afterAll(() => service.stop());

const rebuild = () => service.temporal.schedule.getHandle(`rebuild/${service.taskQueue}`);
const HOUR_MS = 3_600_000;

describe('the schedules that a worker maintains', () => {
  test('are updated when their definition changed, as after an upgrade, and stay paused', async () => {
    await rebuild().update((previous) => ({
      ...previous,
      spec: { intervals: [{ every: '1 day' }] },
      state: { ...previous.state, paused: true, note: 'by an operator' },
    }));

    await ensureSchedules(service.temporal, service.taskQueue);

    const { spec, state, action } = await rebuild().describe();
    expect(spec.intervals).toMatchObject([{ every: HOUR_MS }]);
    expect(action).toMatchObject({ workflowType: 'rebuildWorkflow' });
    expect(state).toMatchObject({ paused: true, note: 'by an operator' });
  });

  test('stay unchanged if their definition did not change', async () => {
    const before = await rebuild().describe();
    await ensureSchedules(service.temporal, service.taskQueue);
    const after = await rebuild().describe();
    expect(after.info.lastUpdatedAt).toEqual(before.info.lastUpdatedAt);
  });
});
