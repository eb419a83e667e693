import type { Context } from 'hono';
import { Refusal } from '../domain/errors.ts';
import { ApiProblem } from './api-client.ts';
import type { Language } from './language/languages.ts';
import { type Message, t } from './language/message.ts';
import type { ConsoleEnv, ConsolePage, Form } from './page.ts';
import { ownProblem } from './problems.ts';

const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i;
/** Of forms that need no session. */
const MAX_PUBLIC_FORM_CHARACTERS = 64 * 1_024;

/** The fields of a posted form. Throws ApiProblem for a body that no page of the console sends. */
export async function readFields(
  c: Context<ConsoleEnv>,
  maxCharacters = MAX_PUBLIC_FORM_CHARACTERS,
): Promise<URLSearchParams> {
  if (!FORM_TYPE.test(c.req.header('content-type') ?? '')) throw refusal(415, 'unsupported_media_type', 'not a form');
  const body = await c.req.text();
  if (body.length > maxCharacters) throw refusal(413, 'payload_too_large', 'the form is too large');
  return new URLSearchParams(body);
}

export type SentForm = { readonly fields: URLSearchParams; readonly file: Uint8Array | null };

export const isUpload = (c: Context<ConsoleEnv>) => /^multipart\/form-data\b/i.test(c.req.header('content-type') ?? '');

/** A posted form, whose size `createConsole` limits, with its file if its page takes one. */
export async function readForm(c: Context<ConsoleEnv>, page: ConsolePage): Promise<SentForm> {
  if (page.takesBankFile === undefined || !isUpload(c))
    return { fields: await readFields(c, Number.POSITIVE_INFINITY), file: null };
  const { read, maxBytes } = c.var.bankFileForm;
  const sent = await read().catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'payload_too_large') throw fileTooLarge(maxBytes);
    throw ownProblem('form_broken');
  });
  const texts = sent.flatMap(([name, value]): [string, string][] => (typeof value === 'string' ? [[name, value]] : []));
  const [file = null, ...others] = sent.flatMap(([, value]) => (typeof value === 'string' ? [] : [value.bytes]));
  if (others.length > 0) throw fileProblem(422, t('Send one file at a time.'));
  if (file !== null && file.length > maxBytes) throw fileTooLarge(maxBytes);
  return { fields: new URLSearchParams(texts), file: file?.length === 0 ? null : file };
}

const fileTooLarge = (maxBytes: number) => fileProblem(413, fileTooLargeText(maxBytes));

function fileProblem(status: number, message: Message): ApiProblem {
  return new ApiProblem({ status, code: 'validation_failed', detail: 'the file', errors: [{ path: 'file', message }] });
}

export const fileTooLargeText = (maxBytes: number) =>
  t('The file is larger than {size} MiB. Ask the bank for files of shorter periods.', { size: maxBytes / 1_048_576 });

export function formOf({ fields, file }: SentForm, idempotencyKey: string, language: Language): Form {
  const lines = (name: string) =>
    (fields.get(name) ?? '')
      .split(/[\t\n\v\f\r\u0085\u2028\u2029]/)
      .map((line) => line.trim())
      .filter((line) => line !== '');
  return {
    fields,
    file,
    lines,
    language,
    idempotencyKey,
    text: (name) => lines(name).join(' '),
    all: (name) => fields.getAll(name),
    refuse: (field, message) => {
      throw new ApiProblem({
        status: 422,
        code: 'validation_failed',
        detail: `${field} is not valid`,
        errors: [{ path: field, message }],
      });
    },
  };
}

function refusal(status: number, code: string, detail: string): ApiProblem {
  return new ApiProblem({ status, code, detail });
}
