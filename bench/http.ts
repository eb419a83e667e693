import { Agent, request } from 'node:http';

/** A light client, because on two cores the client's own cost affects the measurement. Connections are kept alive. */
export function httpClient(connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const send = (method: string, url: string, headers: Record<string, string | number>, body?: string) =>
    new Promise<string>((resolve, reject) => {
      const call = request(url, { method, agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => {
          if (response.statusCode !== undefined && response.statusCode < 300) resolve(text);
          else reject(new Error(`${url} answered ${response.statusCode}: ${text}`));
        });
      });
      call.on('error', reject);
      call.end(body);
    });
  // Both reject if the status is not 2xx.
  return {
    get: (url: string, headers: Record<string, string>) => send('GET', url, headers),
    post: (url: string, headers: Record<string, string>, body: string) =>
      send(
        'POST',
        url,
        { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
        body,
      ),
    stop: () => agent.destroy(),
  };
}
