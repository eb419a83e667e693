import { statusWords } from '../components/badge.ts';

/** Filters that several lists have. */

export const STATUS_FILTER = (values: readonly string[]) => ({
  name: 'status',
  label: 'Status',
  values: values.map((value) => ({ value, label: statusWords(value) })),
});
export const WINDOW = [
  { name: 'createdFrom', label: 'Created from', type: 'date' },
  { name: 'createdTo', label: 'to', type: 'date' },
] as const;
