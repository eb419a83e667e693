import { readFileSync } from 'node:fs';
import { parse } from '@babel/parser';
import { expect, test } from '@jest/globals';
import { statusWords } from '../../../src/console/components/badge.ts';
import { LANGUAGES } from '../../../src/console/language/languages.ts';
import { Message, plainText } from '../../../src/console/language/message.ts';
import { CONCERNS } from '../../../src/console/pages/platform/state.ts';
import { ESCROW_STATUSES } from '../../../src/domain/escrow/escrow.ts';
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from '../../../src/domain/ledger/postings.ts';
import { LINK_EVENTS, LINK_STATUSES } from '../../../src/domain/payment-link/link.ts';
import { KEY_ROLE_OF_REQUEST, PERMISSION_NAMES, ROLE_OF_REQUEST } from '../../../src/domain/roles.ts';
import { KYC_STATUSES } from '../../../src/domain/users.ts';
import { WITHDRAWAL_EVENTS, WITHDRAWAL_STATUSES } from '../../../src/domain/withdrawal/withdrawal.ts';

/** Every value of the API that pages show in words has words in every language. */

/** Which fields of which answers pages show in words. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  listEscrows: ['status'],
  getEscrow: ['status'],
  listPaymentLinks: ['status'],
  getPaymentLink: ['status', 'kind'],
  listUsers: ['identityStatus'],
  getUser: ['identityStatus'],
  listUsersForPlatform: ['kycStatus', 'changedSinceApproval'],
  listUserAccounts: ['type'],
  listCompanyAccounts: ['type'],
  getAccount: ['type'],
  listLedgerTransactions: ['type', 'status'],
  getTransaction: ['type', 'status'],
  listWithdrawals: ['status'],
  getWithdrawal: ['status'],
  listCaptures: ['kind', 'status'],
  listReceivables: ['reason', 'status'],
  getFeeConfigs: ['kind'],
  listApiKeys: ['role', 'permissions'],
  listAdministrators: ['role'],
  listWebhooks: ['status'],
  getWebhook: ['status'],
  listDeliveries: ['status'],
};

/** Values that pages choose themselves: filters, options and marks. */
const CHOSEN: readonly string[] = [
  ...ESCROW_STATUSES,
  ...LINK_STATUSES,
  ...TRANSACTION_STATUSES,
  ...TRANSACTION_TYPES,
  ...WITHDRAWAL_STATUSES,
  ...KYC_STATUSES,
  ...PERMISSION_NAMES,
  ...Object.keys(KEY_ROLE_OF_REQUEST),
  ...Object.keys(ROLE_OF_REQUEST),
  'ALL',
  'FROZEN',
  'OPEN',
  'SETTLED',
  'SUSPENSE',
  // The description of the API has these as texts: actors of timelines, and payouts that need a person.
  'COMPANY',
  'BUYER',
  'SELLER',
  'ADMIN',
  'BANK',
  'SYSTEM',
  'PAYOUT_FAILED',
  'PAYOUT_REVERSED',
];

const source = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

type Node = { readonly type: string } & Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
const partsOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

/** The name of a member of a type: a plain, quoted or numeric key. */
function nameOf({ key }: Node): string {
  const { name, value } = key as { name?: string; value?: string | number }; // an identifier or a literal
  return String(name ?? value);
}

/** The types of the generated description by their names: `operations` and `schemas`. */
function declared(program: Node, name: string): ReadonlyMap<string, Node> {
  const found = find(program, (node) => {
    const own = (node.id ?? node.key) as { name?: string } | undefined; // an interface or a member of one
    return own?.name === name;
  });
  const body = (found?.body ?? found?.typeAnnotation) as Node; // an interface has a body, a member has a type
  return new Map(membersOf(body).map((member) => [nameOf(member), member]));
}

function membersOf(node: Node): Node[] {
  return partsOf(node).flatMap((part) => (part.type === 'TSPropertySignature' ? [part] : membersOf(part)));
}

function find(node: Node, isWanted: (node: Node) => boolean): Node | undefined {
  if (isWanted(node)) return node;
  for (const part of partsOf(node)) {
    const found = find(part, isWanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

const program = parse(source('clients/typescript/src/description.ts'), {
  sourceType: 'module',
  plugins: ['typescript'],
}).program as unknown as Node; // nodes of the syntax tree are plain objects
const operations = declared(program, 'operations');
const schemas = declared(program, 'schemas');

/** The texts that a type consists of. Schemas are followed by their names. */
function literalsIn(node: Node): string[] {
  if (node.type === 'StringLiteral') return [String(node.value)];
  if (node.type === 'TSIndexedAccessType') {
    const [name = ''] = literalsIn(node.indexType as Node); // `components["schemas"]["Name"]`
    const schema = schemas.get(name);
    return schema === undefined ? [] : literalsIn(schema.typeAnnotation as Node); // members have a type
  }
  return partsOf(node).flatMap(literalsIn);
}

/** The values of the fields of this name, at any depth. Schemas are followed by their names. */
function valuesOf(node: Node, field: string, seen = new Set<string>()): string[] {
  if (node.type === 'TSPropertySignature' && nameOf(node) === field) return literalsIn(node.typeAnnotation as Node); // members have a type
  if (node.type === 'TSIndexedAccessType') {
    const [name = ''] = literalsIn(node.indexType as Node); // `components["schemas"]["Name"]`
    const schema = schemas.get(name);
    if (schema === undefined || seen.has(name)) return [];
    return valuesOf(schema.typeAnnotation as Node, field, new Set([...seen, name])); // members have a type
  }
  return partsOf(node).flatMap((part) => valuesOf(part, field, seen));
}

/** The answer of an operation with a status of 200 or 201. */
function answerOf(name: string): Node {
  const operation = operations.get(name);
  const responses = operation && membersOf(operation).find((member) => nameOf(member) === 'responses');
  const good = responses && membersOf(responses.typeAnnotation as Node).find((one) => /^20[01]$/.test(nameOf(one))); // members have a type
  if (good === undefined) throw new Error(`the description has no answer of ${name}`);
  return good;
}

const isWithoutWords = (value: string) => !(statusWords(value) instanceof Message);

test.each(Object.entries(SHOWN).flatMap(([name, fields]) => fields.map((field) => [name, field] as const)))(
  '%s: all values of %s have words',
  (name, field) => {
    const values = valuesOf(answerOf(name), field);
    expect(values).not.toEqual([]);
    expect(values.filter(isWithoutWords)).toEqual([]);
  },
);

test.each([
  ['payment link', LINK_EVENTS],
  ['withdrawal', WITHDRAWAL_EVENTS],
])('the events of a %s have words', (_entity, events) => {
  expect(Object.keys(events).filter(isWithoutWords)).toEqual([]);
});

test('a concern is few words, because a badge is one line and its table fits a laptop', () => {
  const words = Object.keys(CONCERNS)
    .map(statusWords)
    .flatMap((said) => Object.values(LANGUAGES).map((language) => plainText(said, language)));
  expect(words.filter((one) => one.length > 28)).toEqual([]);
});

test('the values that pages choose have words', () => {
  expect(CHOSEN.filter(isWithoutWords)).toEqual([]);
});
