import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MAX_BANK_FILE_BYTES, SHORT } from '../../src/api/limits.ts';
import { type BankLine, writeBankFile } from '../support/bank-writer.ts';
import { eventually } from '../support/eventually.ts';
import { done, newCompany, PLATFORM, type TestCompany, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { beginUpload, formHeaders } from '../support/slow-upload.ts';
import { hiddenFields, newVisitor, type Page, type Visitor, visitorAs } from './support/visitor.ts';

/** The bank's file in the console: a form with a file, which goes through the API's operation. */

let service: TestService;
let company: TestCompany;
let owner: Visitor;
beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service, 'Banking');
  owner = await visitorAs(service, company, 'owner');
});
afterAll(() => service?.stop());

const line = (text: string): BankLine => ({ amount: '25.00', sign: 'CRDT', ref: text, text });
const fileWith = (...lines: readonly BankLine[]) => writeBankFile({ day: '2026-01-31', opening: '0.00', lines });

async function formFor(visitor: Visitor, content: string | Uint8Array<ArrayBuffer> | null): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of Object.entries(hiddenFields((await visitor.get('/bank')).text, '/bank', 'name="file"')))
    form.append(name, value);
  form.append('file', new Blob(content === null ? [] : [content]), content === null ? '' : 'statement.xml');
  return form;
}
const upload = async (visitor: Visitor, content: string | Uint8Array<ArrayBuffer> | null) =>
  visitor.sendForm('/bank', await formFor(visitor, content));
const statements = async () => (await company.get('/v1/treasury/bank/statements')).body.total;
const told = ({ status, text }: Page, words: string) => [status, text.includes(words)];

test('an owner sends it, and reads how many entries it has, and how many are matched, open and known', async () => {
  await done(company.post('/v1/treasury/bank/capture', { amount: 2_500, currency: 'USD', reference: 'INV-1' }));
  const sent = await formFor(owner, fileWith(line('INV-1'), line('INV-2')));
  expect(await owner.sendForm('/bank', sent)).toMatchObject({ status: 303, location: '/console/bank' });
  const { text } = await owner.get('/bank');
  expect(text).toContain('2 entries in the file: 1 matched, 1 open, 0 known before.');
  expect(text).toContain('2026-01-31');
  expect(await owner.sendForm('/bank', sent)).toMatchObject({ status: 303 }); // the same form acts once
  expect(await statements()).toBe(1);
  expect(await upload(owner, fileWith(line('INV-1'), line('INV-3')))).toMatchObject({ status: 303 });
  expect((await owner.get('/bank')).text).toContain('2 entries in the file: 0 matched, 1 open, 1 known');
});

test('open items are shown in pages', async () => {
  const of = await newCompany(service);
  const visitor = await visitorAs(service, of, 'owner');
  await upload(visitor, fileWith(...Array.from({ length: 60 }, (_, index) => line(`OPEN-${index}`))));
  const rows = (text: string) => (text.match(/OPEN-\d+</g) ?? []).length;
  const { text } = await visitor.get('/bank');
  expect([rows(text), text.includes('50 of 60')]).toEqual([50, true]);
  const next = /href="\/console(\/bank\?[^"]*offset=50)" rel="next"/.exec(text)?.[1] ?? '';
  expect(rows((await visitor.get(next.replaceAll('&amp;', '&'))).text)).toBe(10);
});

test('a file that is not from the bank, does not add up, is empty or not chosen is refused with the reason, and stores nothing', async () => {
  const before = await statements();
  const wrong = writeBankFile({ day: '2026-02-01', opening: '0.00', closing: '1.00', lines: [line('INV-9')] });
  expect(told(await upload(owner, wrong), 'The file is not a valid bank statement:')).toEqual([422, true]);
  expect(told(await upload(owner, 'no XML'), 'The file is not a valid bank statement')).toEqual([422, true]);
  expect(told(await upload(owner, null), 'Choose the file of the bank.')).toEqual([422, true]);
  expect(told(await upload(owner, new Uint8Array(34 * 1_048_576)), 'The file is larger than 32 MiB.')).toEqual([
    413,
    true,
  ]);
  expect(await statements()).toBe(before);
});

test('a file that is a little too large, a second file, and a form that no browser sends are each refused with their reason', async () => {
  const before = await statements();
  const little = new Uint8Array(32 * 1_048_576 + 5_000);
  expect(told(await upload(owner, little), 'The file is larger than 32 MiB.')).toEqual([413, true]);
  const two = await formFor(owner, fileWith(line('INV-5')));
  two.append('file', new Blob([fileWith(line('INV-6'))]), 'second.xml');
  expect(told(await owner.sendForm('/bank', two), 'Send one file at a time.')).toEqual([422, true]);
  const broken = 'the form is not as the page sends it.';
  const long = await formFor(owner, fileWith(line('INV-7')));
  long.append('note', 'x'.repeat(70_000));
  expect(told(await owner.sendForm('/bank', long), broken)).toEqual([403, true]);
  const many = await formFor(owner, fileWith(line('INV-8')));
  for (let part = 0; part < 20; part += 1) many.append(`part-${part}`, '');
  expect(told(await owner.sendForm('/bank', many), broken)).toEqual([403, true]);
  expect(await statements()).toBe(before);
});

test('a reader of French or Portuguese gets the reason in that language, with one full stop', async () => {
  const day = { day: '2026-02-01', opening: '0.00', lines: [line('INV-9')] };
  const files = [
    writeBankFile({ ...day, closing: '1.00' }),
    'no XML',
    '<Document/>',
    writeBankFile({ ...day, day: '2026-02-30' }),
  ];
  const reasons = {
    en: [
      'The file is not a valid bank statement: the opening balance and the booked entries do not add up to the closing balance.<',
      'the XML is not well-formed in line 1.<',
      'the file has no namespace.<',
      '2026-02-30 is not a date.<',
    ],
    fr: [
      'Le fichier n’est pas un relevé bancaire juste\u00a0: le solde d’ouverture et les écritures comptabilisées ne donnent pas le solde de clôture.<',
      'le XML est mal formé à la ligne 1.<',
      'le fichier n’a pas d’espace de noms.<',
      '2026-02-30 n’est pas une date.<',
    ],
    pt: [
      'O ficheiro não é um extrato bancário certo: o saldo inicial e os movimentos registados não dão o saldo final.<',
      'o XML está malformado na linha 1.<',
      'o ficheiro não tem espaço de nomes.<',
      '2026-02-30 não é uma data.<',
    ],
  };
  for (const [language, sentences] of Object.entries(reasons)) {
    const reader = await visitorAs(service, company, 'owner');
    await reader.send('/language', { language, next: '/bank' });
    for (const [index, file] of files.entries())
      expect(told(await upload(reader, file), sentences[index] ?? '')).toEqual([422, true]);
  }
});

test('one large file of a company is received at a time; another one waits, and is told when to try again', async () => {
  const large = MAX_BANK_FILE_BYTES;
  const headers = { cookie: owner.cookie, ...formHeaders(large) };
  const slow = await beginUpload(`${service.url}/console/bank`, { headers });
  try {
    const form = await formFor(owner, 'x'.repeat(SHORT.bytes));
    const refused = await eventually(async () => {
      const answer = await owner.sendForm('/bank', form);
      return answer.status === 429 && answer; // not as long as the other one is not received
    });
    expect(refused.text).toContain('Too many requests or files in a short time. Wait a moment and try again.');
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(told(await upload(owner, 'no XML'), 'The file is not a valid bank statement')).toEqual([422, true]);
    const other = await visitorAs(service, await newCompany(service), 'owner');
    expect(told(await upload(other, 'x'.repeat(SHORT.bytes)), 'The file is not a valid bank statement')).toEqual([
      422,
      true,
    ]);
    slow.destroy();
    expect(told(await owner.sendForm('/bank', form), 'The file is not a valid bank statement')).toEqual([422, true]);
  } finally {
    slow.destroy();
  }
});

test('a form with a file that was opened for another company says that the file has to be chosen again', async () => {
  const platform = newVisitor(service);
  await platform.logIn(PLATFORM);
  await platform.submit('/act-for', { companyId: company.id });
  const form = await formFor(platform, fileWith(line('INV-10')));
  await platform.submit('/act-for', { companyId: '' });
  const { status, text } = await platform.sendForm('/bank', form);
  expect([status, text.includes('Choose the file again there.')]).toEqual([403, true]);
  expect(text).not.toContain('Your entries are kept');
});

test('a manager is offered no form, and nobody sends one without a session', async () => {
  const manager = await visitorAs(service, company, 'manager');
  expect((await manager.get('/bank')).text).not.toContain('type="file"');
  const form = await formFor(owner, fileWith(line('INV-4')));
  expect(await manager.sendForm('/bank', form)).toMatchObject({ status: 403 });
  expect(await newVisitor(service).sendForm('/bank', form)).toMatchObject({
    status: 303,
    location: '/console/login?next=%2Fbank',
  });
  form.set('csrf', 'x.y');
  expect(await owner.sendForm('/bank', form)).toMatchObject({ status: 403 });
});
