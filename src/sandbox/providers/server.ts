import { randomBytes } from 'node:crypto';
import { serve } from '@hono/node-server';
import type { OppwaSettings } from '../../providers/gateway/oppwa.ts';
import type { ProviderSettings } from '../../providers/index.ts';
import type { MobileMoneySettings } from '../../providers/mobile-money/http.ts';
import { LOOPBACK } from '../stack/ports.ts';
import { bankPart } from './bank.ts';
import { createCallbacks } from './callbacks.ts';
import { gatewayPart } from './gateway.ts';
import { mailSandbox } from './mail.ts';
import { messagingPart } from './messaging.ts';
import { mobileMoneyPart } from './mobile-money.ts';
import { createSandbox } from './sandbox.ts';
import { webhooksPart } from './webhooks.ts';

/**
 * Secrets that the sandbox and the service share and that are fixed, because people and tests use them. The others are random
 * at every start.
 */
type SandboxSecrets = {
  readonly gatewayWebhookKey: string;
  readonly messagingAppSecret: string;
  readonly messagingVerifyToken: string;
};

/** The sandbox implements one adapter of each table. */
export type SandboxSettings = Required<ProviderSettings> & {
  readonly gateways: { readonly chosen: 'oppwa'; readonly settings: { readonly oppwa: OppwaSettings } };
  readonly operators: { readonly chosen: 'http'; readonly settings: { readonly http: MobileMoneySettings } };
};

export type RunningSandbox = {
  readonly url: string;
  /** The settings with which the adapters reach the sandbox. */
  readonly settings: SandboxSettings;
  /** Sets the service's address for callbacks. */
  callBack(serviceUrl: string): void;
  stop(): Promise<void>;
};

/**
 * Serves all providers on one loopback port; 0 means any free port. `bankFile`: the file in which the bank stores its payments.
 */
export async function startSandbox(port: number, secrets: SandboxSecrets, bankFile?: string): Promise<RunningSandbox> {
  let serviceUrl: string | undefined;
  const callbacks = createCallbacks(() => serviceUrl);
  const shared = drawSettings(secrets);
  const mail = mailSandbox();
  const sandbox = createSandbox([
    gatewayPart(shared.gateway, callbacks),
    messagingPart(shared.messaging, callbacks),
    mobileMoneyPart(shared.mobileMoney),
    bankPart({ token: shared.payout.token, file: bankFile }),
    webhooksPart(),
    mail.part,
  ]);
  const { server, url } = await listen(sandbox.app.fetch, port);
  const mailPort = await mail.listen();
  return {
    url,
    settings: {
      gateways: { chosen: 'oppwa', settings: { oppwa: { host: url, ...shared.gateway } } },
      messaging: { host: url, ...shared.messaging },
      mail: { url: `smtp://${LOOPBACK}:${mailPort}`, from: 'Escrow <no-reply@escrow.example>' },
      operators: { chosen: 'http', settings: { http: { host: url, ...shared.mobileMoney } } },
      payout: { address: url, ...shared.payout },
    },
    callBack: (address) => {
      serviceUrl = address;
    },
    stop: async () => {
      callbacks.stop();
      sandbox.stop();
      await mail.stop();
      await new Promise((resolve) => {
        server.close(resolve);
        if ('closeAllConnections' in server) server.closeAllConnections();
      });
    },
  };
}

function drawSettings(secrets: SandboxSecrets) {
  const token = () => randomBytes(18).toString('base64url');
  return {
    gateway: {
      entityId: randomBytes(16).toString('hex'),
      accessToken: token(),
      webhookKey: secrets.gatewayWebhookKey,
    },
    messaging: {
      apiVersion: 'v23.0',
      phoneNumberId: '100000000000001',
      accessToken: token(),
      appSecret: secrets.messagingAppSecret,
      verifyToken: secrets.messagingVerifyToken,
      template: { name: 'one_time_password', language: 'en' },
      bankDetailsTemplate: 'bank_details_changed',
    },
    mobileMoney: { apiKey: token() },
    payout: {
      token: token(),
      debtor: { name: 'Escrow Service', accountNumber: '1000000000001', bankCode: '00001' },
    },
  };
}

/** Longer than clients pause: one that reuses a connection while it is closed for idleness sees a reset. */
const KEEP_ALIVE_MS = 65_000;

function listen(fetch: Parameters<typeof serve>[0]['fetch'], port: number) {
  return new Promise<{ server: ReturnType<typeof serve>; url: string }>((resolve, reject) => {
    const serverOptions = { keepAliveTimeout: KEEP_ALIVE_MS };
    const server = serve({ fetch, hostname: LOOPBACK, port, serverOptions }, (info) =>
      resolve({ server, url: `http://${LOOPBACK}:${info.port}` }),
    );
    server.once('error', reject);
  });
}
