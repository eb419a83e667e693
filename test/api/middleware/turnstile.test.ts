import { describe, expect, test } from '@jest/globals';
import { Turnstile } from '../../../src/api/middleware/turnstile.ts';

const soon = () => Date.now() + 5_000;

describe('a turnstile', () => {
  test('admits callers of a key in order of arrival, up to its limit', async () => {
    const turnstile = new Turnstile(2);
    const begun: string[] = [];
    const finish = new Map<string, () => void>();
    const work = (name: string) => () =>
      new Promise<void>((resolve) => {
        begun.push(name);
        finish.set(name, resolve);
      });
    const done = ['first', 'second', 'third', 'fourth'].map((name) => turnstile.pass('key', soon(), work(name)));
    done.push(turnstile.pass('other', soon(), work('other')));
    expect(await begun).toEqual(['first', 'second', 'other']);

    finish.get('second')?.();
    await done[1];
    expect(begun).toEqual(['first', 'second', 'other', 'third']);
    finish.get('first')?.();
    await done[0];
    expect(begun.at(-1)).toBe('fourth');
    for (const end of finish.values()) end();
    await Promise.all(done);
  });

  test('refuses and forgets callers that waited past the deadline', async () => {
    const turnstile = new Turnstile(1);
    const first = Promise.withResolvers<string>();
    const inside = turnstile.pass('key', soon(), () => first.promise);
    const late = turnstile.pass('key', Date.now() + 10, () => Promise.resolve('late'));
    const next = turnstile.pass('key', soon(), () => Promise.resolve('next'));
    await expect(late).rejects.toMatchObject({ code: 'too_many_requests' });
    first.resolve('first');
    expect(await Promise.all([inside, next])).toEqual(['first', 'next']);
  });

  test('lets the next one in when work fails', async () => {
    const turnstile = new Turnstile(1);
    const failed = turnstile.pass('key', soon(), () => Promise.reject(new Error('failed')));
    const next = turnstile.pass('key', soon(), () => Promise.resolve('next'));
    await expect(failed).rejects.toThrow('failed');
    expect(await next).toBe('next');
  });

  test('keeps the reserved places of a key for owners that have none', async () => {
    const turnstile = new Turnstile(3, 0, 'busy', 2);
    const end = Promise.withResolvers<void>();
    const begun: string[] = [];
    const pass = (owner: string) =>
      turnstile.pass(
        'key',
        soon(),
        async () => {
          begun.push(owner);
          await end.promise;
        },
        owner,
      );
    const all = ['slow', 'slow', 'slow', 'other'].map(pass);
    await Promise.resolve();
    expect(begun).toEqual(['slow', 'other']);
    end.resolve();
    await Promise.all(all);
    expect(begun).toEqual(['slow', 'other', 'slow', 'slow']);
  });

  test('rests after work for as long as it took, up to a limit, and delays no answer', async () => {
    const turnstile = new Turnstile(1, 50);
    const busy = (ms: number) => async () => {
      const until = performance.now() + ms;
      while (performance.now() < until);
      return performance.now();
    };
    const begun = async () => performance.now();
    const [short, afterShort] = [turnstile.pass('key', soon(), busy(30)), turnstile.pass('key', soon(), begun)];
    expect((await afterShort) - (await short)).toBeGreaterThanOrEqual(28); // timers count whole milliseconds
    const [long, afterLong] = [turnstile.pass('key', soon(), busy(120)), turnstile.pass('key', soon(), begun)];
    const rest = (await afterLong) - (await long);
    expect([rest >= 48, rest < 120]).toEqual([true, true]);
    expect(await turnstile.pass('other', soon(), async () => 'at once')).toBe('at once');
  });
});
