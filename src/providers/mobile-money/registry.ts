import { adapter } from '../adapter.ts';
import { createMobileMoney } from './http.ts';

/** All adapters for mobile money operators. `MOBILE_MONEY` selects the one for new charges. */
export const OPERATORS = {
  http: adapter(
    {
      host: {
        name: 'MOBILE_MONEY_HOST',
        form: 'host',
        expected: "the mobile money operator's address, like https://money.example",
      },
      apiKey: {
        name: 'MOBILE_MONEY_API_KEY',
        form: 'word',
        expected: "the mobile money operator's key",
        minSecretCharacters: 12,
      },
    },
    createMobileMoney,
  ),
};

export type OperatorName = keyof typeof OPERATORS;
