import { type DocumentType, MAX_IMAGE_PARTS } from './document-formats.ts';

/** Blocks in the file. A GIF file of 10 MiB with as many frames as are allowed has some 70,000. */
const MAX_BLOCKS = 100_000;

/**
 * Whether an image has more than `MAX_IMAGE_PARTS` frames or pages, or more blocks than that many need. The decoder reads the heads of
 * all frames before it says how many there are, which takes a minute for a WebP file of 7 MB, and no timeout ends it.
 */
export function hasManyFrames(type: DocumentType, bytes: Buffer): boolean {
  let frames = 0;
  let blocks = 0;
  for (const isFrame of blocksOf(type, bytes)) {
    blocks += 1;
    if (isFrame) frames += 1;
    if (frames > MAX_IMAGE_PARTS || blocks > MAX_BLOCKS) return true;
  }
  return false;
}

/** The blocks of an image in their order: whether each begins a frame. */
function blocksOf(type: DocumentType, bytes: Buffer): Iterable<boolean> {
  switch (type) {
    case 'image/gif':
      return gifBlocks(bytes);
    case 'image/webp':
      return webpChunks(bytes);
    case 'image/tiff':
      return tiffPages(bytes);
    default:
      return [];
  }
}

const GIF_SCREEN_FLAGS = 10;
const GIF_HEAD_BYTES = 13;
const GIF_EXTENSION = 0x21;
const GIF_IMAGE = 0x2c;
const GIF_IMAGE_FLAGS = 9;
const GIF_IMAGE_BYTES = 10;

function* gifBlocks(bytes: Buffer): Iterable<boolean> {
  let at = GIF_HEAD_BYTES + colorTableBytes(bytes[GIF_SCREEN_FLAGS]);
  while (bytes[at] === GIF_EXTENSION || bytes[at] === GIF_IMAGE) {
    const isImage = bytes[at] === GIF_IMAGE;
    yield isImage;
    // The kind of an extension; the place and colors of an image, and the size of its codes.
    at += isImage ? GIF_IMAGE_BYTES + colorTableBytes(bytes[at + GIF_IMAGE_FLAGS]) + 1 : 2;
    for (let length = bytes[at]; length !== undefined; length = bytes[at]) {
      at += 1 + length;
      if (length === 0) break;
      yield false;
    }
  }
}

function colorTableBytes(flags = 0): number {
  return (flags & 0x80) === 0 ? 0 : 3 * (2 << (flags & 7));
}

const WEBP_HEAD_BYTES = 12;

/** Each frame is a chunk, and an animation has few others. Chunks are padded to an even length. */
function* webpChunks(bytes: Buffer): Iterable<boolean> {
  for (let at = WEBP_HEAD_BYTES; at + 8 <= bytes.length; at += 8 + 2 * Math.ceil(bytes.readUInt32LE(at + 4) / 2))
    yield true;
}

/** Each page is a directory that names the next one. Of large TIFF files (version 43) all numbers are larger. */
function* tiffPages(bytes: Buffer): Iterable<boolean> {
  const isLittleEndian = bytes.toString('latin1', 0, 2) === 'II';
  const isLarge = (isLittleEndian ? bytes[2] : bytes[3]) === 43;
  const number = (at: number, size: 2 | 4 | 8): number => {
    if (at + size > bytes.length) return 0;
    if (size === 8) return Number(isLittleEndian ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));
    return isLittleEndian ? bytes.readUIntLE(at, size) : bytes.readUIntBE(at, size);
  };
  const [countBytes, entryBytes, offsetBytes, first] = isLarge
    ? ([8, 20, 8, number(8, 8)] as const)
    : ([2, 12, 4, number(4, 4)] as const);
  for (let at = first; at > 0; at = number(at + countBytes + number(at, countBytes) * entryBytes, offsetBytes))
    yield true;
}
