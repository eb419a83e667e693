import { connect, createServer, type Socket } from 'node:net';

/** A proxy between a service and a server. When it is shut, it breaks open connections and refuses new ones. */
export type Gate = {
  /** The same address, through the gate. */
  readonly through: (url: string) => string;
  shut(): void;
  open(): void;
  stop(): Promise<void>;
};

export async function startGate(serverUrl: string): Promise<Gate> {
  const { hostname, port } = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let isShut = false;
  const server = createServer((inner) => {
    if (isShut) {
      inner.resetAndDestroy();
      return;
    }
    const outer = connect(Number(port), hostname);
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
      socket.pipe(other);
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
    stop: async () => {
      shut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
