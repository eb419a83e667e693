import { expect, test } from '@jest/globals';
import { LOCALES } from '../../src/domain/locale.ts';
import { ORDER_MESSAGE_KINDS, stopWordIn } from '../../src/domain/order-messages.ts';
import { ORDER_CODE_TEXTS, ORDER_MESSAGE_TEXTS } from '../../src/providers/messaging/order-message-texts.ts';

test.each<[string, ReturnType<typeof stopWordIn>]>([
  ['STOP', 'stop'],
  [' stop. ', 'stop'],
  ['Arrêt !', 'stop'],
  ['ARRÊTER', 'stop'],
  ['parar', 'stop'],
  ['Start', 'start'],
  ['Começar', 'start'],
  ['please stop the truck', null],
  ['', null],
])('%j asks for %s', (text, word) => expect(stopWordIn(text)).toBe(word));

test('every message names merchant, order and amount or date, and a word that stops it, in each language', () => {
  for (const kind of ORDER_MESSAGE_KINDS)
    for (const locale of LOCALES) {
      const text = ORDER_MESSAGE_TEXTS[kind][locale];
      expect(text.match(/\{\{\d\}\}/g)?.toSorted()).toEqual(['{{1}}', '{{2}}', '{{3}}']);
      expect(stopWordIn(/: (\p{Letter}+)\.$/u.exec(text)?.[1] ?? '')).toBe('stop');
    }
});

test('a code names act, order, amount and merchant, in each language', () => {
  for (const locale of LOCALES)
    expect(ORDER_CODE_TEXTS[locale].match(/\{\{\d\}\}/g)).toEqual(['{{1}}', '{{2}}', '{{3}}', '{{4}}', '{{5}}']);
});

test('no template begins or ends with a parameter: the platform would not approve it', () => {
  const texts = [ORDER_CODE_TEXTS, ...Object.values(ORDER_MESSAGE_TEXTS)].flatMap((one) => Object.values(one));
  expect(texts.filter((text) => /^\W*\{\{|\}\}\W*$/.test(text))).toEqual([]);
});
