import { CURRENCY_CODES } from '../../domain/money.ts';
import { statusWords } from '../components/badge.ts';
import { t } from '../language/message.ts';

/** Filters and choices that several pages have. */

export const CURRENCY_OPTIONS = CURRENCY_CODES.map((code) => ({ value: code, label: code }));
export const CURRENCY_FILTER_OPTIONS = [{ value: '', label: t('All currencies') }, ...CURRENCY_OPTIONS];

export const STATUS_FILTER = (values: readonly string[]) => ({
  name: 'status',
  label: t('Status'),
  values: values.map((value) => ({ value, label: statusWords(value) })),
});
export const WINDOW = [
  { name: 'createdFrom', label: t('Created from'), type: 'date' },
  { name: 'createdTo', label: t('to'), type: 'date' },
] as const;
