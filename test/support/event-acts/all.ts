import { EVENT_TYPE_NAMES, type EventType } from '../../../src/domain/events/event-types.ts';
import { escrowActs } from './escrow.ts';
import { moneyActs } from './money.ts';
import { linkStories, paymentLinkActs } from './payment-link.ts';
import { peopleActs } from './people.ts';
import type { Act, Caused, Stage } from './stage.ts';
import { timeStory } from './time.ts';

/** Acts at the same time. All at once would exceed the time limits of commands on a busy machine. */
const AT_ONCE = 8;

function actsOn(stage: Stage) {
  const time = timeStory(stage);
  const links = linkStories(stage);
  return {
    ...escrowActs(stage, links, time),
    ...paymentLinkActs(stage, links, time),
    ...moneyActs(stage, links),
    ...peopleActs(stage),
  } satisfies Record<EventType, Act>;
}

/** Causes every type of event once, and returns what each act caused when all have ended. An act that failed is a rejected promise. */
export async function playAll(stage: Stage, atOnce = AT_ONCE): Promise<ReadonlyMap<EventType, Promise<Caused>>> {
  const all = actsOn(stage);
  const acts = new Map<EventType, Promise<Caused>>();
  const types = EVENT_TYPE_NAMES.values();
  const playOneByOne = async () => {
    for (const type of types) {
      const act = all[type]();
      acts.set(type, act);
      await Promise.allSettled([act]);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, playOneByOne));
  return acts;
}
