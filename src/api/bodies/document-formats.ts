import { fileTypeFromBuffer } from 'file-type';
import { indexOfInTurns } from '../../turns/turns.ts';

/** The accepted file formats of identity documents, and the check that a file has exactly one of them. */

/** Media type → the extension of the file name in a download. */
export const DOCUMENT_TYPES = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/tiff': 'tiff',
  'image/bmp': 'bmp',
  'image/heic': 'heic',
  'image/heif': 'heif',
  'image/avif': 'avif',
  'application/pdf': 'pdf',
} as const;
export type DocumentType = keyof typeof DOCUMENT_TYPES;

/** The accepted formats in words, for messages. */
export const DOCUMENT_WORDS = 'a JPEG, PNG, WebP, GIF, TIFF, BMP, HEIC or AVIF image, or a PDF file';

function isDocumentType(mime: string): mime is DocumentType {
  return Object.hasOwn(DOCUMENT_TYPES, mime);
}

/**
 * Chunks, boxes, segments or frames of an image. A phone's photo of 48 tiles has some 200, a large PNG file some 1,300. Looking at more of them
 * would hold up other requests.
 */
export const MAX_IMAGE_PARTS = 10_000;

/** How files of the accepted formats begin, in Latin-1. */
const BEGINNINGS = /^(?:\xff\xd8\xff|\x89PNG|RIFF.{4}WEBP|GIF8|II[*+]\0|MM\0[*+]|BM|.{4}ftyp|%PDF)/s;
const BEGINNING_BYTES = 12;

/** The accepted format that the content has; undefined if it has none. The library searches files of some other formats as a whole. */
export async function formatOf(bytes: Buffer): Promise<DocumentType | undefined> {
  if (!BEGINNINGS.test(bytes.toString('latin1', 0, BEGINNING_BYTES))) return undefined;
  const found = await fileTypeFromBuffer(bytes);
  return found !== undefined && isDocumentType(found.mime) ? found.mime : undefined;
}

const TAIL_BYTES = 1_024;
const PNG_END = Buffer.from('0000000049454e44ae426082', 'hex');
const JPEG_END = Buffer.from('ffd9', 'hex');
const GIF_TRAILER = 0x3b;

/** Whether the file ends where its format says. Cameras append data to JPEG files, so those may continue. */
export async function isWhole(type: DocumentType, bytes: Buffer): Promise<boolean> {
  switch (type) {
    case 'image/png':
      return bytes.subarray(-PNG_END.length).equals(PNG_END);
    case 'image/webp': {
      const size = bytes.readUInt32LE(4) + 8;
      return size === bytes.length || size + 1 === bytes.length;
    }
    case 'image/jpeg':
      return (await indexOfInTurns(bytes, JPEG_END, 0)) !== -1;
    case 'image/gif':
      return bytes.at(-1) === GIF_TRAILER;
    case 'image/tiff':
      return isWholeTiff(bytes);
    case 'image/bmp':
      return bytes.length >= 6 && bytes.readUInt32LE(2) === bytes.length;
    case 'image/heic':
    case 'image/heif':
    case 'image/avif':
      return isWholeContainer(bytes);
    case 'application/pdf':
      return bytes.subarray(-TAIL_BYTES).includes('%%EOF');
  }
}

const TIFF_ENTRY_BYTES = 12;

/** Whether the first directory of a TIFF file is inside it. */
function isWholeTiff(bytes: Buffer): boolean {
  if (bytes.length < 10) return false;
  const isLittleEndian = bytes.subarray(0, 2).equals(Buffer.from('II'));
  const directory = isLittleEndian ? bytes.readUInt32LE(4) : bytes.readUInt32BE(4);
  if (directory < 8 || directory + 2 > bytes.length) return false;
  const entries = isLittleEndian ? bytes.readUInt16LE(directory) : bytes.readUInt16BE(directory);
  return entries > 0 && directory + 2 + entries * TIFF_ENTRY_BYTES <= bytes.length;
}

/** Whether the boxes of an ISO base media file (HEIC, AVIF) fill it exactly; ISO/IEC 14496-12. */
function isWholeContainer(bytes: Buffer): boolean {
  let at = 0;
  let hasMeta = false;
  for (let boxes = 0; at + 8 <= bytes.length; boxes += 1) {
    if (boxes === MAX_IMAGE_PARTS) return false;
    const type = bytes.toString('latin1', at + 4, at + 8);
    let size = bytes.readUInt32BE(at);
    if (size === 1) size = at + 16 <= bytes.length ? Number(bytes.readBigUInt64BE(at + 8)) : 0;
    else if (size === 0) size = bytes.length - at; // the box runs to the end of the file
    if (size < 8) return false;
    hasMeta ||= type === 'meta';
    at += size;
  }
  return hasMeta && at === bytes.length;
}

/** Readers accept these signatures anywhere within this many bytes of the start or the end. */
const HEAD_BYTES = 1_024;
const ZIP_TAIL_BYTES = 65_557;
const ZIP_END = Buffer.from('504b050600000000', 'hex');
const MARKUP = /<(!doctype|html|head|body|script|svg|iframe|\?php)/i;

/** Whether programs would also accept the file as another format: a web page, a PDF, or an archive, which may contain a program. */
export function isPolyglot(type: DocumentType, bytes: Buffer): boolean {
  const head = bytes.subarray(0, HEAD_BYTES).toString('latin1');
  if (MARKUP.test(head)) return true;
  if (type !== 'application/pdf' && head.includes('%PDF-')) return true;
  return bytes.subarray(-ZIP_TAIL_BYTES).includes(ZIP_END);
}
