import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import {
  type Answer,
  done,
  type RequestOptions,
  type TestCompany,
  type TestService,
  untilAnswered,
} from './service.ts';

export { sql } from './sql.ts';

/** Helpers for black-box tests of the API. */

/** A refusal, for `toMatchObject`: its status, its code, its amounts, and the fields of every problem. */
export function refused(status: number, code: string, details?: { available: string; requested: string }) {
  return {
    status,
    body: {
      type: expect.any(String),
      title: expect.any(String),
      detail: expect.any(String),
      instance: expect.any(String),
      requestId: expect.any(String),
      status,
      code,
      ...(details === undefined ? {} : { details }),
    },
  };
}

/** The bare form of a public id. */
export function bare(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}

/** A well-formed id that belongs to nothing. */
export function nobody(prefix: string): string {
  return `${prefix}_${randomUUID()}`;
}

export type TestAdministrator = {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
  readonly refreshToken: string;
  /** With the administrator's bearer token, for their company. */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** With a fresh idempotency key. Repeats what is answered 503 with the same key. */
  post(path: string, body?: unknown): Promise<Answer>;
};

/** Logs in, and uses the token for the company. */
export async function logIn(
  service: TestService,
  companyId: string,
  credentials: { readonly email: string; readonly password: string },
): Promise<TestAdministrator> {
  const { email, password } = credentials;
  const { body } = await done(
    untilAnswered(() => service.request('POST', '/v1/auth/login', { body: { email, password } })),
  );
  const request = (method: string, path: string, options: RequestOptions = {}) =>
    service.request(method, path, {
      ...options,
      headers: { authorization: `Bearer ${body.accessToken}`, 'x-company-id': companyId, ...options.headers },
    });
  return {
    id: body.userId,
    email,
    password,
    token: body.accessToken,
    refreshToken: body.refreshToken,
    request,
    post: (path, sent) =>
      untilAnswered((key) =>
        request('POST', path, { headers: { 'x-idempotency-key': key }, ...(sent === undefined ? {} : { body: sent }) }),
      ),
  };
}

/** Adds an administrator with a password of their own, logged in. */
export async function newAdministrator(
  service: TestService,
  company: TestCompany,
  role: 'admin' | 'manager',
): Promise<TestAdministrator> {
  const person = newPerson();
  await done(company.post('/v1/core/companies/admins', { ...person, role }));
  return logIn(service, company.id, person);
}

export function newPerson() {
  return { firstName: 'Ada', lastName: 'Moyo', email: `${randomUUID()}@test.example`, password: 'a-good-password' };
}

/** An API key that has the administrator's role, and all of its permissions unless `fields` lists them. */
export async function newKey(
  administrator: TestAdministrator,
  fields: { readonly permissions?: readonly string[] } = {},
): Promise<{ id: string; key: string }> {
  const { body } = await done(administrator.post('/v1/core/companies/api-keys', { name: 'another', ...fields }));
  return { id: body.id, key: body.key };
}
