import { describe, expect, test } from '@jest/globals';
import { ADAPTER_VARIABLES } from '../../src/config/adapters.ts';
import { adapter, createAdapters } from '../../src/providers/adapter.ts';
import { createProviders } from '../../src/providers/index.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';

type Port = { readonly name: string };
const variable = (name: string) => ({ name, form: 'word', expected: 'a word' }) as const;
const TABLE = {
  first: adapter({ key: variable('FIRST_KEY') }, ({ key }: { key: string }): Port => ({ name: `first ${key}` })),
  second: adapter({ key: variable('SECOND_KEY') }, ({ key }: { key: string }): Port => ({ name: `second ${key}` })),
};
const NONE: Port = { name: 'none' };

describe('a table of adapters', () => {
  const both = createAdapters(
    TABLE,
    { chosen: 'second', settings: { first: { key: 'a' }, second: { key: 'b' } } },
    NONE,
  );

  test('gives new payments to the selected one, and keeps the others for their own payments', () => {
    expect(both.chosen).toBe('second');
    expect(both.named('first')).toEqual({ name: 'first a' });
    expect(both.named('second')).toEqual({ name: 'second b' });
  });

  test('asks the configured ones in turn until one answers', () => {
    expect(both.firstAnswer(({ name }) => (name.startsWith('second') ? name : undefined))).toBe('second b');
    expect(both.firstAnswer(() => undefined)).toBeUndefined();
  });

  test('returns the null adapter for one that is not configured or unknown', () => {
    const one = createAdapters(TABLE, { chosen: 'second', settings: { first: { key: 'a' } } }, NONE);
    expect(one.named('second')).toBe(NONE);
    expect(one.named('third')).toBe(NONE);
  });
});

test('a provider that is not configured is unreachable', async () => {
  const { gateways, operators } = createProviders({
    gateways: { chosen: 'oppwa', settings: {} },
    operators: { chosen: 'http', settings: {} },
  });
  const question = gateways.named(gateways.chosen).checkoutStatus('x');
  await expect(question).rejects.toThrow(ProviderError);
  await expect(operators.named(operators.chosen).status('x')).rejects.toMatchObject({ outcome: 'unreachable' });
});

test('no two adapters read the same variable', () => {
  const names = ADAPTER_VARIABLES.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
