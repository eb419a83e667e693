import { z } from 'zod';
import { webhookHeaders } from '../../providers/webhooks.ts';
import { Recent, readJson } from './requests.ts';
import type { SandboxPart } from './sandbox.ts';

/**
 * A receiver of webhooks, for tests without a receiver. Register `SANDBOX/webhooks/NAME` as an endpoint, send
 * the secret to `POST /_control/webhooks/secrets`, and read the deliveries at `GET /_control/webhooks`.
 */

type Received = {
  /** The part of the path after `/webhooks/`. */
  readonly name: string;
  readonly receivedAt: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

const MAX_RECEIVED = 1_000;
const MAX_SECRETS = 1_000;
const SHOWN = 100;

const Secret = z.object({ secret: z.string().regex(/^whsec_[A-Za-z0-9+/]+=*$/) });
const Answer = z.object({ name: z.string(), status: z.int().min(200).max(599) });

export function webhooksPart(): SandboxPart {
  const received = new Recent<Received>(MAX_RECEIVED);
  const secrets = new Recent<string>(MAX_SECRETS);
  const answers = new Recent<200>(MAX_SECRETS);
  let count = 0;

  const isVerified = (one: Received) => {
    const now = new Date(Number(one.headers['webhook-timestamp']) * 1_000);
    const id = one.headers['webhook-id'] ?? '';
    const sent = new Set(one.headers['webhook-signature']?.split(' '));
    return secrets
      .values()
      .some((secret) => sent.has(webhookHeaders([secret], { id, body: one.body, now })['webhook-signature'] ?? ''));
  };

  return {
    provider: 'webhooks',
    wire(app, door) {
      app.post('/webhooks/:name', door, async (c) => {
        const name = c.req.param('name');
        const body = await c.req.text();
        received.keep(String(++count), { name, receivedAt: new Date().toISOString(), headers: c.req.header(), body });
        return c.json({ received: true }, answers.get(name) ?? 200);
      });
    },
    control(app) {
      app.get('/webhooks', (c) => {
        const name = c.req.query('name');
        const shown = received
          .values()
          .filter((one) => name === undefined || one.name === name)
          .slice(-SHOWN)
          .reverse();
        return c.json(
          shown.map((one) => ({
            id: one.headers['webhook-id'] ?? null,
            name: one.name,
            receivedAt: one.receivedAt,
            isVerified: isVerified(one),
            body: parsed(one.body),
          })),
        );
      });
      app.post('/webhooks/secrets', async (c) => {
        const { secret } = await readJson(c, Secret);
        secrets.keep(secret, secret);
        return c.json({ status: 'OK' });
      });
      // Sets the receiver's answer from now on.
      app.post('/webhooks/answers', async (c) => {
        const { name, status } = await readJson(c, Answer);
        answers.keep(name, status as 200); // any status; the type is Hono's
        return c.json({ status: 'OK' });
      });
    },
  };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
