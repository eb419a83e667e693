import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Http2Server } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WAIT_LIMITS } from '../../src/api/limits.ts';
import { lazyClient } from '../../src/temporal/connection.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { newCompany, newParties, type TestCompany } from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';
import { type Certificate, newCertificate, startTlsGate, type TlsGate } from '../support/tls-gate.ts';

/** Certificates and API keys expire. API and worker read new ones from their files without a restart. */

const folder = mkdtempSync(join(tmpdir(), 'credentials-'));
const file = (name: string) => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true }));

const CHECK_MS = 50;

describe('a service behind mutual TLS', () => {
  const [first, second] = [newCertificate('first'), newCertificate('second')];
  let gate: TlsGate;
  let service: OwnService;
  let company: TestCompany;

  const store = ({ cert, key }: Certificate) => {
    writeFileSync(file('tls.crt'), cert);
    writeFileSync(file('tls.key'), key);
  };
  beforeAll(async () => {
    gate = await startTlsGate(testTemporal().address, first);
    store(first);
    writeFileSync(file('ca.crt'), gate.server.cert);
    service = await ownService({
      waits: { ...WAIT_LIMITS, commandMs: 3_000, turnMs: 2_500 },
      temporal: {
        temporalAddress: gate.address,
        temporalTlsServerName: 'localhost',
        temporalTlsServerCaFile: file('ca.crt'),
        temporalTlsClientCertFile: file('tls.crt'),
        temporalTlsClientKeyFile: file('tls.key'),
        temporalCredentialsCheckMs: CHECK_MS,
      },
    });
    company = await newCompany(service);
  });
  afterAll(async () => {
    await service.stop();
    await gate.stop();
  });

  const release = async (id: unknown) =>
    (await company.post(`/v1/escrow/${String(id)}/release`, undefined, randomUUID())).status;
  const begin = async () => {
    const { escrow } = await newParties(company);
    return company.post('/v1/escrow/initiate', escrow());
  };

  test('carries out commands with the certificate that the server admits', async () => {
    const { status, body } = await begin();
    const released = await company.post(`/v1/escrow/${body.id}/release`);
    expect([status, released.status]).toEqual([201, 200]);
  });

  test('switches to a new certificate without a restart when the server requires it', async () => {
    const { body } = await begin();
    gate.admit(second);
    expect(await release(body.id)).toBe(503);

    store(second);

    await eventually(async () => [200, 409].includes(await release(body.id)));
    const answers = [await begin(), await begin()];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  });
});

describe('an API key in a file', () => {
  let server: Http2Server;
  let address: string;
  const seen: string[] = [];
  beforeAll(async () => {
    server = createServer();
    server.on('stream', (stream, headers) => {
      seen.push(String(headers.authorization));
      stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': 7 }, { endStream: true });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const bound = server.address();
    if (typeof bound !== 'object' || bound === null) throw new Error('it listens nowhere');
    address = `127.0.0.1:${bound.port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test('is sent with each call, and reloaded when it changes', async () => {
    writeFileSync(file('api-key'), 'the-first-key\n');
    const { connection } = lazyClient({
      temporalAddress: address,
      temporalNamespace: 'default',
      temporalTls: false,
      temporalApiKeyFile: file('api-key'),
      temporalCredentialsCheckMs: CHECK_MS,
    });
    const call = async () => {
      await connection
        .withDeadline(Date.now() + 30_000, () => connection.workflowService.getClusterInfo({}))
        .catch(() => 0);
      return seen.at(-1);
    };
    expect(await call()).toBe('Bearer the-first-key');

    writeFileSync(file('api-key'), 'the-second-key\n');

    await eventually(async () => (await call()) === 'Bearer the-second-key');
    await connection.close();
  });
});
