import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A server with answers from the test, for answers that no sandbox gives: malformed, endless and hostile ones. */
export type ScriptedServer = {
  readonly url: string;
  /** All requests, in order. */
  readonly requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
  /** Sets the answer from now on. */
  answer(script: Script): void;
  stop(): Promise<void>;
};

export type Script = (response: ServerResponse, attempt: number) => void;

export async function startScriptedServer(): Promise<ScriptedServer> {
  const requests: ScriptedServer['requests'] = [];
  let script: Script = (response) => response.end('{}');
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      requests.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      script(response, requests.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('it listens nowhere');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    answer: (next) => {
      requests.length = 0;
      script = next;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An answer with this status and JSON. */
export function json(status: number, body: unknown): Script {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
}
