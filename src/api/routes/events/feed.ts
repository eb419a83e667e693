import { z } from '@hono/zod-openapi';
import { streamSSE } from 'hono/streaming';
import { readTenant } from '../../../db/core/orm.ts';
import { findEvent, lastPosition, listEvents } from '../../../db/events/events.ts';
import { ownUserId } from '../../../db/identity/users.ts';
import { Refusal } from '../../../domain/errors.ts';
import { EVENT_OBJECTS, EVENT_RETENTION_DAYS, EVENT_TYPE_NAMES } from '../../../domain/events/event-types.ts';
import { type CompanyId, type EventId, parseId, type UserId } from '../../../domain/ids.ts';
import { closeUnread } from '../../bodies/body-limits.ts';
import type { ApiDependencies } from '../../context.ts';
import { answerAfter } from '../../contract/lists.ts';
import { CHECKED_FOR_MS, STREAM_LIMITS } from '../../limits.ts';
import { type Operations, ok, responses, tenant } from '../../operation.ts';
import { InvalidRequest } from '../../problem.ts';
import { id, pathIds, text } from '../../schemas/common.ts';
import { EventSchema, eventView } from '../../schemas/events.ts';
import { anyOf, changedBetween, paging } from '../../schemas/lists.ts';

const tag = 'Events';
const PAGE_OF_STREAM = 100;

/** The public or bare id of any kind of object that events are about; handlers receive the bare form. */
const objectId = () =>
  text().transform((value, context): string => {
    for (const kind of Object.values(EVENT_OBJECTS)) {
      const parsed = parseId(kind, value);
      if (parsed !== undefined) return parsed;
    }
    context.addIssue({ code: 'custom', message: 'must be the id of an object' });
    return z.NEVER;
  });

const FeedQuery = paging('page')
  .omit({ offset: true })
  .extend({
    after: id('event').optional().openapi({ description: 'The last event that was read. Absent: from the oldest.' }),
    type: anyOf(EVENT_TYPE_NAMES).optional(),
    objectId: objectId().optional().openapi({ type: 'string', description: 'The object that the events are about.' }),
    createdFrom: changedBetween().createdFrom,
  });

const StreamMessage = z
  .object({
    id: id('event').describe('Its id.'),
    event: z.enum(EVENT_TYPE_NAMES),
    data: z.string().openapi({ description: 'The event as JSON, as in `GET /v1/events/{id}`.' }),
  })
  .openapi('StreamMessage', { description: 'One message of the stream. A comment may stand between two messages.' });

const StreamQuery = z.object({
  after: id('event')
    .optional()
    .openapi({ description: 'Where to begin, if there is no `Last-Event-ID`. Absent: now.' }),
  type: anyOf(EVENT_TYPE_NAMES).optional(),
});

export function registerEventFeed(operation: Operations, dependencies: ApiDependencies): void {
  const { orm, eventStreams } = dependencies;

  operation(
    {
      method: 'get',
      path: '/v1/events',
      tag,
      summary: "The company's events, oldest first",
      description:
        `Events of the last ${EVENT_RETENTION_DAYS} days. A reader that pages with \`after\` sees each event once: no event ever ` +
        'appears before one that was read.',
      access: tenant('read'),
      query: FeedQuery,
      success: ok(
        z.object({
          data: z.array(EventSchema).describe('The rows of this page.'),
          hasMore: z.boolean().describe('Whether there is a next page.'),
        }),
      ),
    },
    async ({ query: { after, limit, type, ...filter }, companyId, c }) => {
      const position = await positionOf(companyId, after, 'after');
      const found = await readTenant(orm, companyId, async (em) => {
        const objectId = await ownUserId(em, filter.objectId as UserId | undefined); // if it is a user's
        return listEvents(
          em,
          companyId,
          { ...filter, objectId, types: type },
          { after: position ?? 0, limit: limit + 1 },
        );
      });
      return answerAfter(c, limit, found, eventView);
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/events/stream',
      tag,
      summary: 'New events as they happen, as Server-Sent Events',
      description:
        'Each message has the id and the type of the event, and the event as JSON. A comment comes every ' +
        `${STREAM_LIMITS.heartbeatMs / 1_000} s. The server ends a stream after ${STREAM_LIMITS.lifetimeMs / 60_000} minutes, ` +
        'or before its next message if the credential is no longer valid; with `Last-Event-ID` the client goes on where it was.',
      access: tenant('read'),
      query: StreamQuery,
      headers: z.object({
        'last-event-id': z.string().optional().openapi({ description: 'The last event that was read.' }),
      }),
      success: responses({
        200: { description: 'Events.', content: { 'text/event-stream': { schema: StreamMessage } } },
      }),
    },
    async ({ query: { after, type: types }, companyId, c }) => {
      const { log } = c.var;
      // Nobody reads the messages of such an answer, so nothing would ever end it.
      if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream' });
      const lastSeen = c.req.header('last-event-id');
      const open = eventStreams.open(companyId);
      try {
        const start =
          lastSeen === undefined || lastSeen === ''
            ? await positionOf(companyId, after, 'after')
            : await positionOf(companyId, parseId('event', lastSeen) ?? null, 'Last-Event-ID');
        let position = start ?? (await readTenant(orm, companyId, (em) => lastPosition(em, companyId)));
        return streamSSE(c, async (out) => {
          out.onAbort(open.end);
          open.signal.addEventListener('abort', () => closeUnread(c, STREAM_LIMITS.closeWithinMs));
          let checkedAt = 0;
          const isValid = () => {
            checkedAt = performance.now();
            return c.var.isStillValid();
          };
          try {
            while (!open.signal.aborted) {
              const events = await readTenant(orm, companyId, (em) =>
                listEvents(em, companyId, { types }, { after: position, limit: PAGE_OF_STREAM }),
              );
              if (!(await isValid())) break; // before each batch, and after each heartbeat
              for (const event of events.map(eventView)) {
                const isOld = performance.now() - checkedAt > CHECKED_FOR_MS; // the reader is slow
                if (open.signal.aborted || (isOld && !(await isValid()))) return;
                await out.writeSSE({ id: event.id, event: event.type, data: JSON.stringify(event) });
                position = event.position;
              }
              if (events.length === PAGE_OF_STREAM) continue;
              if (!(await open.isNews(STREAM_LIMITS.heartbeatMs)) && !open.signal.aborted)
                await out.write(': alive\n\n');
            }
          } catch (error) {
            log.warn({ err: error }, 'a stream of events ended early; its client reconnects');
          } finally {
            open.end();
          }
        });
      } catch (error) {
        open.end();
        throw error;
      }
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/events/{id}',
      tag,
      summary: 'One event',
      description: 'As its webhook sent it.',
      access: tenant('read'),
      params: pathIds({ id: 'event' }),
      success: ok(EventSchema),
      refusals: ['not_found'],
    },
    async ({ params: { id: eventId }, companyId }) => {
      const event = await readTenant(orm, companyId, (em) => findEvent(em, companyId, eventId));
      if (event === null) throw new Refusal('not_found', 'event not found');
      return eventView(event);
    },
  );

  /** The position of an event that a client has read; undefined without one. Throws `validation_failed`. */
  async function positionOf(companyId: CompanyId, eventId: EventId | null | undefined, path: string) {
    if (eventId === undefined) return undefined;
    const event = eventId === null ? null : await readTenant(orm, companyId, (em) => findEvent(em, companyId, eventId));
    if (event !== null) return event.position;
    const message = `does not name an event of the last ${EVENT_RETENTION_DAYS} days`;
    throw new InvalidRequest('validation_failed', [{ path, message }]);
  }
}
