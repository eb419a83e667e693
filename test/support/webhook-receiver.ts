import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A company's receiver of webhooks. It verifies signatures with the reference library. */

export type Received = {
  readonly id: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly rawBody: string;
  // biome-ignore lint/suspicious/noExplicitAny: asserted on, never trusted
  readonly body: any;
  readonly at: number;
};

export type WebhookReceiver = {
  readonly url: string;
  /** In the order of their arrival. */
  readonly received: Received[];
  /** The status of the answer to a request. */
  answer: (request: Received) => number | Promise<number>;
  stop(): Promise<void>;
};

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const rawBody = Buffer.concat(chunks).toString();
      const headers = textHeaders(request.headers);
      const one = {
        id: headers['webhook-id'] ?? '',
        path: request.url ?? '',
        headers,
        rawBody,
        body: JSON.parse(rawBody),
        at: Date.now(),
      };
      const status = await receiver.answer(one);
      receiver.received.push(one);
      response.writeHead(status).end('noted');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, // it listens on TCP
    received: [],
    answer: () => 200,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

/** Throws if the signature does not match the secret. */
export function verifySignature(secret: string, { rawBody, headers }: Received): unknown {
  return new Webhook(secret).verify(rawBody, headers);
}

function textHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}
