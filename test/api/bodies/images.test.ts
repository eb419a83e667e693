import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp, { type Create, type Sharp } from 'sharp';
import { type DocumentType, formatOf, isWhole } from '../../../src/api/bodies/document-formats.ts';
import { hasManyFrames } from '../../../src/api/bodies/image-frames.ts';
import { hasMetadata } from '../../../src/api/bodies/image-metadata.ts';
import { withoutMetadata } from '../../../src/api/bodies/images.ts';
import { MAX_IMAGE_PIXELS } from '../../../src/api/limits.ts';
import type { CompanyId } from '../../../src/domain/ids.ts';
import { bmp, container, jpeg, pdf, png, webp } from '../../support/documents.ts';

/** The company that sends the images. */
const OWN = '01900000-0000-7000-8000-000000000001' as CompanyId;

/** A picture of 60 × 40: its upper left corner is red, the rest is blue. */
const corner = { create: { width: 20, height: 20, channels: 3, background: '#f00' } } as const;
const picture = (): Sharp =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: '#00f' } }).composite([
    { input: corner, left: 0, top: 0 },
  ]);
const PRIVATE = 'Tendai Moyo';
const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>${PRIVATE}</a></x:xmpmeta>`;
/** The metadata that a phone writes: position, owner and orientation. */
const taken = (image: Sharp, orientation = 6): Sharp =>
  image.withMetadata({ orientation }).withExifMerge({
    IFD0: { Artist: PRIVATE },
    IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '17/1 49/1 3/1', GPSLongitudeRef: 'E', GPSLongitude: '31/1 3/1 0/1' },
  });

const FORMATS: readonly (readonly [DocumentType, (image: Sharp) => Sharp])[] = [
  ['image/jpeg', (image) => image.jpeg()],
  ['image/png', (image) => image.png()],
  ['image/webp', (image) => image.webp()],
  ['image/tiff', (image) => image.withXmp(XMP).tiff()],
];

/** The picture with the profile of sRGB, its description replaced by a text. */
async function withProfileText(encode: (image: Sharp) => Sharp): Promise<Buffer> {
  const plain = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#000' } })
    .withIccProfile('srgb')
    .png()
    .toBuffer();
  const { icc = Buffer.alloc(0) } = await sharp(plain).metadata();
  const text = icc.indexOf('mluc') + 28;
  icc.write(PRIVATE, text, 'latin1');
  const directory = await mkdtemp(join(tmpdir(), 'profile-'));
  try {
    const file = join(directory, 'marked.icc');
    await writeFile(file, icc);
    return await encode(picture().withIccProfile(file)).toBuffer();
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** A black square as PNG with a palette of one colour: it is complete and tiny, and decodes to three bytes for each pixel. */
function blackPng(side: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0]); // one bit for each pixel, with a palette
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  const rows = deflateSync(Buffer.alloc((1 + Math.ceil(side / 8)) * side), { level: 9 });
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = [
    chunk('IHDR', header),
    chunk('PLTE', Buffer.alloc(3)),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([signature, ...chunks]);
}

const refusal = (type: DocumentType, bytes: Buffer) =>
  withoutMetadata(OWN, type, bytes).then(
    () => 'accepted',
    (error: { code?: string }) => error.code,
  );

describe('metadata of an image', () => {
  test.each(FORMATS)('%s: position and owner are gone, and the picture is upright', async (type, encode) => {
    const bytes = await encode(taken(picture())).toBuffer();
    expect(bytes.includes(PRIVATE)).toBe(true);
    const clean = await withoutMetadata(OWN, type, bytes);
    expect(clean.includes(PRIVATE)).toBe(false);
    const { exif, xmp, iptc, comments, orientation = 1, width, height } = await sharp(clean).metadata();
    expect({ exif, xmp, iptc, comments, orientation }).toEqual({ orientation: 1 });
    expect([width, height]).toEqual([40, 60]);
    const { data } = await sharp(clean)
      .extract({ left: 35, top: 5, width: 1, height: 1 })
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(data[0]).toBeGreaterThan(200); // the red corner is on the upper right now
    expect(data[2]).toBeLessThan(60);
  });

  test('text of a PNG and a comment of a JPEG are gone', async () => {
    const text = Buffer.concat([
      Buffer.from('0000001374455874', 'hex'),
      Buffer.from(`Author\0 ${PRIVATE}`),
      Buffer.alloc(4),
    ]);
    const comment = Buffer.concat([Buffer.from('fffe000d', 'hex'), Buffer.from(PRIVATE)]);
    for (const [type, bytes] of [
      ['image/png', Buffer.concat([png().subarray(0, 33), text, png().subarray(33)])],
      ['image/jpeg', Buffer.concat([jpeg().subarray(0, 2), comment, jpeg().subarray(2)])],
      ['image/jpeg', Buffer.concat([jpeg(), Buffer.from(PRIVATE)])],
    ] as const) {
      expect(bytes.includes(PRIVATE)).toBe(true);
      expect((await withoutMetadata(OWN, type, bytes)).includes(PRIVATE)).toBe(false);
    }
  });

  test.each<[DocumentType, Buffer]>([
    ['image/jpeg', jpeg()],
    ['image/png', png()],
    ['image/webp', webp()],
  ])('%s without metadata is kept byte for byte', async (type, bytes) => {
    expect(await withoutMetadata(OWN, type, bytes)).toBe(bytes);
  });

  test.each<[DocumentType, Buffer]>([
    ['application/pdf', pdf()],
    ['image/bmp', bmp()],
    ['image/heic', container('heic')],
    ['image/avif', container('avif')],
  ])('%s is stored unchanged', async (type, bytes) => {
    expect(await withoutMetadata(OWN, type, bytes)).toEqual(bytes);
  });

  test.each(FORMATS)('%s: a text in the color profile is gone, and the colors stay', async (type, encode) => {
    const bytes = await withProfileText(encode);
    const profile = (await sharp(bytes).metadata()).icc;
    expect(profile?.includes(PRIVATE)).toBe(true);
    const clean = await withoutMetadata(OWN, type, bytes);
    expect((await sharp(clean).metadata()).icc).toBeUndefined();
    expect(clean.includes(PRIVATE)).toBe(false);
    const { channels } = await sharp(clean).removeAlpha().stats();
    const [red = 0, , blue = 0] = channels.map(({ mean }) => mean);
    expect([Math.round(red / 10), Math.round(blue / 10)]).toEqual([4, 21]); // one pixel in six is red, the others are blue
  });

  test('a JPEG with a preview in its JFIF segment is encoded again', async () => {
    const preview = Buffer.from(PRIVATE.padEnd(12));
    const head = Buffer.from('ffe0001c4a464946000101000001000102020000', 'hex');
    head.writeUInt8(2, 18);
    head.writeUInt8(2, 19);
    head.writeUInt16BE(16 + preview.length, 2);
    const bytes = Buffer.concat([
      jpeg().subarray(0, 2),
      head.subarray(0, 18),
      Buffer.from([2, 2]),
      preview,
      jpeg().subarray(2),
    ]);
    expect((await withoutMetadata(OWN, 'image/jpeg', bytes)).includes(PRIVATE)).toBe(false);
  });

  test('all pages of a scan and all frames of an animation stay', async () => {
    const page = (background: string): Create => ({ width: 3, height: 2, channels: 3, background });
    const book = async () => {
      const inputs = ['#f00', '#00f'].map((background) =>
        sharp({ create: page(background) })
          .png()
          .toBuffer(),
      );
      return sharp(await Promise.all(inputs), { join: { animated: true } });
    };
    for (const [type, bytes] of [
      ['image/tiff', await (await book()).tiff().toBuffer()],
      ['image/gif', await (await book()).gif().toBuffer()],
      [
        'image/webp',
        await (await book())
          .withExif({ IFD0: { Artist: PRIVATE } })
          .webp()
          .toBuffer(),
      ],
    ] as const) {
      const clean = await withoutMetadata(OWN, type, bytes);
      expect([type, (await sharp(clean).metadata()).pages]).toEqual([type, 2]);
      expect(clean.includes(PRIVATE)).toBe(false);
    }
  });
});

describe('metadata of an AVIF image', () => {
  const avif = (profile = 'srgb') =>
    taken(picture().ensureAlpha(0.5), 1).withXmp(XMP).withIccProfile(profile).avif({ lossless: true }).toBuffer();
  // The service does not decode AVIF images; this test does.
  beforeAll(() => sharp.unblock({ operation: ['VipsForeignLoadHeifBuffer'] }));
  afterAll(() => sharp.block({ operation: ['VipsForeignLoadHeif'] }));

  test('position, owner, XMP and profile are gone, and the pixels and their places in the file stay', async () => {
    const bytes = await avif();
    const before = await sharp(bytes).metadata();
    expect([before.exif, before.icc].every(Buffer.isBuffer)).toBe(true);
    expect(bytes.includes(PRIVATE)).toBe(true);
    const clean = await withoutMetadata(OWN, 'image/avif', Buffer.from(bytes));
    const { exif, xmp, icc, width, height, hasAlpha } = await sharp(clean).metadata();
    expect({ exif, xmp, icc, width, height, hasAlpha }).toEqual({ width: 60, height: 40, hasAlpha: true });
    for (const text of [PRIVATE, 'Exif', 'GPS', 'rdf', 'xmpmeta'])
      expect([text, clean.includes(text)]).toEqual([text, false]);
    const exifTag = Buffer.from([0x25, 0x88]); // GPS
    expect([bytes.includes(exifTag), clean.includes(exifTag)]).toEqual([true, false]);
    const pixelsOf = (image: Buffer) => sharp(image).raw().toBuffer();
    expect((await pixelsOf(clean)).equals(await pixelsOf(bytes))).toBe(true);
    expect(clean.length).toBe(bytes.length);
    expect(await withoutMetadata(OWN, 'image/avif', Buffer.from(clean))).toEqual(clean);
  });

  test('boxes outside the image, a name, and bytes that nothing refers to are erased', async () => {
    const bytes = await avif();
    const box = (type: string) =>
      Buffer.concat([Buffer.from([0, 0, 0, 8 + PRIVATE.length]), Buffer.from(type + PRIVATE)]);
    const extended = Buffer.concat([bytes, box('uuid'), box('free'), box('mdat'), box('skip')]);
    const clean = await withoutMetadata(OWN, 'image/avif', extended);
    expect(clean.includes(PRIVATE)).toBe(false);
    expect((await sharp(clean).metadata()).width).toBe(60);
  });

  test('a HEIC image is cleaned in the same way: its container is the same', async () => {
    const bytes = await avif();
    for (let at = bytes.indexOf('av01'); at !== -1; at = bytes.indexOf('av01', at + 1)) bytes.write('hvc1', at);
    bytes.write('heic', 8);
    const clean = await withoutMetadata(OWN, 'image/heic', Buffer.from(bytes));
    expect([bytes.includes(PRIVATE), clean.includes(PRIVATE)]).toEqual([true, false]);
    const start = bytes.indexOf('hvc1');
    expect(clean.toString('latin1', start, start + 4)).toBe('hvc1');
  });

  test('a damaged container, one of too many parts, and a sequence are refused', async () => {
    const bytes = await avif();
    const changed = (change: (copy: Buffer) => void) => {
      const copy = Buffer.from(bytes);
      change(copy);
      return copy;
    };
    const iloc = bytes.indexOf('iloc');
    const endless = changed((copy) => {
      copy.writeUInt16BE(0, iloc + 8); // numbers of no bytes
      copy.fill(0xff, iloc + 10, iloc + 84);
    });
    const files = {
      endless,
      sequence: changed((copy) => copy.write('moov', bytes.indexOf('mdat'))),
      noTypes: changed((copy) => copy.writeUInt8(0, bytes.indexOf('infe') + 4)),
      tooLong: changed((copy) => copy.writeUInt32BE(1_000, iloc - 4)),
      boxes: Buffer.concat([bytes, Buffer.alloc(8 * 10_001, Buffer.from('0000000866726565', 'hex'))]),
    };
    for (const [name, file] of Object.entries(files))
      expect([name, await refusal('image/avif', file)]).toEqual([name, 'unsupported_media_type']);
  });
});

describe('an image is refused', () => {
  test('if it is under a megabyte and decodes to gigabytes', async () => {
    const side = 15_000;
    const bomb = blackPng(side);
    expect(side * side).toBeGreaterThan(MAX_IMAGE_PIXELS);
    expect(bomb.length).toBeLessThan(1_048_576);
    const { data, info } = await sharp(blackPng(64)).raw().toBuffer({ resolveWithObject: true });
    expect([info.channels, data.length]).toEqual([3, 3 * 64 * 64]); // the same at a harmless size
    const rss = process.memoryUsage().rss;
    expect(await refusal('image/png', bomb)).toBe('payload_too_large');
    expect(process.memoryUsage().rss - rss).toBeLessThan(100 * 1_048_576);
  });

  test.each(FORMATS)('if its end is missing: %s', async (type, encode) => {
    for (const image of [picture(), taken(picture())]) {
      const bytes = await encode(image).toBuffer();
      expect(await refusal(type, bytes.subarray(0, Math.floor(bytes.length * 0.6)))).toBe('unsupported_media_type');
    }
  });

  test('if its header states a size that its content does not have', async () => {
    const lying = png();
    lying.writeUInt32BE(4_000, 16);
    expect(await refusal('image/png', lying)).toBe('unsupported_media_type');
  });
});

describe('a file of more parts than a picture has', () => {
  const times = (head: string, part: string, count: number) => {
    const repeatedPart = Buffer.from(part, 'hex');
    return Buffer.concat([Buffer.from(head, 'hex'), Buffer.alloc(repeatedPart.length * count, repeatedPart)]);
  };
  const repeated = (head: string, part: string) => times(head, part, Math.floor(9_000_000 / (part.length / 2)));
  /** Processor time of the fastest of three trials: the first one also compiles, and a collection of garbage may fall into any. */
  const usedMs = async (work: () => unknown, wanted: unknown) => {
    const trials: number[] = [];
    while (trials.length < 3) {
      const before = process.threadCpuUsage();
      expect(await work()).toBe(wanted);
      const { user, system } = process.threadCpuUsage(before);
      trials.push((user + system) / 1_000);
    }
    return Math.min(...trials);
  };

  test.each<[DocumentType, string, Buffer]>([
    ['image/png', 'chunks', repeated('89504e470d0a1a0a', '0000000067414d4100000000')],
    ['image/webp', 'chunks', repeated('524946460000000057454250', '414c504800000000')],
    ['image/jpeg', 'stuffed bytes', repeated('ffd8ffda000c030100020003003f00', 'ff00')],
    ['image/jpeg', 'scans', repeated('ffd8', 'ffda0002ff00ff00')],
    ['image/jpeg', 'segments', repeated('ffd8', 'ffdb0002')],
    ['image/jpeg', 'fill bytes', repeated('ffd8', 'ff')],
  ])('%s: %s count as metadata, and are not all looked at', async (type, _what, file) => {
    expect(await usedMs(() => hasMetadata(type, file), true)).toBeLessThan(20);
  });

  const GIF_HEAD = '47494638396101000100800000000000ffffff';
  const GIF_FRAME = '21f90400010000002c0000000001000100000202440100';
  const gifOf = (frames: number) => Buffer.concat([times(GIF_HEAD, GIF_FRAME, frames), Buffer.from(';')]);
  const webpOf = (frames: number) => {
    const data = `00000000000000000000000028000000${webp().toString('hex', 12)}`;
    const head = '524946460000000057454250565038580a00000002000000010000000000414e494d06000000000000000000';
    const file = times(head, `414e4d46${(data.length / 2).toString(16)}000000${data}`, frames);
    file.writeUInt32LE(file.length - 8, 4);
    return file;
  };
  const tiffOf = (pages: number) => {
    const file = times('49492a0008000000', '000000000000', pages);
    for (let page = 1; page < pages; page += 1) file.writeUInt32LE(8 + page * 6, 4 + page * 6);
    return file;
  };

  test.each<[DocumentType, (frames: number) => Buffer]>([
    ['image/gif', gifOf],
    ['image/webp', webpOf],
    ['image/tiff', tiffOf],
  ])('%s: more than 10,000 frames are refused before they are decoded', async (type, fileOf) => {
    expect(hasManyFrames(type, fileOf(9_990))).toBe(false);
    expect(await usedMs(() => refusal(type, fileOf(10_001)), 'payload_too_large')).toBeLessThan(20);
  });

  test('an animation of 10,000 frames is accepted', async () => {
    expect(await refusal('image/gif', gifOf(10_000))).toBe('accepted');
  });

  test.each<[DocumentType, string, Buffer]>([
    ['image/gif', 'parts of a comment', repeated(`${GIF_HEAD}21fe`, '0100')],
    ['image/gif', 'extensions', repeated(GIF_HEAD, '21fe00')],
    ['image/webp', 'chunks', repeated('524946460000000057454250', '414c504800000000')],
    ['image/tiff', 'pages in a circle', repeated('49492a0008000000', '000008000000')],
  ])('%s: %s are not all looked at for frames', async (type, _what, file) => {
    expect(await usedMs(() => hasManyFrames(type, file), true)).toBeLessThan(20);
  });

  test('an archive whose entry has no length is not searched for its end', async () => {
    const file = repeated('504b030414000800080000000000000000000000000000000000010000006100', '504b07');
    expect(await usedMs(() => formatOf(file), undefined)).toBeLessThan(20);
  });

  test('image/jpeg: the end is looked for in turns', async () => {
    const file = repeated('ffd8', 'ff');
    let turns = 0;
    const turn = () => {
      turns += 1;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    expect(await isWhole('image/jpeg', file)).toBe(false);
    clearImmediate(next);
    expect(turns).toBeGreaterThan(3);
  });

  test('image/heic: boxes are refused, and are not all looked at', async () => {
    const file = repeated('00000018667479706865696300000000686569630000000000', '0000000866726565');
    expect(await usedMs(() => isWhole('image/heic', file), false)).toBeLessThan(20);
  });
});

test('an image of a company waits for one image of another, not for all of them', async () => {
  const order: string[] = [];
  const image = await picture().png().toBuffer();
  const clean = async (company: string) => {
    await withoutMetadata(company as CompanyId, 'image/png', image);
    order.push(company);
  };
  await Promise.all(['loud', 'loud', 'loud', 'quiet'].map(clean));
  expect(order).toEqual(['loud', 'quiet', 'loud', 'loud']);
});
