import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { Refusal } from '../../domain/errors.ts';
import { indexOfInTurns } from '../../turns/turns.ts';
import type { ApiEnv } from '../context.ts';
import { BODY_LIMITS, type FileBodyKind, MAX_ORDER_FORM_PARTS, MAX_UPLOAD_PARTS, SHORT } from '../limits.ts';
import { refuseEncoded, requireJson } from '../middleware/headers.ts';
import { inLongTurn } from '../middleware/rate-limit.ts';
import { InvalidRequest } from '../problem.ts';
import { chunksOf, freeMemory, incomingOf, isMultipart, isXml, readBody } from './body-limits.ts';
import { UploadedFile, type UploadedForm } from './uploaded-file.ts';

/**
 * Bodies that carry a file. They may be larger than JSON bodies, are read only after authorization, and are limited in size,
 * parts and time.
 */

/** RFC 2046. */
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;

/**
 * Takes the parts out of a multipart body, which the guard has read into memory. `also` says what else is accepted: JSON, or an XML
 * file alone. Refuses other types, bodies with too many parts, and bodies that cannot be parsed.
 */
export function acceptUpload(also: 'json' | 'xml' | 'nothing') {
  return createMiddleware<ApiEnv>(async (c, next) => {
    if (isMultipart(c)) {
      refuseEncoded(c.req.header('content-encoding'));
      const boundary = boundaryOf(c);
      return withBody(c, async (body) => {
        c.set('form', await formIn(body, boundary));
        await next();
      });
    }
    if (also === 'json') {
      if (c.req.header('content-type') === undefined) throw malformed('is required');
      return requireJson(c, next);
    }
    if (also === 'xml' && isXml(c)) {
      refuseEncoded(c.req.header('content-encoding'));
      return withBody(c, (body) => {
        c.set('form', [['file', new UploadedFile(body)]]);
        return next();
      });
    }
    const types = also === 'xml' ? 'application/xml or multipart/form-data' : 'multipart/form-data';
    throw new Refusal('unsupported_media_type', `the body must be ${types}`);
  });
}

/**
 * The form of a page with files. The caller has checked who sends it. Throws `payload_too_large` for the whole form alone: browsers send no
 * such field, so one is as wrong as a form that cannot be parsed.
 */
export async function readUploadedForm(c: Context<ApiEnv>, kind: FileBodyKind = 'upload'): Promise<UploadedForm> {
  refuseEncoded(c.req.header('content-encoding'));
  const boundary = boundaryOf(c);
  const maxParts = kind === 'orderFiles' ? MAX_ORDER_FORM_PARTS : MAX_UPLOAD_PARTS;
  return formIn(await readBody(c, kind), boundary, maxParts).catch(asMalformed);
}

/**
 * The texts of a form whose files are not taken: those in front of the first file. None if the form cannot be parsed, or was read already.
 * `readBytes`: how much of the body is read; most of it is dropped.
 */
export async function readTextsBeforeFiles(
  c: Context<ApiEnv>,
  readBytes: number = BODY_LIMITS.json.maxBytes,
): Promise<URLSearchParams> {
  const fields = new URLSearchParams();
  if (incomingOf(c)?.readableDidRead === true) return fields;
  const boundary = boundaryOf(c);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunksOf(c)) {
    if (bytes < BODY_LIMITS.json.maxBytes) chunks.push(Buffer.from(chunk));
    bytes += chunk.length;
    if (bytes >= readBytes) break;
  }
  const parts = Buffer.concat(chunks).toString('latin1').split(`\r\n--${boundary}`);
  const texts = parts.slice(
    0,
    parts.findIndex((part) => IS_FILE.test(part.split('\r\n\r\n', 1)[0] ?? '')),
  );
  const form = Buffer.from(`${texts.join(`\r\n--${boundary}`)}\r\n--${boundary}--\r\n`, 'latin1');
  for (const [name, value] of await formIn(form, boundary, MAX_ORDER_FORM_PARTS).catch(() => []))
    if (typeof value === 'string') fields.append(name, value);
  return fields;
}

/** A long body has a turn of its own. */
async function withBody(c: Context<ApiEnv>, work: (body: Buffer<ArrayBuffer>) => Promise<void>): Promise<void> {
  const body = c.get('body');
  try {
    await (body.length > SHORT.bytes ? inLongTurn(c, () => work(body)) : work(body));
  } finally {
    freeMemory(body);
  }
}

function boundaryOf(c: Context<ApiEnv>): string {
  const [, quoted, plain] = BOUNDARY.exec(c.req.header('content-type') ?? '') ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw malformed('has a content type without a boundary');
  return boundary;
}

async function formIn(body: Buffer<ArrayBuffer>, boundary: string, maxParts = MAX_UPLOAD_PARTS): Promise<UploadedForm> {
  return formOf(await partsOf(body, Buffer.from(`--${boundary}`), maxParts));
}

/** Of a part with this header. */
const IS_FILE = /;\s*filename\*?=/i;
const END_OF_HEADERS = Buffer.from('\r\n\r\n');
const END_OF_PART = Buffer.from('\r\n');
/** Of one part. Browsers write some hundred bytes. */
const MAX_PART_HEADER_BYTES = 8_192;

/** The parts of a body: how many there are, the body without the content of its files, and that content by the number of its part. */
type Parts = {
  readonly count: number;
  readonly form: Buffer;
  readonly boundary: string;
  readonly contents: ReadonlyMap<number, Buffer<ArrayBuffer>>;
};

/**
 * Parses a form without the content of its files, and puts that in afterwards: the parser takes 3 ms for each megabyte, and nothing
 * else runs meanwhile. A form whose parts the parser sees differently is refused.
 */
async function formOf({ count, form, boundary, contents }: Parts): Promise<UploadedForm> {
  const entries = await new Response(form, { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } })
    .formData()
    .then((fields) => [...fields])
    .catch(() => []);
  const isAsSeen = ([, value]: (typeof entries)[number], index: number) =>
    typeof value === 'string' ? !contents.has(index) : contents.has(index) || value.size === 0;
  if (entries.length !== count || !entries.every(isAsSeen)) throw malformed('is not valid multipart/form-data');
  return entries.map(([name, value], index) => [
    name,
    typeof value === 'string' ? value : new UploadedFile(contents.get(index) ?? Buffer.alloc(0)),
  ]);
}

/**
 * Finds the parts, and refuses text that is not UTF-8, which the parser would replace. The form gets a boundary of its own, because the
 * parser ends a text wherever the boundary stands in it, also without dashes: a short one is a part of many texts.
 */
async function partsOf(body: Buffer<ArrayBuffer>, delimiter: Buffer, maxParts: number): Promise<Parts> {
  const end = Buffer.concat([END_OF_PART, delimiter]);
  const boundary = randomUUID();
  const contents = new Map<number, Buffer<ArrayBuffer>>();
  let parts = 0;
  let at = await indexOfInTurns(body, delimiter, 0);
  if (at > MAX_PART_HEADER_BYTES) throw malformed('does not begin with a part');
  const kept = [body.subarray(0, Math.max(0, at))];
  while (at !== -1) {
    parts += 1; // the closing delimiter included
    if (parts > maxParts + 1) throw malformed(`has more than ${maxParts} parts`);
    const to = await indexOfInTurns(body, end, at);
    const part = body.subarray(at, to === -1 ? undefined : to + END_OF_PART.length);
    const headers = part.subarray(0, Math.max(0, part.subarray(0, MAX_PART_HEADER_BYTES).indexOf(END_OF_HEADERS)));
    const isFile = IS_FILE.test(headers.toString('latin1'));
    if (!isFile && part.length > BODY_LIMITS.json.maxBytes)
      throw new Refusal('payload_too_large', `a field of a form may have at most ${BODY_LIMITS.json.words}`);
    if (!isUtf8(isFile ? headers : part)) throw malformed('has text that is not valid UTF-8');
    if (isFile && to === -1) throw malformed('has a file without an end');
    const from = at + headers.length + END_OF_HEADERS.length;
    kept.push(Buffer.from(`--${boundary}`));
    if (isFile && to > from) {
      contents.set(parts - 1, body.subarray(from, to));
      kept.push(body.subarray(at + delimiter.length, from), END_OF_PART);
    } else kept.push(part.subarray(delimiter.length));
    at = to === -1 ? -1 : to + END_OF_PART.length;
  }
  return { count: parts - 1, form: Buffer.concat(kept), boundary, contents };
}

/** `bankAccount[accountNumber]`: a field of an object. */
const FIELD_OF_OBJECT = /^(\w+)\[([^[\]]+)\]$/;

/**
 * The fields of a form. A name that is sent several times, or that ends with `[]`, has a list of values. Fields of an object that
 * are sent one by one become its JSON, as if the client had sent that.
 */
export function formFields(form: UploadedForm): Readonly<Record<string, unknown>> {
  const fields = new Map<string, unknown[]>();
  const objects = new Map<string, Map<string, unknown>>();
  for (const [name, value] of form) {
    const [, object, inner] = FIELD_OF_OBJECT.exec(name) ?? [];
    if (object === undefined || inner === undefined || typeof value !== 'string') {
      fields.set(name, [...(fields.get(name) ?? []), value]);
      continue;
    }
    const inside = objects.get(object) ?? new Map();
    if (inside.has(inner)) throw new InvalidRequest('validation_failed', [{ path: name, message: 'is sent twice' }]);
    objects.set(object, inside.set(inner, value));
  }
  for (const [name, inside] of objects)
    fields.set(name, [...(fields.get(name) ?? []), JSON.stringify(Object.fromEntries(inside))]);
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values.length === 1 && !name.endsWith('[]') ? values[0] : values]),
  );
}

function asMalformed(error: unknown): never {
  throw error instanceof Refusal && error.code === 'payload_too_large'
    ? malformed('has a field that is too large')
    : error;
}

function malformed(message: string): InvalidRequest {
  return new InvalidRequest('validation_failed', [{ path: '', message }]);
}
