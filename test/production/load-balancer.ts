import { connect, createServer } from 'node:net';
import { LOOPBACK } from '../../src/sandbox/stack/ports.ts';

/** Distributes connections over the APIs, and skips those that accept none. */
export async function startLoadBalancer(ports: readonly number[]): Promise<{ url: string; stop(): void }> {
  let turn = 0;
  const server = createServer((inner) => {
    inner.on('error', () => inner.destroy());
    turn += 1;
    forward(0);

    function forward(tried: number): void {
      const port = ports[(turn + tried) % ports.length];
      if (port === undefined || tried >= ports.length) {
        inner.destroy();
        return;
      }
      const outer = connect(port, LOOPBACK);
      let isOpen = false;
      outer.once('connect', () => {
        isOpen = true;
        inner.pipe(outer);
        outer.pipe(inner);
      });
      outer.on('error', () => (isOpen ? inner.destroy() : forward(tried + 1)));
      outer.on('close', () => isOpen && inner.destroy());
      inner.once('close', () => outer.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the load balancer has no port');
  return { url: `http://${LOOPBACK}:${address.port}`, stop: () => void server.close() };
}
