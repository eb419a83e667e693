import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A collector of OTLP over HTTP: it accepts protobuf at /v1/traces, and stores every span. */

export type ReceivedSpan = {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** '' for the first of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly attributes: Readonly<Record<string, string | number>>;
};

export type Collector = {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** The raw bodies of all requests, to search for data that must not be in them. */
  readonly raw: () => string;
  stop(): Promise<void>;
};

export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const bodies: Buffer[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const isTraces = request.url === '/v1/traces' && request.headers['content-type'] === 'application/x-protobuf';
      if (isTraces) {
        const body = Buffer.concat(chunks);
        bodies.push(body);
        spans.push(...spansIn(body));
      }
      response.writeHead(isTraces ? 200 : 400, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    raw: () => Buffer.concat(bodies).toString('latin1'),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Field = { readonly number: number; readonly value: bigint | Buffer };

/** opentelemetry/proto/trace/v1/trace.proto, as far as the tests read it. */
function spansIn(body: Buffer): ReceivedSpan[] {
  return messages(body, 1).flatMap((resourceSpans) => {
    const resource = messages(resourceSpans, 1).map((message) => attributesOf(message, 1))[0];
    const service = String(resource?.['service.name']);
    return messages(resourceSpans, 2)
      .flatMap((scopeSpans) => messages(scopeSpans, 2))
      .map((span) => ({
        service,
        traceId: bytes(span, 1).toString('hex'),
        spanId: bytes(span, 2).toString('hex'),
        parentSpanId: bytes(span, 4).toString('hex'),
        name: bytes(span, 5).toString(),
        kind: Number(number(span, 6)),
        startNs: number(span, 7),
        endNs: number(span, 8),
        attributes: attributesOf(span, 9),
      }));
  });
}

/** Strings and whole numbers: the service sends no other types. */
function attributesOf(message: Buffer, field: number): Record<string, string | number> {
  return Object.fromEntries(
    messages(message, field).map((pair) => {
      const [value] = fieldsOf(bytes(pair, 2));
      return [
        bytes(pair, 1).toString(),
        typeof value?.value === 'bigint' ? Number(value.value) : String(value?.value ?? ''),
      ];
    }),
  );
}

function messages(message: Buffer, field: number): Buffer[] {
  return fieldsOf(message).flatMap(({ number, value }) => (number === field && Buffer.isBuffer(value) ? [value] : []));
}

function bytes(message: Buffer, field: number): Buffer {
  return messages(message, field)[0] ?? Buffer.alloc(0);
}

function number(message: Buffer, field: number): bigint {
  const found = fieldsOf(message).find((one) => one.number === field)?.value;
  return typeof found === 'bigint' ? found : 0n;
}

/** Protobuf's wire format: a number and a type, then a varint, eight bytes, four bytes, or a length and as many bytes. */
function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number) => {
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const key = Number(varint());
    const type = key & 7;
    const value =
      type === 0
        ? varint()
        : type === 1
          ? take(8).readBigUInt64LE()
          : type === 5
            ? BigInt(take(4).readUInt32LE())
            : take(Number(varint()));
    fields.push({ number: key >> 3, value });
  }
  return fields;
}
