import type { UnknownFieldsRule } from '../contract/contract.ts';

/** An operation of the OpenAPI description, possibly incomplete. */
export type Described = {
  operationId?: string;
  readonly security?: readonly object[] | undefined;
  parameters?: readonly { readonly name?: string; readonly in?: string }[] | undefined;
  requestBody?: { readonly content?: object; readonly required?: boolean } | undefined;
  responses?: Record<string, DescribedResponse | undefined>;
  readonly 'x-callback'?: boolean;
  'x-rate-limit'?: string;
  readonly 'x-unknown-fields'?: UnknownFieldsRule;
  'x-max-body-bytes'?: number;
  'x-codeSamples'?: readonly object[];
};
type DescribedResponse = {
  description?: string;
  content?: object;
  headers?: object;
  /** The problem codes of a refusal. */
  'x-codes'?: readonly string[];
};
