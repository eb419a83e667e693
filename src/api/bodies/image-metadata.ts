import { type DocumentType, MAX_IMAGE_PARTS } from './document-formats.ts';

/**
 * Whether an image holds anything besides its pixels and the way to show them: EXIF with position and camera, XMP, color profiles,
 * which have texts, comments, previews, data behind the end. Segments and chunks that are not known to be harmless count as metadata, and so does an image with too
 * many of them.
 */
export function hasMetadata(type: DocumentType, bytes: Buffer): boolean {
  switch (type) {
    case 'image/jpeg':
      return hasJpegMetadata(bytes);
    case 'image/png':
      return hasOtherChunks(pngChunks(bytes), PNG_CHUNKS);
    case 'image/webp':
      return hasOtherChunks(webpChunks(bytes), WEBP_CHUNKS);
    default:
      return true;
  }
}

const PNG_CHUNKS = 'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB sBIT pHYs bKGD hIST cICP mDCV cLLI acTL fcTL fdAT'.split(
  ' ',
);
const WEBP_CHUNKS = ['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF'];

function hasOtherChunks(chunks: Iterable<string>, known: readonly string[]): boolean {
  let seen = 0;
  for (const name of chunks) {
    seen += 1;
    if (seen > MAX_IMAGE_PARTS || !known.includes(name)) return true;
  }
  return false;
}

function* pngChunks(bytes: Buffer): Iterable<string> {
  for (let at = 8; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at))
    yield bytes.toString('latin1', at + 4, at + 8);
}

/** Chunks are padded to an even length. */
function* webpChunks(bytes: Buffer): Iterable<string> {
  for (let at = 12; at + 8 <= bytes.length; at += 8 + 2 * Math.ceil(bytes.readUInt32LE(at + 4) / 2))
    yield bytes.toString('latin1', at, at + 4);
}

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const COMMENT = 0xfe;
/**
 * The application segments that decoders need: their beginnings and whole lengths. A longer one has a preview or more behind them.
 */
const JPEG_SEGMENTS: Readonly<Record<number, { readonly begins: string; readonly length: number }>> = {
  224: { begins: 'JFIF\0', length: 16 },
  238: { begins: 'Adobe', length: 14 },
};

/** Segments, fill bytes and stuffed bytes: every 256th byte of coded pixels is 0xff, more or less. */
const MAX_JPEG_STEPS = 200_000;

function hasJpegMetadata(bytes: Buffer): boolean {
  let at = 2;
  let isScan = false;
  for (let steps = 0; steps < MAX_JPEG_STEPS; steps += 1) {
    if (isScan) at = bytes.indexOf(0xff, at);
    if (at === -1 || at + 2 > bytes.length || bytes[at] !== 0xff) return true;
    const marker = bytes[at + 1] ?? 0;
    if (isScan && isOfScan(marker)) {
      at += 2;
      continue;
    }
    isScan = false;
    if (marker === END_OF_IMAGE) return at + 2 !== bytes.length;
    if (marker === 0xff) {
      at += 1; // fill byte
      continue;
    }
    if (at + 4 > bytes.length) return true;
    if (marker === COMMENT) return true;
    if (marker >= 0xe0 && marker <= 0xef) {
      const known = JPEG_SEGMENTS[marker];
      if (known === undefined || bytes.readUInt16BE(at + 2) !== known.length) return true;
      if (bytes.toString('latin1', at + 4, at + 4 + known.begins.length) !== known.begins) return true;
    }
    at += 2 + bytes.readUInt16BE(at + 2);
    isScan = marker === START_OF_SCAN;
  }
  return true;
}

/** In coded pixels 0xff is followed by a zero or by a restart marker. */
function isOfScan(marker: number): boolean {
  return marker === 0 || (marker >= 0xd0 && marker <= 0xd7);
}
