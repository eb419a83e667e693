import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createEventStreams, type EventStream, type EventStreams } from '../../../src/api/server/event-streams.ts';
import { createListener } from '../../../src/db/core/listener.ts';
import type { CompanyId } from '../../../src/domain/ids.ts';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';

const LIMITS = { streamsPerCompany: 2, streamsPerProcess: 3, lifetimeMs: 60_000 };

let service: TestService;
let streams: EventStreams | undefined;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
afterEach(() => streams?.endAll());

function someStreams(limits = LIMITS): EventStreams {
  const trouble = { failed: () => undefined, worked: () => undefined };
  const listener = createListener({
    ...{ databaseUrl: service.database.apiUrl, channel: 'streams', applicationName: 'event-streams-test', trouble },
  });
  streams = createEventStreams(listener, limits);
  return streams;
}

const refusalOf = (open: () => EventStream) => {
  try {
    open().end();
    return null;
  } catch (error) {
    return error;
  }
};

test('a company has at most its number of streams, and all companies together the process’s', () => {
  const { open } = someStreams();
  const [first, second, third] = Array.from({ length: 3 }, () => randomUUID() as CompanyId);
  if (first === undefined || second === undefined || third === undefined) throw new Error('three companies');
  const mine = [open(first), open(first)];
  expect(refusalOf(() => open(first))).toMatchObject({
    code: 'too_many_requests',
    message: expect.stringContaining('2 streams'),
  });
  const theirs = open(second);
  expect(refusalOf(() => open(third))).toMatchObject({
    code: 'too_many_requests',
    message: expect.stringContaining('server'),
  });
  mine[0]?.end();
  mine[0]?.end(); // counted once
  expect(refusalOf(() => open(third))).toBeNull();
  theirs.end();
  expect(refusalOf(() => open(first))).toBeNull();
  expect([open(third), open(first)].map(({ signal }) => signal.aborted)).toEqual([false, false]);
  expect(refusalOf(() => open(second))).toMatchObject({ message: expect.stringContaining('server') });
});

test('a stream that reached its age ends, and frees its place once its reader ends it', async () => {
  const { open } = someStreams({ ...LIMITS, streamsPerCompany: 1, lifetimeMs: 1 });
  const company = randomUUID() as CompanyId;
  const stream = open(company);
  expect(await stream.isNews(60_000)).toBe(false);
  expect(stream.signal.aborted).toBe(true);
  stream.end();
  expect(refusalOf(() => open(company))).toBeNull();
});
