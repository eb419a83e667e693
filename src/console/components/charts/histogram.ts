import { type Message, type Text, t } from '../../language/message.ts';
import type { Html } from '../html.ts';
import { countText } from '../numbers.ts';
import { barChart } from './bars.ts';

type AgeBucket = { readonly label: Text; readonly count: bigint };

/** The number of things by age: `up to 1 day`, `2 to 7 days`, … */
export function ageHistogram(title: Message, buckets: readonly AgeBucket[], name: Message): Html {
  return barChart({
    title,
    labels: buckets.map(({ label }) => label),
    series: [{ name, values: buckets.map(({ count }) => count) }],
    arrangement: 'grouped',
    format: countText,
    perUnit: 1,
    labelTitle: t('Age'),
  });
}
