import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { Refusal } from '../../domain/errors.ts';
import type { ApiEnv } from '../context.ts';
import { BODY_LIMITS, MAX_UPLOAD_PARTS } from '../limits.ts';
import { refuseEncoded, requireJson } from '../middleware/headers.ts';
import { InvalidRequest } from '../problem.ts';
import { isMultipart, isXml, limitBodyOf } from './body-limits.ts';

/**
 * Bodies that carry a file. They may be larger than JSON bodies, are read only after authorization, and are limited in size,
 * parts and time.
 */

/** RFC 2046. */
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
const LIMITS = { upload: limitBodyOf('upload'), logo: limitBodyOf('logo'), bankFile: limitBodyOf('bankFile') };

/**
 * Reads a multipart body completely, into memory and never to disk. `also` says what else is accepted: JSON, or an XML file
 * alone. Refuses other types, bodies with too many bytes or parts, and bodies that cannot be parsed.
 */
export function acceptUpload(also: 'json' | 'xml' | 'nothing', kind: keyof typeof LIMITS = 'upload') {
  return createMiddleware<ApiEnv>(async (c, next) => {
    if (isMultipart(c)) {
      refuseEncoded(c.req.header('content-encoding'));
      return LIMITS[kind](c, async () => {
        await parseForm(c);
        await next();
      });
    }
    if (also === 'json') {
      if (c.req.header('content-type') === undefined) throw malformed('is required');
      return requireJson(c, next);
    }
    if (also === 'xml' && isXml(c)) {
      refuseEncoded(c.req.header('content-encoding'));
      return LIMITS[kind](c, next);
    }
    const types = also === 'xml' ? 'application/xml or multipart/form-data' : 'multipart/form-data';
    throw new Refusal('unsupported_media_type', `the body must be ${types}`);
  });
}

/** The form of a page with files. The caller has checked who sends it. */
export async function readUploadedForm(c: Context<ApiEnv>): Promise<FormData> {
  refuseEncoded(c.req.header('content-encoding'));
  await LIMITS.upload(c, () => parseForm(c));
  const form = c.get('form');
  if (form === undefined) throw malformed('is not valid multipart/form-data');
  return form;
}

async function parseForm(c: Context<ApiEnv>): Promise<void> {
  const [, quoted, plain] = BOUNDARY.exec(c.req.header('content-type') ?? '') ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw malformed('has a content type without a boundary');
  const body = Buffer.from(await c.req.arrayBuffer());
  const parts = checkParts(body, `--${boundary}`);
  await nextTurn();
  try {
    c.set('form', await formOf(body, parts, c.req.header('content-type') ?? ''));
  } catch {
    throw malformed('is not valid multipart/form-data');
  }
}

const END_OF_HEADERS = '\r\n\r\n';
const END_OF_PART = '\r\n';

/** The parts of a body: how many there are, and where the content of each file is. */
type Parts = {
  readonly count: number;
  readonly files: readonly { readonly part: number; readonly from: number; readonly to: number }[];
};

/**
 * Parses a form without the content of its files, and puts that in afterwards: the parser takes 3 ms for each megabyte, and nothing
 * else runs meanwhile. A form whose parts the parser sees differently is parsed as a whole.
 */
async function formOf(body: Buffer<ArrayBuffer>, { count, files }: Parts, contentType: string): Promise<FormData> {
  const parse = (bytes: Buffer<ArrayBuffer>) =>
    new Response(bytes, { headers: { 'content-type': contentType } }).formData();
  const kept: Buffer[] = [];
  let at = 0;
  for (const { from, to } of files) {
    kept.push(body.subarray(at, from));
    at = to;
  }
  kept.push(body.subarray(at));
  const entries = [...(await parse(Buffer.concat(kept)))];
  const isAsSeen = files.every(({ part }) => entries[part] !== undefined && typeof entries[part][1] !== 'string');
  if (entries.length !== count || !isAsSeen) return parse(body);
  const form = new FormData();
  for (const [index, [name, value]] of entries.entries()) {
    const file = files.find(({ part }) => part === index);
    if (file === undefined || typeof value === 'string') form.append(name, value);
    else form.append(name, new File([body.subarray(file.from, file.to)], value.name, { type: value.type }));
  }
  return form;
}

/** Counts the parts, and refuses text that is not UTF-8, which the parser would replace. */
function checkParts(body: Buffer, delimiter: string): Parts {
  const files: Parts['files'][number][] = [];
  let parts = 0;
  for (let at = body.indexOf(delimiter), next: number; at !== -1; at = next) {
    parts += 1; // the closing delimiter included
    if (parts > MAX_UPLOAD_PARTS + 1) throw malformed(`has more than ${MAX_UPLOAD_PARTS} parts`);
    const end = body.indexOf(`${END_OF_PART}${delimiter}`, at);
    next = end === -1 ? -1 : end + END_OF_PART.length;
    const part = body.subarray(at, next === -1 ? undefined : next);
    const headers = part.subarray(0, Math.max(0, part.indexOf(END_OF_HEADERS)));
    const isFile = /;\s*filename\*?=/i.test(headers.toString('latin1'));
    if (!isFile && part.length > BODY_LIMITS.json.maxBytes)
      throw new Refusal('payload_too_large', `a field of a form may have at most ${BODY_LIMITS.json.words}`);
    if (!isUtf8(isFile ? headers : part)) throw malformed('has text that is not valid UTF-8');
    const from = at + headers.length + END_OF_HEADERS.length;
    if (isFile && headers.length > 0 && end > from) files.push({ part: parts - 1, from, to: end });
  }
  return { count: parts - 1, files };
}

/** `bankAccount[accountNumber]`: a field of an object. */
const FIELD_OF_OBJECT = /^(\w+)\[(\w+)\]$/;

/**
 * The fields of a form. A name that is sent several times, or that ends with `[]`, has a list of values. Fields of an object that
 * are sent one by one become its JSON, as if the client had sent that.
 */
export function formFields(form: FormData): Readonly<Record<string, unknown>> {
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

function malformed(message: string): InvalidRequest {
  return new InvalidRequest('validation_failed', [{ path: '', message }]);
}
