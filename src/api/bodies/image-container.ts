import { MAX_IMAGE_PARTS } from './document-formats.ts';

/**
 * Erases metadata in HEIC and AVIF files, which are ISO base media files (ISO/IEC 14496-12 and 23008-12). Everything but coded
 * pixels and the way to show them becomes zeros. No byte moves, so the offsets in the file stay right, and nothing is decoded.
 */

type Span = { readonly start: number; readonly end: number };
/** A box: `start` and `end` are those of its content. */
type Box = Span & { readonly type: string; readonly typeAt: number };
type Item = { readonly id: number; readonly type: string; readonly typeAt: number; readonly end: number };

/** Coded images, and images that are made of others. */
const IMAGE_ITEMS = ['av01', 'hvc1', 'lhv1', 'avc1', 'grid', 'iovl', 'iden', 'tmap'];
const KEPT_PROPERTIES = 'ispe pixi av1C hvcC lhvC avcC auxC irot imir clap pasp a1op a1lx lsel clli mdcv cclv'.split(
  ' ',
);
const KEPT_IN_META = ['hdlr', 'pitm', 'iinf', 'iloc', 'iref', 'iprp', 'idat'];
const KEPT_AT_THE_TOP = ['ftyp', 'meta', 'mdat'];
/** The type of an erased box or item. Readers skip boxes of this type. */
const SKIPPED = 'free';
const FULL_BOX_HEAD_BYTES = 4;
/** Version, handler type and reserved bytes. The name follows. */
const HANDLER_NAME_OFFSET = 24;

/**
 * Erases in the bytes: EXIF, XMP, color profiles, thumbnails, names, and bytes that no image refers to. Throws a
 * RangeError if the structure is damaged, has more than `MAX_IMAGE_PARTS` parts of a kind, or is one that the function does not know:
 * a sequence of images, or items without types.
 */
export function eraseContainerMetadata(bytes: Buffer): void {
  const top = boxesIn(bytes, { start: 0, end: bytes.length });
  if (top.some(({ type }) => type === 'moov')) throw new RangeError('a sequence of images');
  const [meta, ...others] = top.filter(({ type }) => type === 'meta');
  if (meta === undefined || others.length > 0) throw new RangeError('not one meta box');
  const parts = boxesIn(bytes, { start: meta.start + FULL_BOX_HEAD_BYTES, end: meta.end });
  const partsOf = (type: string) => parts.filter((part) => part.type === type);

  const items = partsOf('iinf').flatMap((part) => itemsIn(bytes, part));
  const thumbnails = new Set(partsOf('iref').flatMap((part) => thumbnailsIn(bytes, part)));
  const isImage = ({ id, type }: Item) => IMAGE_ITEMS.includes(type) && !thumbnails.has(id);
  const imageIds = new Set(items.filter(isImage).map(({ id }) => id));
  const idat = partsOf('idat')[0];
  const kept = partsOf('iloc').flatMap((part) => extentsIn(bytes, part, imageIds, idat?.start));

  for (const box of top) if (!KEPT_AT_THE_TOP.includes(box.type)) eraseBox(bytes, box);
  for (const box of parts) if (!KEPT_IN_META.includes(box.type)) eraseBox(bytes, box);
  for (const box of top) if (box.type === 'mdat') eraseBetween(bytes, box, kept);
  if (idat !== undefined) eraseBetween(bytes, idat, kept);
  for (const { start, end } of partsOf('hdlr')) bytes.fill(0, Math.min(start + HANDLER_NAME_OFFSET, end), end);
  for (const item of items) {
    if (!isImage(item)) bytes.write(SKIPPED, item.typeAt, 'latin1');
    bytes.fill(0, item.typeAt + 4, item.end);
  }
  for (const part of partsOf('iprp'))
    for (const container of boxesIn(bytes, part).filter(({ type }) => type === 'ipco'))
      for (const property of boxesIn(bytes, container)) if (!isKeptProperty(bytes, property)) eraseBox(bytes, property);
}

function boxesIn(bytes: Buffer, { start, end }: Span): Box[] {
  const boxes: Box[] = [];
  for (let at = start; at < end; ) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    const size = bytes.readUInt32BE(at);
    const head = size === 1 ? 16 : 8;
    const next = size === 0 ? end : at + (size === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : size);
    if (next < at + head || next > end) throw new RangeError(`the box ${type} does not fit`);
    boxes.push({ type, typeAt: at + 4, start: at + head, end: next });
    if (boxes.length > MAX_IMAGE_PARTS) throw new RangeError('too many boxes');
    at = next;
  }
  return boxes;
}

/** The entries of `iinf`. */
function itemsIn(bytes: Buffer, { start, end }: Span): Item[] {
  const entries = start + FULL_BOX_HEAD_BYTES + (bytes.readUInt8(start) === 0 ? 2 : 4);
  return boxesIn(bytes, { start: entries, end }).map((entry) => {
    const version = bytes.readUInt8(entry.start);
    if (entry.type !== 'infe' || version < 2) throw new RangeError('an item without a type');
    const idAt = entry.start + FULL_BOX_HEAD_BYTES;
    const typeAt = idAt + (version === 2 ? 4 : 6);
    if (typeAt + 4 > entry.end) throw new RangeError('an item is too short');
    const id = version === 2 ? bytes.readUInt16BE(idAt) : bytes.readUInt32BE(idAt);
    return { id, type: bytes.toString('latin1', typeAt, typeAt + 4), typeAt, end: entry.end };
  });
}

/** The items that `iref` calls thumbnails of others. */
function thumbnailsIn(bytes: Buffer, { start, end }: Span): number[] {
  const isShort = bytes.readUInt8(start) === 0;
  return boxesIn(bytes, { start: start + FULL_BOX_HEAD_BYTES, end })
    .filter(({ type }) => type === 'thmb')
    .map((reference) => (isShort ? bytes.readUInt16BE(reference.start) : bytes.readUInt32BE(reference.start)));
}

/** Where the file has the bytes of these items, by `iloc`. `idatStart` is where the content of `idat` begins. */
function extentsIn(bytes: Buffer, box: Span, ids: ReadonlySet<number>, idatStart: number | undefined): Span[] {
  const version = bytes.readUInt8(box.start);
  let at = box.start + FULL_BOX_HEAD_BYTES;
  const read = (size: number) => {
    if (at + size > box.end) throw new RangeError('iloc is too short');
    at += size;
    if (size === 0) return 0;
    return size === 8 ? Number(bytes.readBigUInt64BE(at - 8)) : bytes.readUIntBE(at - size, size);
  };
  const [sizes, moreSizes] = [read(1), read(1)];
  const [offsetSize, lengthSize, baseSize, indexSize] = [sizes >> 4, sizes & 15, moreSizes >> 4, moreSizes & 15];
  if ([offsetSize, lengthSize, baseSize, indexSize].some((size) => ![0, 4, 8].includes(size)))
    throw new RangeError('iloc has numbers of an unknown size');
  const extents: Span[] = [];
  let seen = 0;
  for (let left = read(version < 2 ? 2 : 4); left > 0; left -= 1) {
    const isKept = ids.has(read(version < 2 ? 2 : 4));
    const method = version === 0 ? 0 : read(2) & 15;
    read(2); // the data reference
    const base = read(baseSize) + (method === 1 ? (idatStart ?? 0) : 0);
    if (isKept && (method > 1 || (method === 1 && idatStart === undefined)))
      throw new RangeError('an item lies in another one');
    for (let count = read(2); count > 0; count -= 1) {
      seen += 1;
      if (seen > MAX_IMAGE_PARTS) throw new RangeError('too many extents');
      if (version > 0) read(indexSize);
      const start = base + read(offsetSize);
      const length = read(lengthSize);
      if (isKept) extents.push({ start, end: length === 0 ? bytes.length : start + length });
    }
  }
  return extents.toSorted((one, other) => one.start - other.start);
}

/** A color profile is text too; the other kind of `colr` is four numbers. */
function isKeptProperty(bytes: Buffer, { type, start }: Box): boolean {
  return KEPT_PROPERTIES.includes(type) || (type === 'colr' && bytes.toString('latin1', start, start + 4) === 'nclx');
}

function eraseBox(bytes: Buffer, { typeAt, start, end }: Box): void {
  bytes.write(SKIPPED, typeAt, 'latin1');
  bytes.fill(0, start, end);
}

/** Erases the bytes of `box` outside `kept`, which is sorted by its starts. */
function eraseBetween(bytes: Buffer, box: Span, kept: readonly Span[]): void {
  let from = box.start;
  for (const { start, end } of kept) {
    if (start > from) bytes.fill(0, from, Math.min(start, box.end));
    from = Math.max(from, Math.min(end, box.end));
  }
  bytes.fill(0, from, box.end);
}
