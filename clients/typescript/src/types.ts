import type { paths } from './description.ts';

/** What an operation takes and answers, read from the description of the API. */

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The addresses that have an operation with this method. */
export type PathOf<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends { [Name in M]: { responses: unknown } } ? Path : never;
}[keyof paths];

export type Operation<M extends Method, Path extends PathOf<M>> = paths[Path] extends { [Name in M]: infer Op }
  ? Op
  : never;

/** A part of a request: required if one of its fields is. */
type Part<Name extends string, Value> = [Value] extends [never]
  ? { readonly [Key in Name]?: never }
  : [Value] extends [undefined]
    ? { readonly [Key in Name]?: never }
    : undefined extends Value
      ? { readonly [Key in Name]?: Value }
      : object extends Value
        ? { readonly [Key in Name]?: Value }
        : { readonly [Key in Name]: Value };

type Parameters<Op, Place extends 'path' | 'query'> = Op extends { parameters: { [Key in Place]: infer Values } }
  ? Values
  : Op extends { parameters: { [Key in Place]?: infer Values } }
    ? Values
    : never;

/** The JSON of a request; a form where the operation takes files alone. */
type Content<Body> = Body extends { content: { 'application/json': infer Json } }
  ? Json
  : Body extends { content: { 'multipart/form-data': unknown } }
    ? FormData
    : never;
type BodyOf<Op> = Op extends { requestBody: infer Body }
  ? Content<Body>
  : Op extends { requestBody?: infer Body }
    ? Content<NonNullable<Body>> | undefined
    : never;

export type RequestOptions = {
  /** Fresh for every request, if it is left out. Send the same one to repeat a request of an earlier process. */
  readonly idempotencyKey?: string | undefined;
  /**
   * For commands on an escrow or a withdrawal: its version as `"7"`. The request is refused with `precondition_failed` if it has
   * another.
   */
  readonly ifMatch?: string | undefined;
  readonly signal?: AbortSignal | undefined;
};

export type RequestOf<Op> = Part<'path', Parameters<Op, 'path'>> &
  Part<'query', Parameters<Op, 'query'>> &
  Part<'body', BodyOf<Op>> &
  RequestOptions;

/** No argument is needed where every part of the request is optional. */
export type Arguments<Op> = object extends RequestOf<Op> ? [request?: RequestOf<Op>] : [request: RequestOf<Op>];

/** The JSON of a success. */
export type AnswerOf<Op> = Op extends { responses: infer Responses }
  ? {
      [Status in keyof Responses & (200 | 201)]: Responses[Status] extends {
        content: { 'application/json': infer Content };
      }
        ? Content
        : never;
    }[keyof Responses & (200 | 201)]
  : never;

/** One row of a list, whatever the list's shape. */
export type RowOf<Op> =
  AnswerOf<Op> extends readonly (infer Row)[] ? Row : AnswerOf<Op> extends { data: (infer Row)[] } ? Row : never;

/** The addresses that answer a list. */
export type ListPath = {
  [Path in PathOf<'get'>]: [RowOf<Operation<'get', Path>>] extends [never] ? never : Path;
}[PathOf<'get'>];
