import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';

/** A client that sends the head of a request, and its body never. Returns when the server waits for the body. */
export async function beginUpload(
  url: string,
  { method = 'POST', headers }: { readonly method?: string; readonly headers: Record<string, string | number> },
): Promise<ClientRequest> {
  const sending = request(url, { method, headers: { ...headers, expect: '100-continue' } });
  sending.on('error', () => undefined);
  sending.flushHeaders();
  await once(sending, 'continue');
  return sending;
}

/** Those of a form whose body is as long. */
export const formHeaders = (bytes: number) => ({
  'content-type': 'multipart/form-data; boundary=b',
  'content-length': bytes,
});

/** A client that asks for a file, and reads nothing of it. Returns when the answer has begun. */
export async function beginDownload(url: string, headers: Record<string, string> = {}): Promise<ClientRequest> {
  const asking = request(url, { headers }).end();
  asking.on('error', () => undefined);
  await once(asking, 'response');
  return asking;
}
