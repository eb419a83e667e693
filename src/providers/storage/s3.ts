import { AwsClient } from 'aws4fetch';
import { bytePiecesOf, mapInTurns, sha256InTurns } from '../../turns/turns.ts';
import { ProviderError } from '../provider-error.ts';
import type { DocumentKey, DocumentStorage } from './port.ts';

/**
 * Documents in a bucket of any S3-compatible service, addressed by path (`endpoint/bucket/key`), which all of them support. The
 * bucket must not be public; encryption at rest is a setting of the bucket.
 */
export type S3Settings = {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
};

const TIMEOUT_MS = 30_000;
/** For temporary failures: 5xx and 429. */
const RETRIES = 2;

export function createS3Storage(settings: S3Settings): DocumentStorage {
  const client = new AwsClient({ ...settings, service: 's3', retries: RETRIES });
  const send = (method: 'PUT' | 'GET' | 'DELETE', key: DocumentKey, body?: Uint8Array) =>
    request(client, `${settings.endpoint}/${settings.bucket}/${key.companyId}/${key.documentId}`, method, body);
  return {
    async put(key, bytes) {
      const response = await send('PUT', key, bytes);
      await response.body?.cancel();
      if (!response.ok) throw unexpected('PUT', response);
    },
    async get(key) {
      const response = await send('GET', key);
      if (response.ok && response.body !== null) return response.body;
      await response.body?.cancel();
      if (response.status === 404) return null;
      throw unexpected('GET', response);
    },
    async remove(key) {
      const response = await send('DELETE', key);
      await response.body?.cancel();
      if (!response.ok && response.status !== 404) throw unexpected('DELETE', response);
    },
  };
}

async function request(
  client: AwsClient,
  url: string,
  method: 'PUT' | 'GET' | 'DELETE',
  bytes: Uint8Array = new Uint8Array(),
): Promise<Response> {
  // The signature covers the content's hash, which the service checks: content damaged in transit is not stored.
  const hash = (await sha256InTurns(bytes)).toString('hex');
  // A body of bytes would be copied at once, for every attempt.
  const parts = await mapInTurns(bytePiecesOf(bytes), (piece) => new Blob([new Uint8Array(piece)]));
  try {
    return await client.fetch(url, {
      method,
      headers: { 'x-amz-content-sha256': hash },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(bytes.length === 0 ? {} : { body: new Blob(parts) }),
    });
  } catch (error) {
    throw new ProviderError('document storage', 'unknown', `${method} got no answer`, { cause: error });
  }
}

function unexpected(method: string, response: Response): ProviderError {
  return new ProviderError('document storage', 'unknown', `${method} was answered ${response.status}`);
}
