import type { components } from './description.ts';
import type { AmountProblemCode, KnownProblemCode } from './problem-codes.ts';

/** Errors of the client: one class for every problem code of the service, and one for requests without an answer. */

/** The answer is not one of the service: a proxy or another server gave it. Only the client uses this code. */
const UNEXPECTED_ANSWER = 'unexpected_answer';

/** A code of this version of the service, of a later one, or `unexpected_answer`. */
export type ProblemCode = KnownProblemCode | typeof UNEXPECTED_ANSWER | (string & {});
export type Problem = components['schemas']['Problem'];

export type AmountDetails = components['schemas']['AmountDetails'];
/** The details of errors with this code. Amounts are integer cents, in strings. */
export type DetailsOf<Code extends string> = string extends Code
  ? AmountDetails | undefined
  : Code extends AmountProblemCode
    ? AmountDetails | undefined
    : undefined;

type ErrorClass<Code extends string> = new (
  code: Code,
  status: number,
  problem?: Partial<Problem>,
  retryAfterSeconds?: number,
  idempotencyKey?: string,
) => EscrowError<Code>;

const classes = new Map<string, unknown>();

/** The service refused a request. `code` is stable; `message` is a sentence for people. */
export class EscrowError<Code extends string = string> extends Error {
  /** The class of a code, for `error instanceof EscrowError.of('insufficient_funds')`. */
  static of<Code extends ProblemCode>(code: Code): ErrorClass<Code> {
    const known = classes.get(code) ?? class extends EscrowError<Code> {};
    classes.set(code, known);
    return known as ErrorClass<Code>; // stored under its code
  }

  readonly code: Code;
  readonly status: number;
  /** Names the request in the service's log. */
  readonly requestId: string | undefined;
  /** One sentence for each invalid field. */
  readonly errors: readonly { readonly path: string; readonly message: string }[];
  /** Seconds after which the service can be asked again, if it said so. */
  readonly retryAfterSeconds: number | undefined;
  /** With a refusal about money: the available and the requested amount. Absent without the permission `read`. */
  readonly details: DetailsOf<Code>;
  /** The key that the request had, if any. After a 5xx, repeat the call with it: the service carries it out once. */
  readonly idempotencyKey: string | undefined;
  readonly problem: Partial<Problem>;

  constructor(
    code: Code,
    status: number,
    problem: Partial<Problem> = {},
    retryAfterSeconds?: number,
    idempotencyKey?: string,
  ) {
    super(problem.detail ?? problem.title ?? `the service answered ${status}`);
    this.name = 'EscrowError';
    this.code = code;
    this.status = status;
    this.problem = problem;
    this.requestId = problem.requestId;
    this.errors = problem.errors ?? [];
    this.details = problem.details as DetailsOf<Code>; // as the service describes it for this code
    this.retryAfterSeconds = retryAfterSeconds;
    this.idempotencyKey = idempotencyKey;
  }
}

/**
 * The error for an unsuccessful response, of the class of its code. `foreign` is its message if the service did not answer.
 */
export function errorOf(
  status: number,
  body: unknown,
  retryAfterSeconds: number | undefined,
  idempotencyKey: string | undefined,
  foreign: string,
): EscrowError {
  const problem: Partial<Problem> = Object(body);
  const told: Partial<Problem> = typeof problem.code === 'string' ? problem : { detail: foreign };
  const code = told.code ?? UNEXPECTED_ANSWER;
  return new (EscrowError.of(code))(code, status, told, retryAfterSeconds, idempotencyKey);
}

export type ConnectionErrorCode = 'connection_failed' | 'timeout';

/** No whole answer arrived, in any of the tries. A request that changes something may have been carried out. */
export class ConnectionError extends Error {
  /** Of the last failure, which is the `cause`. */
  readonly code: ConnectionErrorCode;
  /** The key that the request had, if any. Repeat the call with it: the service carries it out once. */
  readonly idempotencyKey: string | undefined;

  constructor(message: string, code: ConnectionErrorCode, idempotencyKey?: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ConnectionError';
    this.code = code;
    this.idempotencyKey = idempotencyKey;
  }
}
