import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { ESCROW_STATUSES, ESCROW_TRANSITIONS } from '../../src/domain/escrow/transitions.ts';
import { withDiagram } from '../../src/scripts/refresh-docs.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const [, block = ''] = /<!-- escrow-states -->([\s\S]*)<!-- \/escrow-states -->/.exec(readme) ?? [];

describe("the README's state diagram", () => {
  test('is what the transition table makes (else: npm run docs)', () => {
    expect(withDiagram(readme)).toBe(readme);
  });

  test.each(ESCROW_STATUSES)('shows %s', (status) => {
    expect(block).toMatch(new RegExp(`\\b${status}\\b`));
  });

  test.each(Object.keys(ESCROW_TRANSITIONS))('names the command %s', (command) => {
    expect(block).toMatch(new RegExp(`(: |, |\`)${command}\\b`));
  });

  test('refuses a README without the block', () => {
    expect(() => withDiagram('# Another')).toThrow('escrow-states');
  });
});
