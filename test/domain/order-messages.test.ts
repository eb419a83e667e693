import { expect, test } from '@jest/globals';
import { LOCALES } from '../../src/domain/locale.ts';
import { ORDER_MESSAGE_KINDS, stopWordIn } from '../../src/domain/order-messages.ts';
import { ORDER_MESSAGE_TEXTS } from '../../src/providers/messaging/order-message-texts.ts';

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
