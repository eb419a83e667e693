import { expect, test } from '@jest/globals';
import { LINK_COMMANDS } from '../../../src/domain/payment-link/link.ts';
import { LINK_MESSAGE_TYPES } from '../../../src/domain/payment-link/parse-command.ts';
import { LINK_HANDLERS } from '../../../src/workflows/details/handlers.ts';

test.each(LINK_MESSAGE_TYPES)('the text of %s says whether only the API sends it', (type) => {
  expect(LINK_HANDLERS[type].does.endsWith('; only the API sends it')).toBe(LINK_COMMANDS[type].sentBy === 'api');
});
