import { describe, expect, test } from '@jest/globals';
import sharp, { type Create, type Sharp } from 'sharp';
import type { DocumentType } from '../../../src/api/bodies/document-formats.ts';
import { withoutMetadata } from '../../../src/api/bodies/images.ts';
import { MAX_IMAGE_PIXELS } from '../../../src/api/limits.ts';
import { container, jpeg, pdf, png, webp } from '../../support/documents.ts';

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

const refusal = (type: DocumentType, bytes: Buffer) =>
  withoutMetadata(type, bytes).then(
    () => 'accepted',
    (error: { code?: string }) => error.code,
  );

describe('metadata of an image', () => {
  test.each(FORMATS)('%s: position and owner are gone, and the picture is upright', async (type, encode) => {
    const bytes = await encode(taken(picture())).toBuffer();
    expect(bytes.includes(PRIVATE)).toBe(true);
    const clean = await withoutMetadata(type, bytes);
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
      expect((await withoutMetadata(type, bytes)).includes(PRIVATE)).toBe(false);
    }
  });

  test.each<[DocumentType, Buffer]>([
    ['image/jpeg', jpeg()],
    ['image/png', png()],
    ['image/webp', webp()],
  ])('%s without metadata is kept byte for byte', async (type, bytes) => {
    expect(await withoutMetadata(type, bytes)).toBe(bytes);
  });

  test.each<[DocumentType, Buffer]>([
    ['application/pdf', pdf()],
    ['image/heic', container('heic')],
    ['image/avif', container('avif')],
  ])('%s is stored unchanged', async (type, bytes) => {
    expect(await withoutMetadata(type, bytes)).toBe(bytes);
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
      const clean = await withoutMetadata(type, bytes);
      expect([type, (await sharp(clean).metadata()).pages]).toEqual([type, 2]);
      expect(clean.includes(PRIVATE)).toBe(false);
    }
  });
});

describe('an image is refused', () => {
  test('if it is under a megabyte and decodes to gigabytes', async () => {
    const background = '#fff';
    const side = 15_000;
    const bomb = await sharp({ create: { width: side, height: side, channels: 3, background } })
      .png({ compressionLevel: 9 })
      .toBuffer();
    expect(side * side).toBeGreaterThan(MAX_IMAGE_PIXELS);
    expect(bomb.length).toBeLessThan(1_048_576);
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
