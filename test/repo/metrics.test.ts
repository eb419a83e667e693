import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { OPERATIONS_METRICS } from '../../src/db/operations/operations-metrics.ts';
import { registry } from '../../src/observability/metrics.ts';

/** The code, docs/operations/metrics.md and the dashboard name the same metrics. */

const names = [...registry.getMetricsAsArray().map(({ name }) => name), ...OPERATIONS_METRICS].sort();

function namesIn(file: string): string[] {
  const found = readFileSync(file, 'utf8').match(/\bescrow_[a-z_]+/g) ?? [];
  const roles = /^escrow_(owner|api|worker)$/;
  const plain = found.map((name) => name.replace(/_(bucket|count|sum)$/, '')).filter((name) => !roles.test(name));
  return [...new Set(plain)].sort();
}

describe('the metrics', () => {
  test('and docs/operations/metrics.md name the same ones', () => {
    expect(namesIn('docs/operations/metrics.md')).toEqual(names);
  });

  test('and the dashboard name the same ones', () => {
    expect(namesIn('docs/grafana-dashboard.json')).toEqual(names);
  });
});
