import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SignatureV4 } from '@smithy/signature-v4';
import type { S3Settings } from '../../src/providers/storage/s3.ts';

/**
 * A small S3: one bucket, PUT, GET and DELETE by path. It checks each request as S3 does: AWS's own signer
 * signs the received request, and a different signature is answered 403.
 */
export type S3Server = {
  readonly settings: S3Settings;
  /** Key → content. */
  readonly objects: Map<string, Buffer>;
  /** Answers this many requests with the status, without checking them. */
  failNext(times: number, status: number): void;
  requests(): number;
  stop(): Promise<void>;
};

const CREDENTIALS = { accessKeyId: 'TESTACCESSKEY', secretAccessKey: 'a secret of the tests' };
const REGION = 'af-south-1';
const BUCKET = 'documents';
const MAX_SKEW_MS = 15 * 60_000;
const AUTHORIZATION = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/.*, ?SignedHeaders=([^,]+), ?Signature=[0-9a-f]{64}$/;

export async function startS3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  let failures = { times: 0, status: 0 };
  let count = 0;

  async function answer(request: IncomingMessage): Promise<{ status: number; body?: Buffer | string }> {
    count += 1;
    const body = await buffer(request);
    if (failures.times > 0) {
      failures = { ...failures, times: failures.times - 1 };
      return { status: failures.status };
    }
    const refusal = await refusalOf(request, body);
    if (refusal !== undefined) return { status: refusal === 'XAmzContentSHA256Mismatch' ? 400 : 403, body: refusal };
    const key = (request.url ?? '').replace(`/${BUCKET}/`, '');
    if (request.method === 'PUT') {
      objects.set(key, body);
      return { status: 200 };
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      return { status: 204 };
    }
    const found = objects.get(key);
    return found === undefined ? { status: 404, body: 'NoSuchKey' } : { status: 200, body: found };
  }

  const server = createServer((request, response) => {
    answer(request).then(
      ({ status, body }) => response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end(body),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // of a server that listens on a port
  return {
    settings: { ...CREDENTIALS, region: REGION, bucket: BUCKET, endpoint: `http://127.0.0.1:${port}` },
    objects,
    failNext: (times, status) => {
      failures = { times, status };
    },
    requests: () => count,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Why S3 would refuse the request; `undefined` if it would accept it. */
async function refusalOf(
  { method = '', url = '', headers }: IncomingMessage,
  body: Buffer,
): Promise<string | undefined> {
  const sent = headers.authorization ?? '';
  const [, accessKeyId, signed = ''] = AUTHORIZATION.exec(sent) ?? [];
  if (accessKeyId !== CREDENTIALS.accessKeyId) return 'InvalidAccessKeyId';
  const names = signed.split(';');
  if (!['host', 'x-amz-date', 'x-amz-content-sha256'].every((name) => names.includes(name))) return 'AccessDenied';
  const signingDate = dateOf(String(headers['x-amz-date']));
  if (Math.abs(Date.now() - signingDate.getTime()) > MAX_SKEW_MS) return 'RequestTimeTooSkewed';
  if (headers['x-amz-content-sha256'] !== createHash('sha256').update(body).digest('hex'))
    return 'XAmzContentSHA256Mismatch';
  const signer = new SignatureV4({
    service: 's3',
    region: REGION,
    credentials: CREDENTIALS,
    sha256: Sha256,
    uriEscapePath: false,
  });
  const { pathname, searchParams } = new URL(url, 'http://s3.example');
  const expected = await signer.sign(
    {
      method,
      protocol: 'http:',
      hostname: String(headers.host),
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: Object.fromEntries(names.map((name) => [name, String(headers[name])])),
    },
    { signingDate, signableHeaders: new Set(names) },
  );
  const signature = (authorization: string | undefined) => authorization?.split('Signature=')[1];
  return signature(expected.headers.authorization) === signature(sent) ? undefined : 'SignatureDoesNotMatch';
}

/** 20260131T093000Z */
function dateOf(compact: string): Date {
  return new Date(compact.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

/** The hash function of the signer. */
class Sha256 {
  readonly #hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    throw new Error('the signer hashes once');
  }
}

function bytesOf(secret: string | ArrayBuffer | ArrayBufferView): Buffer {
  if (typeof secret === 'string') return Buffer.from(secret);
  return ArrayBuffer.isView(secret)
    ? Buffer.from(secret.buffer, secret.byteOffset, secret.byteLength)
    : Buffer.from(secret);
}
