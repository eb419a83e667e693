import { adapter } from '../adapter.ts';
import { createOppwa } from './oppwa.ts';

/** All adapters for card gateways. `GATEWAY` selects the one that opens new checkouts. */
export const GATEWAYS = {
  oppwa: adapter(
    {
      host: {
        name: 'GATEWAY_HOST',
        form: 'host',
        expected: "the card gateway's address, like https://eu-prod.oppwa.com",
      },
      entityId: { name: 'GATEWAY_ENTITY_ID', form: 'word', expected: "the card gateway's id of us" },
      accessToken: {
        name: 'GATEWAY_ACCESS_TOKEN',
        form: 'word',
        expected: "the card gateway's access token",
        minSecretCharacters: 16,
      },
      webhookKey: {
        name: 'GATEWAY_WEBHOOK_KEY',
        form: 'aes256Key',
        expected: "64 hex digits: the key that the card gateway's notifications are encrypted with",
        minSecretCharacters: 64,
      },
    },
    createOppwa,
  ),
};

export type GatewayName = keyof typeof GATEWAYS;
