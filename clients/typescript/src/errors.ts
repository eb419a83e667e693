import type { components } from './description.ts';
import type { AmountProblemCode, KnownProblemCode } from './problem-codes.ts';

/** Errors of the client: one class for every problem code of the service, and one for requests without an answer. */

/** A code of this version of the service, or of a later one. */
export type ProblemCode = KnownProblemCode | (string & {});
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
  readonly problem: Partial<Problem>;

  constructor(code: Code, status: number, problem: Partial<Problem> = {}, retryAfterSeconds?: number) {
    super(problem.detail ?? problem.title ?? `the service answered ${status}`);
    this.name = 'EscrowError';
    this.code = code;
    this.status = status;
    this.problem = problem;
    this.requestId = problem.requestId;
    this.errors = problem.errors ?? [];
    this.details = problem.details as DetailsOf<Code>; // as the service describes it for this code
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The error for a response that is no success, of the class of its code. */
export function errorOf(status: number, body: unknown, retryAfterSeconds?: number): EscrowError {
  const problem: Partial<Problem> = typeof body === 'object' && body !== null ? body : {};
  const code = problem.code ?? 'unexpected_answer';
  return new (EscrowError.of(code))(code, status, problem, retryAfterSeconds);
}

/** No answer arrived, in any of the tries. `cause` is the last failure. */
export class ConnectionError extends Error {
  constructor(cause: unknown, url: string) {
    super(`the service at ${new URL(url).origin} could not be reached`, { cause });
    this.name = 'ConnectionError';
  }
}
