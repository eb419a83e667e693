import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { EncryptingCodec } from '../../src/temporal/payload-codec.ts';
import { payloadConverter } from '../../src/workflows/payload-converter.ts';
import { eventually } from '../support/eventually.ts';
import { newFieldKey } from '../support/keys.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { newCompany, newParties, type TestCompany } from '../support/service.ts';

const [OLD, NEW] = [newFieldKey('2025'), newFieldKey('2026')];
const plain = (value: unknown) => defaultPayloadConverter.toPayload(value);
const encoded = async (value: unknown, codec = new EncryptingCodec([NEW, OLD])) =>
  one(await codec.encode([plain(value)]));
const decoded = async (payload: Payload, codec = new EncryptingCodec([NEW, OLD])) => one(await codec.decode([payload]));

function one(payloads: readonly Payload[]): Payload {
  const [payload] = payloads;
  if (payload === undefined) throw new Error('there is no payload');
  return payload;
}

describe('the encryption of payloads', () => {
  test('hides the payload and decrypts it again', async () => {
    const payload = await encoded({ escrowId: 'esc_1' });
    expect(Buffer.from(payload.data ?? []).toString('latin1')).not.toContain('esc_1');
    expect(defaultPayloadConverter.fromPayload(await decoded(payload))).toEqual({ escrowId: 'esc_1' });
  });

  test('reads payloads of an older key, and encrypts with the first key', async () => {
    const old = await encoded('before', new EncryptingCodec([OLD]));
    expect(defaultPayloadConverter.fromPayload(await decoded(old))).toBe('before');
    expect(Buffer.from((await encoded('now')).metadata?.['encryption-key-id'] ?? []).toString()).toBe('2026');
  });

  test('leaves payloads unchanged that were stored before it was switched on', async () => {
    expect(await decoded(plain('before'))).toEqual(plain('before'));
  });

  test.each([
    [
      'was changed',
      async (payload: Payload) => ({
        ...payload,
        data: Buffer.from(payload.data ?? []).map((byte, at) => (at === 20 ? byte ^ 1 : byte)),
      }),
    ],
    ['is too short', async (payload: Payload) => ({ ...payload, data: new Uint8Array(3) })],
    ['was encrypted with an unknown key', () => encoded('x', new EncryptingCodec([newFieldKey('other')]))],
    ['was encrypted with another key of the same id', () => encoded('x', new EncryptingCodec([newFieldKey('2026')]))],
  ])('treats a payload that %s as a malformed message', async (_what, spoil) => {
    const payload = await decoded(await spoil(await encoded('a secret of the run')));
    expect(payloadConverter.fromPayload(payload)).toBeUndefined();
  });
});

describe('a service that encrypts payloads', () => {
  let service: OwnService;
  let company: TestCompany;
  beforeAll(async () => {
    service = await ownService({ temporal: { temporalEncryptPayloads: true } });
    company = await newCompany(service);
  });
  afterAll(() => service.stop());

  const begin = async () => {
    const { buyer, escrow } = await newParties(company);
    const { body } = await company.post('/v1/escrow/initiate', escrow());
    return { id: String(body.id), buyer, run: service.temporal.workflow.getHandle(`escrow/${body.id}`) };
  };

  test('carries out commands and signals, and answers queries', async () => {
    const { id, run } = await begin();
    await run.signal('dispute', { actor: 'BUYER' });
    await eventually(async () => (await run.query<{ status: string }>('state')).status === 'DISPUTED');
    expect(
      await company.post(`/v1/escrow/${id}/cancel`, { actor: 'ADMIN', adminId: company.owner.id, reason: 'fraud' }),
    ).toMatchObject({
      status: 200,
    });
    expect(await run.result()).toMatchObject({ id, status: 'CANCELLED' });
  });

  test('leaves nothing readable in the history but search attributes', async () => {
    const { id, buyer, run } = await begin();
    await company.post(`/v1/escrow/${id}/release`);
    await run.result();
    const { events } = await run.fetchHistory();
    const payloads: Payload[] = [];
    const collect = (value: unknown): void => {
      if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return;
      for (const [name, inner] of Object.entries(value)) {
        if (name === 'searchAttributes') continue;
        if (typeof inner === 'object' && inner !== null && 'metadata' in inner && 'data' in inner) payloads.push(inner);
        else collect(inner);
      }
    };
    collect(events);
    const texts = payloads.map(({ data }) => Buffer.from(data ?? []).toString('latin1'));
    expect(texts.length).toBeGreaterThan(10);
    expect(texts.filter((text) => [id, buyer.id, 'release', '"USD"'].some((word) => text.includes(word)))).toEqual([]);
  });

  test('refuses a message that it cannot decrypt, and the run goes on', async () => {
    const { id, run } = await begin();
    const forged = await encoded({ actor: 'BUYER' }, new EncryptingCodec([newFieldKey('forged')]));
    await service.temporal.workflowService.signalWorkflowExecution({
      namespace: service.temporal.options.namespace,
      workflowExecution: { workflowId: `escrow/${id}` },
      signalName: 'dispute',
      input: { payloads: [forged] },
    });
    await eventually(async () =>
      (await run.query<{ event: string }[]>('timeline')).some(({ event }) => event === 'REFUSED'),
    );
    expect(await company.post(`/v1/escrow/${id}/release`)).toMatchObject({ status: 200 });
  });
});
