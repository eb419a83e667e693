import { expect, test } from '@jest/globals';
import { LINK_COMMANDS } from '../../../src/domain/payment-link/link.ts';
import { LINK_MESSAGE_TYPES } from '../../../src/domain/payment-link/parse-command.ts';
import { LINK_MESSAGE_TEXTS } from '../../../src/workflows/details/message-texts.ts';

test.each(LINK_MESSAGE_TYPES)('the text of %s says whether only the API sends it', (type) => {
  expect(LINK_MESSAGE_TEXTS[type].does.endsWith('; only the API sends it')).toBe(LINK_COMMANDS[type].sentBy === 'api');
});
