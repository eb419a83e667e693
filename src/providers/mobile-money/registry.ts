import { adapter } from '../adapter.ts';
import { createMobileMoney } from './http.ts';

/** Every mobile money operator there is an adapter for. `MOBILE_MONEY` chooses the one that makes new charges. */
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
