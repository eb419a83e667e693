import { connect, createServer, type Socket } from 'node:net';

/** A proxy between a service and a server, which can be far away or out of reach. */
export type Gate = {
  /** The same address, through the gate. */
  readonly through: (url: string) => string;
  /** Breaks open connections and refuses new ones. */
  shut(): void;
  open(): void;
  /** Each message to the server arrives this much later. Answers do not. */
  delay(ms: number): void;
  stop(): Promise<void>;
};

export async function startGate(serverUrl: string): Promise<Gate> {
  const { hostname, port } = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let isShut = false;
  let delayMs = 0;
  const server = createServer((inner) => {
    if (isShut) {
      inner.resetAndDestroy();
      return;
    }
    const outer = connect(Number(port), hostname);
    const onTheWay: Buffer[] = [];
    const arrive = () => outer.write(onTheWay.shift() ?? Buffer.alloc(0));
    inner.on('data', (chunk) => {
      onTheWay.push(chunk);
      if (delayMs === 0 && onTheWay.length === 1) arrive();
      else setTimeout(arrive, delayMs);
    });
    outer.pipe(inner);
    for (const [socket, other] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the gate listens nowhere');
  const shut = () => {
    isShut = true;
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    through: (url) => {
      const gated = new URL(url);
      gated.hostname = '127.0.0.1';
      gated.port = String(address.port);
      return gated.href;
    },
    shut,
    open: () => {
      isShut = false;
    },
    delay: (ms) => {
      delayMs = ms;
    },
    stop: async () => {
      shut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
