import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

/**
 * The repository contains no secret. A small set of rules, like those of gitleaks, checks every tracked file. Texts that only
 * resemble a secret are listed as exceptions with a reason.
 */

const RULES: Readonly<Record<string, RegExp>> = {
  'private key': /-----BEGIN (?:[A-Z ]+ )?PRIVATE KEY-----/,
  'AWS access key': /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/,
  'API key of ours': /\besc_[lt]_[A-Za-z0-9]{32}\b/,
  'signed token': /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}/,
  'webhook secret': /\bwhsec_[A-Za-z0-9+/=]{32,}/,
  'GitHub token': /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{60,})\b/,
  'npm token': /\bnpm_[A-Za-z0-9]{36}\b/,
  'Slack or Stripe token': /\b(?:xox[abprs]-[\w-]{20,}|[rs]k_(?:live|test)_\w{20,})\b/,
  'Google key': /\bAIza[\w-]{35}\b/,
  'access token of the messaging platform': /\bEAA[A-Za-z0-9]{60,}\b/,
  'password in an address': /\b[a-z][a-z0-9+]*:\/\/[^\s:/@'"`$<]+:(?!password@)[^\s:/@'"`${}<]{6,}@/,
};

/** A name that suggests a secret, and a value that looks random. */
const ASSIGNMENT =
  /\b[\w.-]*(?:secret|token|passw(?:or)?d|pwd|api_?key|access_?key|webhook_?key|encryption_?keys?|private_?key|credential)\w*['"]?\s*[:=]\s*['"`]?([A-Za-z0-9+/=_-]{20,})/gi;
const MIN_ENTROPY_BITS = 3.7;

type Finding = { readonly file: string; readonly rule: string; readonly text: string };

const EXAMPLE = 'an example of the API description; opens nothing';

/** Texts that look like secrets and are not: file, part of the text, reason. */
const ALLOWED: readonly (readonly [file: string, text: string, reason: string])[] = [
  ['test/config/config.test.ts', 'RANDOM_SECRET', 'made up for the test that takes strong secrets; opens nothing'],
  ['test/config/config.test.ts', 'GATEWAY_ACCESS_TOKEN', 'made up for the same test'],
  ['test/config/config.test.ts', 'escrow_api:escrow@', 'a weak password, there to be refused'],
  ['src/api/openapi/examples.json', 'esc_t_0123456789', EXAMPLE],
  ['src/api/openapi/examples.json', 'eyJhbGciOiJIUzI1NiJ9', EXAMPLE],
  ['src/api/openapi/examples.json', 'QWxhIG1hIGtvdGEgYSBrb3QgbWEgYWxl', EXAMPLE],
  ['src/api/openapi/examples.json', 'esc_t_abcdefgh', EXAMPLE],
  ['test/support/integration/sanitizer.ts', 'esc_t_0123456789', EXAMPLE],
  ['test/support/integration/sanitizer.ts', 'eyJhbGciOiJIUzI1NiJ9', EXAMPLE],
  ['test/support/integration/sanitizer.ts', 'QWxhIG1hIGtvdGEgYSBrb3QgbWEgYWxl', EXAMPLE],
  ['test/support/integration/sanitizer.ts', 'esc_t_abcdefgh', EXAMPLE],
  ['src/db/migrations/released.json', '215-one-time-passwords', 'the checksum of a migration'],
  ['test/client/webhooks.test.ts', 'whsec_MfKQ9r8G', 'the published test vector of Standard Webhooks'],
  ['test/providers/webhooks.test.ts', 'me:secret', 'an address with a password, there to be refused'],
];

/** Files without text of our own. */
const SKIPPED = /^(package-lock\.json|LICENSE|.*\.(png|jpg|webp|pdf|ttf|woff2?|ico|gz|zst))$/;

function scan(file: string, content: string): Finding[] {
  const found: Finding[] = [];
  for (const [rule, pattern] of Object.entries(RULES)) {
    const text = pattern.exec(content)?.[0];
    if (text !== undefined) found.push({ file, rule, text });
  }
  for (const [text, value = ''] of content.matchAll(ASSIGNMENT))
    if (entropyBits(value) >= MIN_ENTROPY_BITS && /\d/.test(value) && /[a-z]/i.test(value))
      found.push({ file, rule: 'random value in an assignment', text });
  return found;
}

/** Shannon entropy, in bits per character. */
function entropyBits(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
}

const isAllowed = ({ file, text }: Finding) => ALLOWED.some(([where, what]) => file === where && text.includes(what));

describe('the repository', () => {
  const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' })
    .split('\0')
    .filter((file) => file !== '' && !SKIPPED.test(file));

  test('contains no secret in any tracked file', () => {
    expect(files.length).toBeGreaterThan(100);
    const found = files.flatMap((file) => scan(file, read(file))).filter((finding) => !isAllowed(finding));
    expect(found).toEqual([]);
  });

  test('every exception is still needed, and states its reason', () => {
    for (const [file, text, reason] of ALLOWED) {
      expect(reason.length).toBeGreaterThan(10);
      expect([file, text, scan(file, read(file)).some((finding) => finding.text.includes(text))]).toEqual([
        file,
        text,
        true,
      ]);
    }
  });

  test('keeps no .env, no data directory and no key file', () => {
    expect(
      files.filter((file) =>
        /(^|\/)(\.env|\.data|secrets\.json|embedded\.json|id_rsa|.*\.(pem|key|p12|pfx))$/.test(file),
      ),
    ).toEqual([]);
  });
});

/** A file that is deleted but not yet committed has no content. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

describe('the rules find', () => {
  // Assembled here, so that this file itself does not contain them.
  const join = (...parts: string[]) => parts.join('');
  test.each([
    ['private key', join('-----BEGIN RSA PRIV', 'ATE KEY-----')],
    ['AWS access key', join('AKIA', 'IOSFODNN7EXAMPLE')],
    ['API key of ours', join('esc_l_', 'aB3'.repeat(10), 'xY')],
    ['signed token', join('eyJhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxMjM0NTY3ODkwIn0.', 'dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P')],
    ['webhook secret', join('whsec_', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')],
    ['GitHub token', join('ghp_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8')],
    ['password in an address', join('postgres://escrow:', 'hunter2hunter2', '@db:5432/escrow')],
    ['random value in an assignment', join('JWT_SECRET=', 'wT3vYk9pQz7LmN2xRb8sHd4fGj6cVu1e')],
    ['random value in an assignment', join('const accessToken', " = 'OGE4Mjk0MTc0YjdlY2IyODAx';")],
  ])('%s', (rule, text) => {
    expect(scan('some file', `before ${text} after`).map((finding) => finding.rule)).toContain(rule);
  });

  test.each([
    'const secret = process.env.JWT_SECRET;',
    'password: z.string().min(10),',
    'WHATSAPP_OTP_TEMPLATE=one_time_password',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as compose files have it
    'POSTGRES_PASSWORD: ${POSTGRES_PASSWORD:?set POSTGRES_PASSWORD}',
    'postgres://user:password@host:5432/database',
    "const TOKEN_KIND = 'access-token-of-a-session';",
  ])('nothing in %s', (text) => {
    expect(scan('some file', text)).toEqual([]);
  });
});
