import { randomBytes } from 'node:crypto';
import type { SentMail } from '../../src/sandbox/providers/mail.ts';
import type { SentMessage } from '../../src/sandbox/providers/messaging.ts';
import type { SandboxProvider } from '../../src/sandbox/providers/outages.ts';
import type { RunningSandbox, SandboxSettings } from '../../src/sandbox/providers/server.ts';
import { eventually } from './eventually.ts';

/** A separate sandbox, and its control operations as functions, which call it over HTTP. */
export type TestSandbox = {
  readonly url: string;
  /** The configuration with which the real adapters connect to it. */
  readonly settings: SandboxSettings;
  control(method: 'GET' | 'POST', path: string, body?: unknown): Promise<SandboxAnswer>;
  /** The latest code sent to the number; waits until there is one. */
  codeFor(to: string): Promise<string>;
  messagesTo(to: string): Promise<readonly SentMessage[]>;
  /** The mails to the address, oldest first; waits until one matches. */
  mailsTo(to: string, matching: RegExp): Promise<readonly SentMail[]>;
  /** The token of the link to reset a password that was mailed first. */
  resetTokenFor(email: string): Promise<string>;
  /** Ends a checkout as a buyer or a bank would; the gateway then notifies the service. */
  settle(checkoutId: string, outcome: 'success' | 'declined' | 'pending'): Promise<void>;
  /** The gateway reports a chargeback, a reversed chargeback, a refund or a reversal of a payment. */
  change(checkoutId: string, paymentType: 'CB' | 'CR' | 'RF' | 'RV', amount?: string): Promise<void>;
  /** The number of status requests for the checkout. */
  statusCalls(checkoutId: string): Promise<number>;
  mobileMoney(phone: string, outcome: 'approve' | 'decline' | 'silent'): Promise<void>;
  /** Answers only 503 (or, with `slowMs`, slowly) for this time; 0 ends it. */
  outage(provider: SandboxProvider, seconds: number, slowMs?: number): Promise<void>;
};

export type OwnSandbox = TestSandbox & RunningSandbox;

// biome-ignore lint/suspicious/noExplicitAny: asserted on, never trusted
export type SandboxAnswer = { readonly status: number; readonly body: any };

export async function startTestSandbox(): Promise<OwnSandbox> {
  const { startSandbox } = await import('../../src/sandbox/providers/server.ts');
  const running = await startSandbox(0, {
    gatewayWebhookKey: randomBytes(32).toString('hex'),
    messagingAppSecret: randomBytes(16).toString('hex'),
    messagingVerifyToken: randomBytes(16).toString('hex'),
  });
  return { ...running, ...sandboxAt(running) };
}

export function sandboxAt(sandbox: Pick<TestSandbox, 'url' | 'settings'>): TestSandbox {
  async function control(method: 'GET' | 'POST', path: string, body?: unknown): Promise<SandboxAnswer> {
    const response = await fetch(`${sandbox.url}/_control${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  }
  async function tell(path: string, body: unknown): Promise<void> {
    const answer = await control('POST', path, body);
    if (answer.status !== 200) throw new Error(`the sandbox refused ${path}: ${JSON.stringify(answer)}`);
  }
  const messagesTo = async (to: string): Promise<readonly SentMessage[]> =>
    (await control('GET', `/messages?to=${encodeURIComponent(to)}`)).body;

  const mailsTo: TestSandbox['mailsTo'] = (to, matching) =>
    eventually(async () => {
      const mails: readonly SentMail[] = (await control('GET', `/mails?to=${encodeURIComponent(to)}`)).body;
      const found = mails.filter(({ subject, text }) => matching.test(`${subject}\n${text}`));
      return found.length === 0 ? undefined : found;
    });

  return {
    ...sandbox,
    control,
    messagesTo,
    mailsTo,
    async resetTokenFor(email) {
      const [mail] = await mailsTo(email, /token=/);
      return /token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
    },
    codeFor: (to) => eventually(async () => (await messagesTo(to)).findLast(({ code }) => code !== '')?.code),
    settle: (checkoutId, outcome) => tell(`/checkouts/${checkoutId}`, { outcome }),
    change: (checkoutId, paymentType, amount) =>
      tell(`/checkouts/${checkoutId}/changes`, { paymentType, ...(amount === undefined ? {} : { amount }) }),
    statusCalls: async (checkoutId) => (await control('GET', `/checkouts/${checkoutId}`)).body.statusCalls,
    mobileMoney: (phone, outcome) => tell('/mobile-money', { phone, outcome }),
    outage: (provider, seconds, slowMs) =>
      tell('/outage', { provider, seconds, ...(slowMs === undefined ? {} : { slowMs }) }),
  };
}
