import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { ORDER_ENGLISH } from '../../src/api/orders/texts/english.ts';
import { png } from './documents.ts';
import { beginEscrow } from './escrows.ts';
import { eventually } from './eventually.ts';
import type { OnPage } from './integration/cast.ts';
import type { TestCompany, TestService } from './service.ts';

/** Buyers and sellers on their order pages, with the requests of a browser. */

/** Switches the pages of a company on. */
export async function switchOn(of: TestCompany, acts: Record<string, string> = {}) {
  const body = { order_pages: { enabled: true, acts }, auto_release_hours: 72 };
  expect((await of.request('PATCH', '/v1/core/companies/me', { body })).status).toBe(200);
}

/** What the answer to a form says: in the address that it leads to, or in the form that is shown again, in English. */
function noticeOf(location: string | null, html: string): string | null {
  if (location !== null) return new URLSearchParams(location.split('?')[1]).get('notice');
  const [, said] = /id="notice">.*?<span>(.*?)<\/span>/s.exec(html) ?? [];
  return Object.entries(ORDER_ENGLISH.notices).find(([, text]) => text === said)?.[0] ?? null;
}

/** A browser with the address of one page. It keeps the page's cookie. */
export function visitor(service: TestService, url: string) {
  let cookie = '';
  const { pathname } = new URL(url);
  const get = async (query = '', headers: Record<string, string> = {}) => {
    const answer = await fetch(`${service.url}${pathname}${query}`, { headers: { cookie, ...headers } });
    return { status: answer.status, headers: answer.headers, html: await answer.text() };
  };
  const submit = async (form: string, fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${service.url}${pathname}/${form}`, {
      ...{ method: 'POST', redirect: 'manual', headers: { cookie, ...headers } },
      body: new URLSearchParams(fields),
    });
    const set = answer.headers.get('set-cookie');
    if (set !== null) cookie = set.split(';')[0] ?? '';
    const html = await answer.text();
    return { status: answer.status, notice: noticeOf(answer.headers.get('location'), html), setCookie: set, html };
  };
  /** A form with files, as browsers send it. */
  const sendFiles = (fields: Record<string, string>, files: readonly Blob[]) => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ key: randomUUID(), ...fields })) body.append(name, value);
    for (const file of files) body.append('file', file, 'photo');
    const headers = { cookie };
    return fetch(`${service.url}${pathname}/act`, { ...{ method: 'POST', redirect: 'manual', headers, body } });
  };
  const upload = async (fields: Record<string, string>, files: readonly Blob[]) => {
    const answer = await sendFiles(fields, files);
    return noticeOf(answer.headers.get('location'), await answer.text());
  };
  const file = (id: string) => fetch(`${service.url}${pathname}/files/${id}`);
  return {
    get,
    submit,
    sendFiles,
    upload,
    file,
    key: () => randomUUID(),
    act: (act: string, fields: Record<string, string> = {}, key: string = randomUUID()) =>
      submit('act', { act, key, ...fields }),
    cookie: () => cookie,
    withCookie(value: string) {
      cookie = value;
    },
  };
}

/** One act of a party, after a code to its number. */
export async function actOnPage(
  service: TestService,
  { url, mobileNumber, act, fields, files = [] }: OnPage,
): Promise<void> {
  const visit = visitor(service, url);
  const messages = () => service.sandbox.messagesTo(mobileNumber);
  const before = (await messages()).length;
  expect(await visit.submit('code', { act })).toMatchObject({ notice: 'code_sent' });
  const otp = await eventually(async () => (await messages()).slice(before).findLast(({ code }) => code !== '')?.code);
  expect(await visit.submit('unlock', { act, otp })).toMatchObject({ notice: null });
  expect(await visit.upload({ act, ...fields }, files)).toMatch(/done|asked/);
}

/** Sends a picture as the buyer's evidence in a dispute. Returns its id. */
export async function sendEvidence(service: TestService, of: TestCompany, escrowId: string): Promise<string> {
  await switchOn(of);
  const path = `/v1/escrow/${escrowId}`;
  const { buyerUrl: url } = (await of.post(`${path}/order-pages`)).body;
  const { buyer } = (await of.get(path)).body;
  const { mobileNumber } = (await of.get(`/v1/identity/users/${buyer.id}`)).body;
  const files = [new Blob([new Uint8Array(png())])];
  await actOnPage(service, { url, mobileNumber, act: 'evidence', fields: { reason: 'The bags were wet.' }, files });
  const timeline: { details: { files?: { id: string }[] } }[] = (await of.get(`${path}/timeline`)).body;
  const [file] = timeline.flatMap(({ details }) => details.files ?? []);
  if (file === undefined) throw new Error('no file was sent');
  return file.id;
}

/** An escrow with pages, whose parties can be sent codes. */
export async function ordered(service: TestService, of: TestCompany, fields: Record<string, unknown> = {}) {
  const escrow = await beginEscrow(of, { externalReference: `order-${randomUUID().slice(0, 8)}`, ...fields });
  const made = await of.post(`${escrow.path}/order-pages`);
  expect(made.status).toBe(201);
  const person = (url: string, mobileNumber: string) => {
    const visit = visitor(service, url);
    return {
      ...visit,
      mobileNumber,
      async unlock(act: string) {
        expect(await visit.submit('code', { act })).toMatchObject({ status: 303, notice: 'code_sent' });
        const otp = await service.sandbox.codeFor(mobileNumber);
        expect(await visit.submit('unlock', { act, otp })).toMatchObject({ status: 303, notice: null });
      },
    };
  };
  return {
    ...escrow,
    urls: made.body as { buyerUrl: string; sellerUrl: string },
    buyerPage: person(made.body.buyerUrl, escrow.buyer.mobileNumber),
    sellerPage: person(made.body.sellerUrl, escrow.seller.mobileNumber),
  };
}
