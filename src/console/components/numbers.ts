import { numberFormat } from '../language/formats.ts';
import { Message, t } from '../language/message.ts';

/** Numbers other than amounts of money, as pages show them. */

/** `1,250`, `1 250`. */
export function countText(count: number | bigint): Message {
  return new Message(({ locale }) => numberFormat(locale, {}).format(count));
}

/** `33.33`, `33,33`, with at most two decimals. */
export function numberText(value: number, minimumFractionDigits = 0): Message {
  return new Message(({ locale }) =>
    numberFormat(locale, { minimumFractionDigits, maximumFractionDigits: 2 }).format(value),
  );
}

/** `2.5`: basis points as a field for a percentage shows them. */
export function percentDigits(basisPoints: number): string {
  return String(basisPoints / 100);
}

/** `2.50 %`, `2,50 %`. 100 basis points are one per cent. */
export function percentText(basisPoints: number): Message {
  return t('{percent} %', { percent: numberText(basisPoints / 100, 2) });
}
