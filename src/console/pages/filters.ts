import { statusWords } from '../components/badge.ts';
import { t } from '../language/message.ts';

/** Filters that several lists have. */

export const STATUS_FILTER = (values: readonly string[]) => ({
  name: 'status',
  label: t('Status'),
  values: values.map((value) => ({ value, label: statusWords(value) })),
});
export const WINDOW = [
  { name: 'createdFrom', label: t('Created from'), type: 'date' },
  { name: 'createdTo', label: t('to'), type: 'date' },
] as const;
