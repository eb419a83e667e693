import type { Context } from 'hono';
import { ApiProblem } from './api-client.ts';
import type { Language } from './language/languages.ts';
import type { ConsoleEnv, Form } from './page.ts';

const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i;
/** More than the longest form of the console: a decision with its reason. */
const MAX_FORM_CHARACTERS = 64 * 1_024;

/** The fields of a posted form. Throws ApiProblem for a body that no page of the console sends. */
export async function readFields(c: Context<ConsoleEnv>): Promise<URLSearchParams> {
  if (!FORM_TYPE.test(c.req.header('content-type') ?? '')) throw refusal(415, 'unsupported_media_type', 'not a form');
  const body = await c.req.text();
  if (body.length > MAX_FORM_CHARACTERS) throw refusal(413, 'payload_too_large', 'the form is too large');
  return new URLSearchParams(body);
}

export function formOf(fields: URLSearchParams, idempotencyKey: string, language: Language): Form {
  const lines = (name: string) =>
    (fields.get(name) ?? '')
      .split(/[\t\n\v\f\r\u0085\u2028\u2029]/)
      .map((line) => line.trim())
      .filter((line) => line !== '');
  return {
    fields,
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
