import type { Described } from './described.ts';

/** Response headers, each described once. */

const text = (description: string, example: string) => ({ description, schema: { type: 'string' }, example }) as const;
const integer = (description: string, example: number) =>
  ({ description, schema: { type: 'integer', minimum: 0 }, example }) as const;

export const HEADERS = {
  'X-Request-Id': text(
    'Names the request in our log and in problems; the one that was sent, where it is sane.',
    'order-4711',
  ),
  'X-Total-Count': integer('How many rows the list has on all pages.', 240),
  Link: text(
    'The address of the next page, with `rel="next"`. Absent on the last page.',
    '<https://escrow.example/v1/escrow?limit=20&cursor=WyItY3JlYXRlZEF0Il0>; rel="next"',
  ),
  ETag: text('The version of the resource, for `If-Match` of its commands.', '"7"'),
  'Idempotent-Replayed': text(
    '`true` where this is the stored answer to an earlier request with the same key.',
    'true',
  ),
  'X-Ignored-Fields': text('The body fields that the operation does not have, by their paths.', 'colour, items.0.size'),
  'Preference-Applied': text('`handling=strict` or `handling=lenient`, where that was asked for.', 'handling=strict'),
  'Retry-After': integer('Seconds to wait before the request is sent again.', 1),
  RateLimit: text(
    'How many requests of this credential, or of this address, are left (`r`) in the next `t` seconds.',
    '"credential";r=598;t=42',
  ),
  'RateLimit-Policy': text('How many requests (`q`) a window of `w` seconds has.', '"credential";q=600;w=60'),
  'WWW-Authenticate': text('The scheme of credentials.', 'Bearer'),
} as const;

type HeaderName = keyof typeof HEADERS;

/** The operations whose answer is one resource with a version. */
const VERSIONED: readonly string[] = ['getEscrow', 'getWithdrawal'];

const RULES: readonly {
  readonly headers: readonly HeaderName[];
  readonly has: (operation: Described, status: number) => boolean;
}[] = [
  { headers: ['X-Request-Id'], has: () => true },
  {
    headers: ['X-Total-Count', 'Link'],
    has: (operation, status) => status === 200 && takesParameter(operation, 'limit'),
  },
  {
    headers: ['ETag'],
    has: ({ operationId = '' }, status) => VERSIONED.includes(operationId) && status === 200,
  },
  {
    headers: ['Idempotent-Replayed'],
    has: (operation, status) => status < 300 && takesParameter(operation, 'x-idempotency-key'),
  },
  {
    headers: ['X-Ignored-Fields', 'Preference-Applied'],
    has: (operation, status) => status < 300 && takesParameter(operation, 'prefer'),
  },
  {
    headers: ['RateLimit', 'RateLimit-Policy'],
    has: (operation) => operation['x-rate-limit'] !== undefined,
  },
  { headers: ['Retry-After'], has: (_operation, status) => status === 429 || status === 503 },
  { headers: ['WWW-Authenticate'], has: (_operation, status) => status === 401 },
];

/** The headers that a response with this status may have. */
export function headersOf(operation: Described, status: number): Record<string, { readonly $ref: string }> {
  const names = RULES.filter(({ has }) => has(operation, status)).flatMap(({ headers }) => headers);
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function takesParameter({ parameters = [] }: Described, name: string): boolean {
  return parameters.some((one) => one.name === name);
}
