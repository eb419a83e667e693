import { MAX_TRIES, MAX_TRIES_FROM_ANYWHERE, TRIES_WINDOW } from '../api/auth/login-guard.ts';
import { MAX_UNAPPROVED_PROMPTS } from '../api/commands/payments.ts';
import {
  BODY_LIMITS,
  DATABASE_LIMITS,
  LIST_LIMITS,
  MAX_COMMANDS_IN_FLIGHT_PER_RUN,
  MAX_DOCUMENT_BYTES,
  MAX_DRAINED_BYTES,
  MAX_PARSED_CALLBACK_BYTES,
  MAX_UPLOAD_PARTS,
  RATE_LIMITS,
  SERVER_LIMITS,
  WAIT_LIMITS,
} from '../api/limits.ts';
import {
  MAX_METADATA_BYTES,
  MAX_METADATA_DEPTH,
  MAX_NOTE_CHARACTERS,
  MAX_TEXT_CHARACTERS,
} from '../api/schemas/common.ts';
import { MAX_STATEMENT_ENTRIES } from '../db/ledger/statements.ts';
import { MAX_ITEMS, MAX_MILESTONES, MAX_QUANTITY } from '../domain/escrow/escrow.ts';
import { MAX_REQUEST_CENTS } from '../domain/money.ts';

/** docs/limits.md, made from the constants that hold. */

const KIB = 1_024;
const MIB = 1_048_576;
const grouped = (value: number | bigint) => value.toLocaleString('en');
const seconds = (ms: number) => `${ms / 1_000} s`;

export function limitsPage(): string {
  const { json, upload, callback } = BODY_LIMITS;
  const { array, page, maxOffset } = LIST_LIMITS;
  const { passwordsPerMinute, passwordsPerHour, passwordsPerHourFromAnywhere } = DATABASE_LIMITS;
  return `# Limits

<!-- Made by \`npm run docs\` from the constants in the code. -->

Every bound of a request. \`/openapi.json\` states the same for each operation, as \`x-max-body-bytes\` and \`x-rate-limit\`.

## Size and time

| what | most | past it |
|---|---|---|
| request line and headers | ${SERVER_LIMITS.maxHeaderBytes / KIB} KiB | 431, connection closed |
| sending the headers | ${seconds(SERVER_LIMITS.headersWithinMs)} | 408, connection closed |
| JSON body | ${json.words}, sent within ${seconds(json.sendWithinMs)} | 413 \`payload_too_large\`; 408 |
| multipart body (\`POST /v1/identity/users\`, \`…/users/:id/document\`) | a document of ${upload.words} and ${(upload.maxBytes - MAX_DOCUMENT_BYTES) / KIB} KiB besides, ${MAX_UPLOAD_PARTS} parts, sent within ${seconds(upload.sendWithinMs)} | 413; 400; 408 |
| callback of a provider (\`…/eft-pay/webhook\`, \`/v1/messaging/webhook\`) | ${callback.words}, sent within ${seconds(callback.sendWithinMs)} | read on to ${MAX_DRAINED_BYTES / MIB} MiB, answered as always, not acted upon; parsed to ${MAX_PARSED_CALLBACK_BYTES / KIB} KiB |
| idle connection | ${seconds(SERVER_LIMITS.keepAliveMs)} | closed |
| a command that nothing answers | ${seconds(WAIT_LIMITS.commandMs)} | 503 \`dependency_unavailable\`; the same idempotency key resumes it |
| any answer, whatever is down | ${seconds(WAIT_LIMITS.answerMs)} | |
| mobile money that is not answered on the phone | ${seconds(WAIT_LIMITS.chargeMs)} | 200 \`PROCESSING\` |

## Lists

| what | most | default |
|---|---|---|
| \`limit\` of a list that is an array, and of a ledger's transactions | ${grouped(array.maxLimit)} | ${grouped(array.defaultLimit)} |
| \`limit\` of a list with \`data\` and \`total\` | ${page.maxLimit} | ${page.defaultLimit} |
| \`offset\` | ${grouped(maxOffset)} | 0 |
| entries of a statement | ${grouped(MAX_STATEMENT_ENTRIES)} | past it 422 \`statement_too_large\` |

Every list answers its total in \`X-Total-Count\`, and the address of the next page in \`Link\` with \`rel="next"\` while there is more. Where
that address has a \`cursor\`, pages neither repeat nor skip rows when others are added, and the last page is as fast as the first.

## Fields

Texts ${MAX_TEXT_CHARACTERS} characters, notes and reasons ${grouped(MAX_NOTE_CHARACTERS)}; ${MAX_ITEMS} items, ${MAX_MILESTONES} milestones, quantities to ${grouped(MAX_QUANTITY)}; metadata
${MAX_METADATA_BYTES / KIB} KiB and ${MAX_METADATA_DEPTH} levels; \`x-idempotency-key\` 1 to 255 visible ASCII characters; amounts to ${grouped(MAX_REQUEST_CENTS)}, totals to
9.2 × 10^18.

## Rates

| what | most | counted |
|---|---|---|
| requests of a key or an administrator | ${RATE_LIMITS.requestsPerMinute} a minute (\`RATE_LIMIT_PER_MINUTE\`) | per process |
| requests of an address (an IPv6 /64 network) without a working credential | ${RATE_LIMITS.publicRequestsPerMinute} a minute (\`RATE_LIMIT_PUBLIC_PER_MINUTE\`) | per process |
| tries at an administrator's password, at login or to change it, from one network | ${MAX_TRIES} in ${TRIES_WINDOW} | in the database |
| the same from all networks together | ${MAX_TRIES_FROM_ANYWHERE} in ${TRIES_WINDOW} | in the database |
| one-time passwords for a number and a link, from one network | ${passwordsPerMinute} a minute, ${passwordsPerHour} an hour | in the database |
| the same from all networks together | ${passwordsPerHourFromAnywhere} an hour | in the database |
| mobile-money prompts that a phone did not approve, over all links | ${MAX_UNAPPROVED_PROMPTS} an hour | in the database |
| tries at a one-time password | ${DATABASE_LIMITS.triesPerPassword} | in the database |
| status questions to the card gateway | ${DATABASE_LIMITS.gatewayQuestionsPerMinute} a minute for each checkout | in the database |
| commands in flight on one escrow | ${MAX_COMMANDS_IN_FLIGHT_PER_RUN} for each API process; others wait for their turn | per process |

All answer 429 with \`Retry-After\`. \`/health\`, \`/health/ready\` and provider callbacks are not counted. [ADR 6](adr/0006-what-is-counted-where.md)
says why some are counted in memory.
`;
}
