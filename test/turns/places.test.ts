import { expect, test } from '@jest/globals';
import { Places } from '../../src/turns/places.ts';

test('as many work at once as there are places; the others follow in order of arrival, also after a failure', async () => {
  const places = new Places(2);
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const hold = (name: string) =>
    places.hold(() => {
      begun.push(name);
      const end = Promise.withResolvers<string>();
      ends.set(name, end);
      return end.promise;
    });
  const held = ['first', 'second', 'third', 'fourth'].map(hold);
  await Promise.resolve();
  expect(begun).toEqual(['first', 'second']);

  ends.get('second')?.reject(new Error('failed'));
  await expect(held[1]).rejects.toThrow('failed');
  expect(begun).toEqual(['first', 'second', 'third']);
  ends.get('first')?.resolve('first');
  await held[0];
  expect(begun.at(-1)).toBe('fourth');
  for (const name of ['third', 'fourth']) ends.get(name)?.resolve(name);
  expect(await Promise.all(held.slice(2))).toEqual(['third', 'fourth']);
  expect(places.isEmpty).toBe(true);
});

test('the last places are for owners that have none, and a wait for a further one holds up nobody', async () => {
  const places = new Places(4, 2);
  expect(await Promise.all([places.enter(0, 'a'), places.enter(0, 'a'), places.enter(0, 'a')])).toEqual([
    true,
    true,
    false,
  ]);
  const further = places.enter(undefined, 'a');
  expect(await Promise.all([places.enter(0, 'b'), places.enter(0, 'c'), places.enter(0, 'd')])).toEqual([
    true,
    true,
    false,
  ]);
  places.leave('b');
  expect(await places.enter(0, 'b')).toBe(true);
  for (const owner of ['c', 'b', 'a']) places.leave(owner);
  expect(await further).toBe(true);
});

test('who waits longer than they may gets no place, and holds up nobody', async () => {
  const places = new Places(1);
  expect(await places.enter()).toBe(true);
  const [late, next] = [places.enter(1), places.enter()];
  expect(await late).toBe(false);
  places.leave();
  expect(await next).toBe(true);
  places.leave();
  expect(places.isEmpty).toBe(true);
});
