import type { Html } from '../html.ts';
import { barChart } from './bars.ts';

export type AgeBucket = { readonly label: string; readonly count: bigint };

const GROUPED = new Intl.NumberFormat('en');

/** The number of things by age: `up to 1 day`, `2 to 7 days`, … */
export function ageHistogram(title: string, buckets: readonly AgeBucket[], name: string): Html {
  return barChart({
    title,
    labels: buckets.map(({ label }) => label),
    series: [{ name, values: buckets.map(({ count }) => count) }],
    arrangement: 'grouped',
    format: (count) => GROUPED.format(count),
    labelTitle: 'Age',
  });
}
