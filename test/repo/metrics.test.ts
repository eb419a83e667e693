import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { OPERATIONS_METRICS } from '../../src/db/operations/operations-metrics.ts';
import { registry } from '../../src/observability/metrics.ts';

/** The metrics as operators read of them: the code, the manual and the dashboard name the same ones. */

const names = [...registry.getMetricsAsArray().map(({ name }) => name), ...OPERATIONS_METRICS].sort();

function namesIn(file: string): string[] {
  const found = readFileSync(file, 'utf8').match(/\bescrow_[a-z_]+/g) ?? [];
  const roles = /^escrow_(owner|api|worker)$/;
  const plain = found.map((name) => name.replace(/_(bucket|count|sum)$/, '')).filter((name) => !roles.test(name));
  return [...new Set(plain)].sort();
}

describe('the metrics', () => {
  test('are all explained in docs/operations.md, which names no others', () => {
    expect(namesIn('docs/operations.md')).toEqual(names);
  });

  test('are all on the dashboard, which asks for no others', () => {
    expect(namesIn('docs/grafana-dashboard.json')).toEqual(names);
  });
});
