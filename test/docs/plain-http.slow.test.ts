import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { counted } from '../support/counted.ts';
import { beginEscrow } from '../support/escrows.ts';
import { eventually } from '../support/eventually.ts';
import { newCompany, newUser, type TestCompany, type TestService, type TestUser } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';

/**
 * The programs of docs/plain-http.md, each with the few lines around it that the page leaves out, and the first escrow of the README.
 * Runs those whose language is there.
 */

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const blocksOf = (page: string) => [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
const PAGE = blocksOf(read('docs/plain-http.md'));
const [curl, go, php] = ['sh', 'go', 'php'].map((language) =>
  PAGE.filter(([, of]) => of === language)
    .map(([, , code]) => code)
    .join(''),
);
const [, FIRST_ESCROW = ''] = read('README.md').split('\n## The first escrow\n');
const [[, , firstEscrow = ''] = [], [, , itsOutput = ''] = []] = blocksOf(FIRST_ESCROW);

/** The programs that a test needs. Without them it says that it was not tried. */
function testWith(programs: readonly string[], name: string, run: () => Promise<void>): void {
  const missing = programs.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);
  if (missing.length > 0) counted(`plain HTTP: ${name}: not tried, there is no ${missing.join(', ')}`);
  (missing.length > 0 ? test.skip : test)(name, run, 120_000);
}

let directory: string;
let service: TestService;
let company: TestCompany;
let user: TestUser;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'escrow-plain-http-'));
  service = await sharedService();
  company = await newCompany(service);
  user = await newUser(company);
});
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true });
  await service.stop();
});

async function run(program: string, args: readonly string[], variables: Record<string, string> = {}): Promise<string> {
  const env = { ...process.env, ...variables };
  return (await promisify(execFile)(program, args, { cwd: directory, env })).stdout;
}
const credentials = () => ({
  ESCROW_URL: service.url,
  ESCROW_COMPANY_ID: company.id,
  ESCROW_API_KEY: company.apiKey,
});

test('the page has a program for each language', () => {
  expect([curl, go, php].map((code) => (code?.split('\n').length ?? 0) > 3)).toEqual([true, true, true]);
});

testWith(['curl', 'openssl'], 'curl makes a deposit', async () => {
  const answer = await run('sh', ['-c', curl?.replace('usr_…', user.id) ?? ''], credentials());
  expect(JSON.parse(answer)).toMatchObject({ type: 'DEPOSIT', status: 'COMPLETED', amount: '25000' });
});

describe('the first escrow of the README', () => {
  /** Runs it as after `npm start`, which writes the demo company's key and users. */
  async function run(demo: Record<string, string>): Promise<{ stdout: string; stderr: string }> {
    mkdirSync(join(directory, '.data'), { recursive: true });
    writeFileSync(join(directory, '.data/embedded.json'), JSON.stringify({ apiUrl: service.url, demo }));
    return promisify(execFile)('bash', ['-c', firstEscrow], { cwd: directory }).catch((error) => error);
  }

  testWith(['bash', 'curl'], 'pays the seller at each run', async () => {
    const market = await newCompany(service);
    const [buyer, seller] = [await newUser(market), await newUser(market)];
    const demo = { companyId: market.id, apiKey: market.apiKey, buyerId: buyer.id, sellerId: seller.id };
    for (let runs = 0; runs < 2; runs++)
      await eventually(async () => {
        const { stdout, stderr } = await run(demo);
        if (stderr.includes('dependency_unavailable')) return false; // a busy machine
        expect([stdout, stderr]).toEqual([itsOutput, '']);
        return true;
      });
    const { body } = await market.get(`/v1/ledger/accounts/${seller.usdAccountId}`);
    expect(Number(body.balance)).toBeGreaterThanOrEqual(2 * 24_750);
  });

  testWith(['bash', 'curl'], 'ends with the problem of the first call that fails', async () => {
    const { stdout, stderr } = await run({
      companyId: company.id,
      apiKey: 'esc_t_wrong',
      buyerId: user.id,
      sellerId: user.id,
    });
    expect(stdout).toBe('');
    expect(JSON.parse(stderr)).toMatchObject({ status: 401, code: 'unauthenticated' });
  });
});

testWith(['go'], 'Go reads all pages of a list', async () => {
  const made: string[] = [];
  for (let order = 0; order < 3; order++) made.push((await beginEscrow(company)).id);
  const program = `package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
)

func read(body io.Reader) {
	var page struct{ Data []struct{ Id string } }
	json.NewDecoder(body).Decode(&page)
	for _, row := range page.Data {
		fmt.Println(row.Id)
	}
	fmt.Println("page")
}

func pages(base, key, company string) error {
${go?.replace('limit=100', 'limit=2')}
	return nil
}

func main() {
	if err := pages(os.Getenv("ESCROW_URL"), os.Getenv("ESCROW_API_KEY"), os.Getenv("ESCROW_COMPANY_ID")); err != nil {
		panic(err)
	}
}
`;
  writeFileSync(join(directory, 'main.go'), program);
  const lines = (await run('go', ['run', 'main.go'], { ...credentials(), GO111MODULE: 'off' })).trim().split('\n');
  expect(lines.filter((line) => line === 'page')).toHaveLength(2);
  expect(lines.filter((line) => line !== 'page').sort()).toEqual(made.sort());
});

describe('PHP', () => {
  const secret = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`;
  const body = JSON.stringify({ type: 'deposit.received' });
  const signed = (at: Date, payload = body) => ({
    'webhook-id': `evt_${randomUUID()}`,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    payload,
  });

  testWith(['php'], 'tells genuine notifications from forged and old ones', async () => {
    const webhook = new Webhook(secret);
    const cases = [
      { at: new Date(), changes: {} },
      { at: new Date(), changes: { payload: `${body} ` } },
      { at: new Date(), changes: { 'webhook-id': 'evt_other' } },
      { at: new Date(Date.now() - 600_000), changes: {} },
    ].map(({ at, changes }) => {
      const sent = signed(at);
      const signature = webhook.sign(sent['webhook-id'], at, body);
      return { ...sent, 'Webhook-Signature': `v1,${'A'.repeat(44)} ${signature}`, ...changes };
    });
    writeFileSync(
      join(directory, 'check.php'),
      `<?php\n${php}\nforeach (json_decode(getenv('CASES'), true) as $one) {\n    echo isGenuine($one['payload'], $one, getenv('SECRET')) ? "genuine\\n" : "refused\\n";\n}\n`,
    );
    const said = await run('php', ['check.php'], { CASES: JSON.stringify(cases), SECRET: secret });
    expect(said.trim().split('\n')).toEqual(['genuine', 'refused', 'refused', 'refused']);
  });
});
