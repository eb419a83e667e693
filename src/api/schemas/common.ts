import { z } from '@hono/zod-openapi';
import { AMOUNT_REFUSALS } from '../../domain/errors.ts';
import { ID_PREFIX, type Id, type IdKind, parseId } from '../../domain/ids.ts';
import { CURRENCY_CODES, MAX_REQUEST_CENTS } from '../../domain/money.ts';
import { SOURCES } from '../../domain/source.ts';
import { isTimeZone } from '../../domain/time-zone.ts';

/**
 * Building blocks of all request and response schemas. A file of this folder has the shapes of one kind of object. The
 * functions that build them from rows are named `…View`; those that events need too are in `db/views`.
 */

export const MAX_TEXT_CHARACTERS = 255;
export const MAX_NOTE_CHARACTERS = 2_000;
export const MAX_METADATA_BYTES = 16_384;
export const MAX_METADATA_DEPTH = 32;

const isPlainText = (value: string) => value.isWellFormed() && !/\p{Cc}/u.test(value);
/** The same for readers of the description, whose regular expressions may read bytes: without U+0080 to U+009F. */
const PLAIN_TEXT = '^[^\\x00-\\x1f\\x7f]*$';
const NOT_PLAIN = 'must not contain control characters';

/** A trimmed line of text without control characters. */
export function text(maxCharacters = MAX_TEXT_CHARACTERS) {
  return z.string().trim().min(1).max(maxCharacters).refine(isPlainText, NOT_PLAIN).openapi({ pattern: PLAIN_TEXT });
}
export const note = () => text(MAX_NOTE_CHARACTERS);

/** A password, a token, or another text that counts as it is: it is not trimmed. */
export function secret({ min = 1, max = MAX_TEXT_CHARACTERS } = {}) {
  return z
    .string()
    .min(min, { abort: true })
    .max(max, { abort: true })
    .refine(isPlainText, { message: NOT_PLAIN, abort: true })
    .openapi({ pattern: PLAIN_TEXT });
}

const MAX_ADDRESS_CHARACTERS = 2_000;

/**
 * The address of a page or a file that people open, in the form that browsers use. The text as it was sent may name another host to
 * another reader: `https://a.example\@b.example/`.
 */
export const webAddress = (protocol: RegExp) =>
  z
    .string()
    .trim()
    .max(MAX_ADDRESS_CHARACTERS)
    .pipe(z.url({ protocol, normalize: true, ...(protocol.test('http') ? {} : { error: 'must be an https URL' }) }))
    .refine(
      (value) => value.length <= MAX_ADDRESS_CHARACTERS,
      `must have at most ${MAX_ADDRESS_CHARACTERS} characters when encoded`,
    )
    .openapi({ format: 'uri' });

/** The same without a name and a password, which look like the host. */
export const plainWebAddress = (protocol: RegExp) =>
  webAddress(protocol).refine((value) => {
    // Refinements run even if the address is invalid, which is reported already.
    const address = URL.parse(value);
    return address === null || (address.username === '' && address.password === '');
  }, 'must have no name and password');

/** The description of an id: in its prefixed or bare form, in any letter case. */
export function idSchema(kind: IdKind) {
  const hex = (digits: number) => `[0-9a-fA-F]{${digits}}`;
  return {
    type: 'string',
    pattern: `^(?:${ID_PREFIX[kind]}_)?${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}$`,
    example: `${ID_PREFIX[kind]}_01900000-0000-7000-8000-000000000001`,
  } as const;
}

/** An id in its prefixed or bare form; handlers receive the bare form. */
export function id<K extends IdKind>(kind: K) {
  return z
    .string()
    .transform((value, context): Id<K> => {
      const parsed = parseId(kind, value.trim());
      if (parsed !== undefined) return parsed;
      context.addIssue({ code: 'custom', message: `must be a UUID or ${ID_PREFIX[kind]}_ followed by one` });
      return z.NEVER;
    })
    .openapi(idSchema(kind));
}

/** For a field that may be null and whose schema names its type, as those of ids do: `.nullish()` alone is not described. */
export const textOrNull: { readonly type: ('string' | 'null')[] } = { type: ['string', 'null'] };
export const centsOrNull: { readonly type: ('integer' | 'null')[] } = { type: ['integer', 'null'] };

const wordsOf = (kind: IdKind) => kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** The ids in a path, each with its kind: `pathIds({ id: 'escrow', milestoneId: 'milestone' })`. */
export function pathIds<const Kinds extends Record<string, IdKind>>(kinds: Kinds) {
  const shape = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [
      name,
      id(kind)
        .describe(`The id of the ${wordsOf(kind)}.`)
        .openapi({ param: { name, in: 'path' } }),
    ]),
  );
  return z.object(shape as { [Name in keyof Kinds]: ReturnType<typeof id<Kinds[Name]>> }); // fromEntries loses the key types
}

/** An amount in cents in a JSON body; handlers receive a bigint. The values of a query are texts, so it refuses all of them. */
export function cents(least: 0 | 1 = 1) {
  const wanted = `must be a whole number of cents, at least ${least}`;
  const tooMuch = `must be at most ${MAX_REQUEST_CENTS.toLocaleString('en')} cents`;
  return z
    .int({ error: ({ input, code }) => (input === undefined ? undefined : code === 'too_big' ? tooMuch : wanted) })
    .min(least, wanted)
    .max(Number(MAX_REQUEST_CENTS), tooMuch)
    .transform((value) => BigInt(value))
    .openapi({ type: 'integer', minimum: least, maximum: Number(MAX_REQUEST_CENTS), description: 'Cents.' });
}

/** An optional field whose absence means `value`: both are the same request to handlers and fingerprints. */
export const defaultsTo = <Schema extends z.ZodType>(schema: Schema, value: z.output<Schema> & z.input<Schema>) =>
  schema
    .nullish()
    .transform((sent): z.output<Schema> => sent ?? value)
    .openapi({ default: value });

/** An amount in responses: integer cents in a string. */
export const centsText = () => z.string().openapi({ description: 'Integer cents.', example: '25000' });
export const currency = () => z.enum(CURRENCY_CODES);
export const timestamp = () => z.iso.datetime().openapi({ example: '2026-01-31T09:30:00.000Z' });
export const source = () => z.enum(SOURCES);
export const metadata = () =>
  z
    .record(z.string(), z.unknown())
    .refine(
      (value) => isStorable(value) && Buffer.byteLength(JSON.stringify(value)) <= MAX_METADATA_BYTES,
      `must be at most 16 KiB of valid Unicode, nested at most ${MAX_METADATA_DEPTH} levels`,
    );

/** Whether PostgreSQL's jsonb can store the value: limited nesting, and no text that PostgreSQL rejects. */
function isStorable(value: unknown, levels = MAX_METADATA_DEPTH): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.entries(value).every(([key, inner]) => isStorable(key) && isStorable(inner, levels - 1));
}

export const timeZone = () =>
  z
    .string()
    .trim()
    .refine(isTimeZone, 'must be an IANA time zone, such as Africa/Harare')
    .openapi({ type: 'string', example: 'Africa/Harare' });

const meanings = AMOUNT_REFUSALS.map(
  ({ code, available, requested }) => `\`${code}\`: \`available\` is ${available}; \`requested\` is ${requested}.`,
);

const AmountDetails = z
  .object({ available: centsText(), requested: centsText(), currency: currency() })
  .openapi('AmountDetails', {
    description:
      'The amounts of a refusal about money, for callers with the permission `read`. Public operations never send them. ' +
      meanings.join(' '),
  });

export const Problem = z
  .object({
    type: z.string().describe('A URN with the code.'),
    title: z.string().describe('The code as a sentence.'),
    status: z.int().describe('The HTTP status.'),
    detail: z.string().optional().describe('This case as a sentence.'),
    instance: z.string().describe('A URN of the request.'),
    code: z.string().openapi({ description: 'Stable, for programs.', example: 'insufficient_funds' }),
    requestId: z.string().describe('The `X-Request-Id` of the answer, for support.'),
    errors: z
      .array(
        z.object({
          path: z.string().describe('The field.'),
          message: z.string().describe('What is wrong, as a sentence.'),
        }),
      )
      .optional()
      .describe('The fields that were refused.'),
    details: AmountDetails.optional(),
    reason: z
      .object({
        code: z.string().openapi({ description: 'Stable, for programs.', example: 'balances_differ' }),
        value: z.string().optional().describe('What was found, if the reason is about a value.'),
      })
      .optional()
      .describe('Why, where `code` leaves that open: what is wrong with a file, or who else may do what is forbidden.'),
    duplicateOf: z.string().optional().openapi({
      description:
        'With `duplicate_reference`: the deposit or capture that reports the same money. With `already_exists`: what the first request with this idempotency key made.',
    }),
  })
  .openapi('Problem');

/** `amountCents` for `amount_cents`, and for itself. */
type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/** For each name of `From` that `To` lacks: its name in `To`, or null if it stays out. Snake and camel case are the same. */
type Elsewhere<From, To> = {
  readonly [Name in keyof From & string as Camel<Name> extends Camel<keyof To & string> ? never : Name]:
    | (keyof To & string)
    | null;
};

/** The view of a row. A column that the view neither has nor leaves out does not compile. */
export function answering<Row, View>(_elsewhere: Elsewhere<Row, View>) {
  return <Others extends readonly unknown[]>(view: (row: Row, ...others: Others) => View) => view;
}

/** The names of `From` that `To` has too. */
type Shared<From, To> = {
  readonly [Name in keyof From & string]-?: Camel<Name> extends Camel<keyof To & string> ? Camel<Name> : never;
}[keyof From & string];

/** The columns of a request. A field of `Body` that is not stored, or for which `Row` has no column, does not compile. */
export function storing<Body, Row>(_elsewhere: Elsewhere<Body, Row>) {
  return <Others extends readonly unknown[], Columns extends Readonly<Record<Shared<Body, Row>, unknown>>>(
    columns: (body: Body, ...others: Others) => Columns,
  ) => columns;
}
