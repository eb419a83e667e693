import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FIELD_KEY } from '../support/keys.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { newCompany, PLATFORM } from '../support/service.ts';

/** docs/operations/secrets.md, "A lost password": the program there, unchanged, against a running service. */

const page = readFileSync(new URL('../../docs/operations/secrets.md', import.meta.url), 'utf8');
const [, program = ''] = page.match(/migrate node --input-type=module <<'END'\n([\s\S]*?)END\n/) ?? [];
const NEW_PASSWORD = 'a new word for the vault 58';

let service: OwnService;
beforeAll(async () => {
  service = await ownService();
});
afterAll(() => service.stop());

function replacePassword(email: string): void {
  execFileSync(process.execPath, ['--input-type=module'], {
    input: program,
    stdio: ['pipe', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH,
      EMAIL: email,
      NEW_PASSWORD,
      DATABASE_URL: service.database.ownerUrl,
      FIELD_ENCRYPTION_KEYS: `${FIELD_KEY.id}:${FIELD_KEY.key.toString('base64')}`,
    },
  });
}

async function logInStatus(email: string, password: string): Promise<number> {
  const { status } = await fetch(`${service.url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return status;
}

describe('a lost password', () => {
  test('of an owner is replaced, and the sessions of the owner end', async () => {
    const { id, owner } = await newCompany(service);
    const asOwner = { headers: { authorization: `Bearer ${owner.token}`, 'x-company-id': id } };
    expect((await fetch(`${service.url}/v1/core/companies/me`, asOwner)).status).toBe(200);
    replacePassword(owner.email);
    expect((await fetch(`${service.url}/v1/core/companies/me`, asOwner)).status).toBe(401);
    expect(await logInStatus(owner.email, NEW_PASSWORD)).toBe(200);
  });

  test('of the platform is replaced', async () => {
    replacePassword(PLATFORM.email);
    expect(await logInStatus(PLATFORM.email, NEW_PASSWORD)).toBe(200);
    expect(await logInStatus(PLATFORM.email, PLATFORM.password)).toBe(401);
  });
});
