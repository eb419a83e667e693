import { bare, sql } from './api.ts';
import { done, type TestCompany, type TestService, untilAnswered } from './service.ts';

/** The smallest files of each kind, and ways to send and count them. */

const PNG_BASE64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const png = (): Buffer => Buffer.from(PNG_BASE64, 'base64');

const JPEG_BASE64 =
  '/9j/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhC' +
  'Y2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAABAAIDASIAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAA' +
  'AP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAUAQEAAAAAAAAAAAAAAAAAAAAF/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AADxb/9k=';

/** Two pixels, without metadata. */
export const jpeg = (): Buffer => Buffer.from(JPEG_BASE64, 'base64');

export function webp(): Buffer {
  const pixels = Buffer.from('5650384c0d0000002f00000010071011118888fe0700', 'hex');
  const head = Buffer.alloc(8, 'RIFF');
  head.writeUInt32LE(pixels.length + 4, 4);
  return Buffer.concat([head, Buffer.from('WEBP'), pixels]);
}

export const gif = (): Buffer => Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');

const TIFF_BASE64 =
  'SUkqAA4AAABEqkREqkQPAAABAwABAAAAAgAAAAEBAwABAAAAAQAAAAIBAwADAAAA2AAAAAMBAwABAAAAAQAAAAYBAwABAAAAAgAAABEBBAABAAAACAAAABIB' +
  'AwABAAAAAQAAABUBAwABAAAAAwAAABYBAwABAAAAAAEAABcBBAABAAAABgAAABoBBQABAAAAyAAAABsBBQABAAAA0AAAABwBAwABAAAAAQAAACgBAwABAAAA' +
  'AgAAAFMBAwADAAAA3gAAAAAAAAAzM8sAAAAIADMzywAAAAgACAAIAAgAAQABAAEA';

/** Two pixels. */
export const tiff = (): Buffer => Buffer.from(TIFF_BASE64, 'base64');

/** A BMP file of exactly this many bytes. It is stored without decoding. */
export function bmp(totalBytes = 58): Buffer {
  const bytes = Buffer.alloc(totalBytes);
  bytes.write('BM');
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  return bytes;
}

/** An ISO base media file of this brand: `heic`, `mif1` or `avif`. */
export function container(brand: string): Buffer {
  const box = (type: string, content: Buffer) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + content.length);
    head.write(type, 4);
    return Buffer.concat([head, content]);
  };
  return Buffer.concat([box('ftyp', Buffer.from(`${brand}\0\0\0\0mif1`)), box('meta', Buffer.alloc(4))]);
}

export const pdf = (text = 'A page'): Buffer =>
  Buffer.from(`%PDF-1.4\n1 0 obj\n<< /Title (${text}) >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n`);

/** A form with one document, with the file name and type that the client chooses. */
export function documentForm(content: Uint8Array, name = 'passport.png', type = 'application/octet-stream'): FormData {
  const form = new FormData();
  form.append('document', new Blob([new Uint8Array(content)], { type }), name);
  return form;
}

/** Sends an identity document of the user. */
export async function sendDocument(company: TestCompany, userId: string): Promise<void> {
  const form = documentForm(png());
  await done(untilAnswered(() => company.request('POST', `/v1/identity/users/${userId}/document`, { form })));
}

/** Deletes the user's document, as the retention does. */
export async function deleteDocument(service: TestService, userId: string): Promise<void> {
  await sql(service, 'update app_user set document_id = null where id = $1', [bare(userId)]);
}

/** The user's document, as the API returns it. */
export async function download(service: TestService, headers: Record<string, string>, userId: string) {
  const response = await fetch(`${service.url}/v1/identity/users/${userId}/document`, { headers });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** The number of the company's documents and of their chunks. */
export async function storedOf(service: TestService, companyId: string) {
  const [row] = await sql(
    service,
    `select (select count(*)::integer from document where company_id = $1) as documents,
       (select count(*)::integer from document_chunk where company_id = $1) as chunks`,
    [bare(companyId)],
  );
  return row;
}
