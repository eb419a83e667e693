import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newAdministrator, nobody, refused } from '../../../support/api.ts';
import {
  bmp,
  container,
  documentForm,
  download,
  gif,
  jpeg,
  pdf,
  png,
  storedOf,
  tiff,
  webp,
} from '../../../support/documents.ts';
import { eventually } from '../../../support/eventually.ts';
import { nextMobileNumber } from '../../../support/mobile-numbers.ts';
import { ownService } from '../../../support/own-service.ts';
import { newCompany, newUser, type TestCompany, type TestService, type TestUser } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';

const MAX_DOCUMENT_BYTES = 10 * 1024 * 1024;

let service: TestService;
let company: TestCompany;
let user: TestUser;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
  user = await newUser(company);
});
afterAll(() => service.stop());

const pathOf = (id: string) => `/v1/identity/users/${id}/document`;
const upload = (form: FormData, of: TestCompany = company, id = user.id) => of.request('POST', pathOf(id), { form });
const credentials = (of: TestCompany = company) => ({ 'x-api-key': of.apiKey, 'x-company-id': of.id });
const read = (id = user.id) => download(service, credentials(), id);
const stored = () => storedOf(service, company.id);

describe('POST and GET /v1/identity/users/:id/document', () => {
  test.each([
    ['the delimiter', '--limit'],
    ['the end of the form', '--limit--\r\n'],
    ['the headers of a part', '--limit\r\nContent-Disposition: form-data; name="document"; filename="x"\r\n\r\n'],
    ['nothing of the kind', ''],
  ])('every byte of a file is kept: %s inside it', async (_what, inside) => {
    const { id } = await newUser(company);
    const bytes = Buffer.concat([
      Buffer.from(`%PDF-1.4\n${inside}`),
      Buffer.from([0, 255, 13, 10]),
      Buffer.from('%%EOF\r\n'),
    ]);
    const answer = await fetch(`${service.url}${pathOf(id)}`, {
      method: 'POST',
      headers: { ...credentials(), 'content-type': 'multipart/form-data; boundary=limit' },
      body: Buffer.concat([
        Buffer.from('--limit\r\nContent-Disposition: form-data; name="document"; filename="a.pdf"\r\n\r\n'),
        bytes,
        Buffer.from('\r\n--limit--\r\n'),
      ]),
    });
    expect(answer.status).toBe(200);
    expect((await read(id)).bytes.equals(bytes)).toBe(true);
  });

  test('a form may have a boundary of one character, which stands in its texts and files too', async () => {
    const mobileNumber = nextMobileNumber();
    const answer = await fetch(`${service.url}/v1/identity/users`, {
      method: 'POST',
      headers: {
        ...credentials(),
        'content-type': 'multipart/form-data; boundary=b',
        'x-idempotency-key': randomUUID(),
      },
      body: [
        ...Object.entries({ mobileNumber, idNumber: '63-1234567B00', firstName: 'Bob --b' }).map(
          ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
        ),
        `--b\r\nContent-Disposition: form-data; name="document"; filename="b"\r\n\r\n${pdf('b').toString('latin1')}\r\n--b--\r\n`,
      ].join(''),
    });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({ mobileNumber });
  });

  test.each([
    ['a JPEG', jpeg(), 'image/jpeg', 'document.jpg'],
    ['a PNG', png(), 'image/png', 'document.png'],
    ['a WebP', webp(), 'image/webp', 'document.webp'],
    ['a BMP', bmp(), 'image/bmp', 'document.bmp'],
    ['a HEIC', container('heic'), 'image/heic', 'document.heic'],
    ['a HEIF', container('mif1'), 'image/heif', 'document.heif'],
    ['an AVIF', container('avif'), 'image/avif', 'document.avif'],
    ['a PDF', pdf(), 'application/pdf', 'document.pdf'],
  ])('%s is returned byte for byte, as a download of its own type', async (_kind, bytes, type, name) => {
    const { id } = await newUser(company);
    expect((await company.get(`/v1/identity/users/${id}`)).body.documentUrl).toBeNull();
    expect((await read(id)).status).toBe(404);
    const answer = await upload(documentForm(bytes, 'x.html', 'text/html'), company, id);
    expect(answer).toMatchObject({ status: 200, body: { updatedAt: expect.any(String) } });
    const { body } = await company.get(`/v1/identity/users/${id}`);
    expect(body.documentUrl).toBe(answer.body.documentUrl);
    expect(body.documentUrl).toBe(`${service.url}/v1/identity/users/${id}/document`);
    const back = await read(id);
    expect(back).toMatchObject({ status: 200, bytes });
    expect(Object.fromEntries(back.headers)).toMatchObject({
      'content-type': type,
      'content-length': String(bytes.length),
      'content-disposition': `attachment; filename="${name}"`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-store',
    });
  });

  test('a new document replaces the earlier one and deletes its content', async () => {
    await upload(documentForm(png()));
    const before = await stored();
    await upload(documentForm(pdf('Another page')));
    expect(await stored()).toEqual(before);
    expect((await read()).bytes).toEqual(pdf('Another page'));
  });

  test('the same content again changes nothing', async () => {
    const { id } = await newUser(company);
    const first = await upload(documentForm(pdf('Same')), company, id);
    const before = await stored();
    const again = await upload(documentForm(pdf('Same'), 'another-name.pdf'), company, id);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(await stored()).toEqual(before);
  });

  test('simultaneous uploads leave one document', async () => {
    const own = await newCompany(service);
    const { id } = await newUser(own);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, number) => upload(documentForm(pdf(`${number}`)), own, id)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await storedOf(service, own.id)).toEqual({ documents: 1, chunks: 1 });
  });

  test('10 MiB are accepted and returned unchanged; one byte more is 413', async () => {
    const most = bmp(MAX_DOCUMENT_BYTES);
    expect((await upload(documentForm(most))).status).toBe(200);
    expect((await read()).bytes.equals(most)).toBe(true);
    const before = await stored();
    for (const bytes of [MAX_DOCUMENT_BYTES + 1, MAX_DOCUMENT_BYTES * 2]) {
      // The service closes the connection when it has answered. A client that still sends may get an error instead of the answer.
      const answer = await eventually(() => upload(documentForm(bmp(bytes))).catch(() => undefined));
      expect(answer).toMatchObject(refused(413, 'payload_too_large'));
    }
    expect(await stored()).toEqual(before);
    await upload(documentForm(png()));
  });

  const withTail = (bytes: Buffer, tail: string | Buffer) => Buffer.concat([bytes, Buffer.from(tail)]);
  const withHead = (text: string) => Buffer.concat([jpeg().subarray(0, 20), Buffer.from(text), jpeg().subarray(20)]);
  const zipEnd = Buffer.from(`504b0506${'00'.repeat(18)}`, 'hex');
  test.each<[string, Buffer]>([
    ['text', Buffer.from('just words')],
    ['a web page that says it is a picture', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['an SVG with a script', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
    ['a GIF without an end', gif().subarray(0, -1)],
    ['a TIFF without its directory', tiff().subarray(0, 14)],
    ['a BMP with more behind it', withTail(bmp(), 'more')],
    ['half a HEIC', container('heic').subarray(0, -4)],
    ['an AVIF with more behind it', withTail(container('avif'), 'more')],
    ['a video', Buffer.concat([container('isom'), Buffer.alloc(8)])],
    ['a program', withTail(Buffer.from('7f454c4602010100', 'hex'), Buffer.alloc(64))],
    ['an archive', withTail(Buffer.from('504b0304', 'hex'), Buffer.alloc(64))],
    ['half a PNG', png().subarray(0, 40)],
    ['half a JPEG', jpeg().subarray(0, 200)],
    ['a JPEG that ends in the middle of its pixels', Buffer.concat([jpeg().subarray(0, -20), jpeg().subarray(-2)])],
    [
      'a picture that only begins like a JPEG',
      Buffer.from(`ffd8ffe000104a46494600010100000100010000${'2a'.repeat(40)}ffd9`, 'hex'),
    ],
    ['a WebP that is shorter than it says', webp().subarray(0, 20)],
    ['a PDF without an end', Buffer.from('%PDF-1.4\n1 0 obj')],
    ['a PNG with an archive behind it', withTail(png(), zipEnd)],
    ['a JPEG with an archive behind it, as Java runs it', withTail(jpeg(), zipEnd)],
    ['a PDF with an archive behind it', withTail(pdf(), zipEnd)],
    ['a PNG with a web page behind it', withTail(png(), '<html></html>')],
    ['a WebP with more behind it', withTail(webp(), 'more')],
    ['a JPEG that is a web page too', withHead('<ScRiPt>alert(1)</sCrIpT>')],
    ['a JPEG that is a PDF too', withHead('%PDF-1.4')],
    ['a PDF that is a web page too', Buffer.from('%PDF-1.4\n<html><body>x</body></html>\n%%EOF')],
  ])('%s is 415, and nothing is stored', async (_what, bytes) => {
    const before = await stored();
    const answer = await upload(documentForm(bytes, 'passport.png', 'image/png'));
    expect(answer).toMatchObject(refused(415, 'unsupported_media_type'));
    expect(await stored()).toEqual(before);
  });

  test.each([
    ['upwards', '../../../etc/passwd'],
    ['upwards with backslashes', '..\\..\\windows\\system32\\x.png'],
    ['absolute', '/etc/passwd'],
    ['with a zero byte', 'a\u0000.png'],
    ['with a header parameter', 'x.png"; filename="y.html'],
    ['with a header', 'x\r\nSet-Cookie: a=b'],
    ['of 8,000 characters', `${'long'.repeat(2_000)}.png`],
  ])('the name of a file is ignored: %s', async (_what, name) => {
    expect((await upload(documentForm(png(), name))).status).toBe(200);
    const { headers } = await read();
    expect(headers.get('content-disposition')).toBe('attachment; filename="document.png"');
    expect(headers.get('set-cookie')).toBeNull();
  });

  function form(build: (form: FormData) => void): FormData {
    const made = new FormData();
    build(made);
    return made;
  }
  test.each<[string, FormData]>([
    ['no document', form((made) => made.append('other', 'x'))],
    ['an empty document', documentForm(Buffer.alloc(0))],
    ['text for a document', form((made) => made.append('document', png().toString('base64')))],
    [
      'two documents',
      form((made) => {
        for (const name of ['a', 'b']) made.append('document', new Blob([new Uint8Array(png())]), name);
      }),
    ],
    [
      'seventeen parts',
      form((made) => {
        for (let number = 0; number < 17; number += 1) made.append(`field${number}`, 'x');
      }),
    ],
  ])('%s is 400', async (_what, sent) => {
    expect(await upload(sent)).toMatchObject(refused(400, 'validation_failed'));
  });

  test.each<[string, string, string, number, string]>([
    ['no boundary', 'multipart/form-data', 'x', 400, 'validation_failed'],
    ['another boundary', 'multipart/form-data; boundary=a', '--b\r\n\r\n--b--', 400, 'validation_failed'],
    ['a part that never ends', 'multipart/form-data; boundary=a', '--a\r\nContent-Disp', 400, 'validation_failed'],
    [
      'a file that never ends',
      'multipart/form-data; boundary=a',
      '--a\r\nContent-Disposition: form-data; name="document"; filename="x"\r\n\r\n%PDF-1.4\n%%EOF',
      400,
      'validation_failed',
    ],
    [
      'a delimiter inside of a file that the parser does not see',
      'multipart/form-data; boundary=a',
      '--a\r\nContent-Disposition: form-data; name="document"; filename="x"\r\n\r\n%PDF-1.4\r\n--ab\n%%EOF\r\n--a--\r\n',
      400,
      'validation_failed',
    ],
    ['JSON', 'application/json', '{"document":"x"}', 415, 'unsupported_media_type'],
    ['a bare picture', 'image/png', 'x', 415, 'unsupported_media_type'],
    ['a form of another kind', 'application/x-www-form-urlencoded', 'document=x', 415, 'unsupported_media_type'],
  ])('%s: %s is refused', async (_what, type, rawBody, status, code) => {
    const answer = await company.request('POST', pathOf(user.id), { headers: { 'content-type': type }, rawBody });
    expect(answer).toMatchObject(refused(status, code));
  });

  test('documents of users of other companies cannot be read or written', async () => {
    await upload(documentForm(png()));
    const other = await newCompany(service);
    expect(await upload(documentForm(png()), other)).toMatchObject(refused(404, 'not_found'));
    expect((await download(service, credentials(other), user.id)).status).toBe(404);
    expect(await upload(documentForm(png()), company, nobody('usr'))).toMatchObject(refused(404, 'not_found'));
    expect(await storedOf(service, other.id)).toEqual({ documents: 0, chunks: 0 });
  });

  test('without a credential it is 401 for a body of any size', async () => {
    const answer = await service.request('POST', pathOf(user.id), { form: documentForm(bmp(MAX_DOCUMENT_BYTES)) });
    expect(answer).toMatchObject(refused(401, 'unauthenticated'));
    expect((await download(service, {}, user.id)).status).toBe(401);
  });

  test('a manager stores and reads documents', async () => {
    const manager = await newAdministrator(service, company, 'manager');
    expect(await manager.request('POST', pathOf(user.id), { form: documentForm(pdf()) })).toMatchObject({
      status: 200,
    });
    const headers = { authorization: `Bearer ${manager.token}`, 'x-company-id': company.id };
    expect((await download(service, headers, user.id)).bytes).toEqual(pdf());
  });
});

test('a client that sends slowly or disconnects is cut off, and nothing is stored', async () => {
  // Its database is that of the patient service, which also answers what takes a busy machine longer.
  const database = { ...service.database, drop: async () => undefined };
  const impatient = await ownService({ withWorker: false, requestTimeoutMs: 2_000, database });
  const sender = await newCompany(service);
  const path = pathOf((await newUser(sender)).id);
  const before = await storedOf(service, sender.id);
  const begin = () => {
    const socket = connect(Number(new URL(impatient.url).port), '127.0.0.1');
    let heard = '';
    socket.on('data', (data) => {
      heard += String(data);
    });
    socket.on('error', () => undefined);
    const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(heard)));
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nx-api-key: ${sender.apiKey}\r\nx-company-id: ${sender.id}\r\n` +
        'Content-Type: multipart/form-data; boundary=a\r\nContent-Length: 1000000\r\n\r\n--a\r\nContent-Disposition: ' +
        'form-data; name="document"; filename="x"\r\n\r\n',
    );
    return { socket, closed };
  };
  const slow = begin();
  const gone = begin();
  gone.socket.destroy();
  expect(await slow.closed).toMatch(/^HTTP\/1.1 408 /);
  expect(await storedOf(service, sender.id)).toEqual(before);
  await impatient.stop();
});

describe('POST /v1/identity/users with a document', () => {
  function asked(fields: Record<string, string> = {}, content: Uint8Array | null = png()): FormData {
    const made = content === null ? new FormData() : documentForm(content);
    for (const [name, value] of Object.entries({
      mobileNumber: nextMobileNumber(),
      idNumber: '63-1234567A00',
      ...fields,
    }))
      made.append(name, value);
    return made;
  }
  const create = (sent: FormData, key: string = randomUUID()) =>
    company.request('POST', '/v1/identity/users', { form: sent, headers: { 'x-idempotency-key': key } });

  test('registers the user with all JSON fields and the document', async () => {
    await company.post('/v1/identity/financial-institutions/seed');
    const { body: banks } = await company.get('/v1/identity/financial-institutions');
    const bankAccount = { institutionId: banks[0].id, accountNumber: '1004567890', branchCode: '01' };
    const answer = await create(
      asked({
        firstName: 'Tendai',
        metadata: JSON.stringify({ tier: 'gold' }),
        bankAccount: JSON.stringify(bankAccount),
        customReference: 'TENDAI-1',
      }),
    );
    expect(answer).toMatchObject({ status: 201, body: { firstName: 'Tendai', kycLevel: 1, identityStatus: 'CLEAR' } });
    expect((await company.get(`/v1/identity/users/${answer.body.id}`)).body).toMatchObject({
      idNumber: '63-1234567A00',
      metadata: { tier: 'gold' },
      customReference: 'TENDAI-1',
      bankAccount: { ...bankAccount, accountName: null, branchName: null },
      documentUrl: `${service.url}/v1/identity/users/${answer.body.id}/document`,
    });
    expect((await read(answer.body.id)).bytes).toEqual(png());
  });

  test('needs no document', async () => {
    const { status, body } = await create(asked({}, null));
    expect(status).toBe(201);
    expect((await company.get(`/v1/identity/users/${body.id}`)).body.documentUrl).toBeNull();
  });

  test('the same key and content with another boundary get the stored answer; another document does not', async () => {
    const mobileNumber = nextMobileNumber();
    const key = randomUUID();
    const first = await create(asked({ mobileNumber }), key);
    const before = await stored();
    const again = await create(asked({ mobileNumber }), key);
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await create(asked({ mobileNumber }, pdf()), key)).toMatchObject(refused(422, 'idempotency_key_reused'));
    expect(await stored()).toEqual(before);
  });

  test('a user who is refused leaves no document', async () => {
    const taken = nextMobileNumber();
    await create(asked({ mobileNumber: taken }));
    const before = await stored();
    expect(await create(asked({ mobileNumber: taken }))).toMatchObject(refused(409, 'already_exists'));
    const bankAccount = JSON.stringify({ institutionId: nobody('inst'), accountNumber: '1' });
    expect(await create(asked({ bankAccount }))).toMatchObject(refused(422, 'unknown_institution'));
    expect(await stored()).toEqual(before);
  });

  test.each<[string, Record<string, string>, Uint8Array | null, number, string]>([
    ['metadata that is not JSON', { metadata: '{' }, null, 400, 'validation_failed'],
    ['metadata that is not an object', { metadata: '[1]' }, null, 400, 'validation_failed'],
    ['a bank account without a number', { bankAccount: '{}' }, null, 400, 'validation_failed'],
    ['a number that is none', { mobileNumber: 'abc' }, png(), 400, 'validation_failed'],
    ['a document that is none', {}, Buffer.from('words'), 415, 'unsupported_media_type'],
  ])('%s is refused, and nothing is stored', async (_what, fields, content, status, code) => {
    const before = await stored();
    expect(await create(asked(fields, content))).toMatchObject(refused(status, code));
    expect(await stored()).toEqual(before);
  });
});
