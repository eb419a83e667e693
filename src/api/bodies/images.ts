import sharp, { type Sharp } from 'sharp';
import { Refusal } from '../../domain/errors.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { MAX_IMAGE_PIXELS } from '../limits.ts';
import { Turnstile } from '../middleware/turnstile.ts';
import { type DocumentType, MAX_IMAGE_PARTS } from './document-formats.ts';
import { eraseContainerMetadata } from './image-container.ts';
import { hasManyFrames } from './image-frames.ts';
import { hasMetadata } from './image-metadata.ts';

/** Checks images by decoding them, and removes metadata. docs/adr/0020 says which formats, and why not the others. */

/** How long an image may take to decode and encode. */
const TIMEOUT_SECONDS = 10;
/** How long an image waits for the images before it. */
const MAX_WAIT_MS = 10_000;
const PHOTO_QUALITY = 95;
/** Decoding to a small picture reads the whole file and keeps little of it in memory. */
const SAMPLE = { width: 16, height: 16, fit: 'fill' } as const;

/** Formats whose metadata is erased in place. */
const CONTAINERS: readonly DocumentType[] = ['image/heic', 'image/heif', 'image/avif'];

/** Format → how it is encoded again. */
const ENCODERS: { readonly [Type in DocumentType]?: (image: Sharp) => Sharp } = {
  'image/jpeg': (image) => image.jpeg({ quality: PHOTO_QUALITY }),
  'image/png': (image) => image.png(),
  'image/webp': (image) => image.webp({ quality: PHOTO_QUALITY }),
  'image/gif': (image) => image.gif(),
  'image/tiff': (image) => image.tiff({ compression: 'lzw' }),
};

// Only the decoders of these formats. The library has others, for SVG for example.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff'].map((format) => `VipsForeignLoad${format}Buffer`),
});
sharp.cache(false);
sharp.concurrency(1);

/** One image at a time, because an image takes a core and up to some 300 MB. */
const turnstile = new Turnstile(1);
/** The images of a company wait for each other, so another company waits for one of them at most. */
const companies = new Turnstile(1);

function inTurn<T>(companyId: CompanyId, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + MAX_WAIT_MS;
  return companies.pass(companyId, deadline, () => turnstile.pass('image', deadline, work));
}

/**
 * The image without metadata. An image that has none is returned as it is; another one is encoded again, turned the way its
 * metadata says, with its colors in sRGB. In HEIC and AVIF files metadata is erased in place. BMP and PDF files are returned as
 * they are. Throws `payload_too_large` for too many pixels or frames, `unsupported_media_type` if it cannot be decoded, and
 * `too_many_requests` if other images take too long.
 */
export async function withoutMetadata(companyId: CompanyId, type: DocumentType, bytes: Buffer): Promise<Buffer> {
  if (CONTAINERS.includes(type))
    return attempt(async () => {
      eraseContainerMetadata(bytes);
      return bytes;
    });
  const encode = ENCODERS[type];
  if (encode === undefined) return bytes;
  refuseManyFrames(type, bytes);
  return inTurn(companyId, async () => {
    const isAllowed = await attempt(async () => {
      const { width, height, pages = 1 } = await sharp(bytes, { limitInputPixels: false }).metadata();
      return width * height * pages <= MAX_IMAGE_PIXELS;
    });
    if (!isAllowed) throw new Refusal('payload_too_large', `an image may have at most ${MAX_IMAGE_PIXELS} pixels`);
    return attempt(async () => {
      const image = sharp(bytes, { limitInputPixels: MAX_IMAGE_PIXELS, failOn: 'error', pages: -1 }).timeout({
        seconds: TIMEOUT_SECONDS,
      });
      if (hasMetadata(type, bytes)) return encode(image.autoOrient()).toBuffer();
      await image.resize(SAMPLE).raw().toBuffer();
      return bytes;
    });
  });
}

/** The logo fits a box of this size, in pixels: more than twice the size at which the checkout shows it, for dense screens. */
const LOGO_BOX = { width: 480, height: 160 } as const;

/**
 * The logo as a PNG without metadata, shrunk to `LOGO_BOX` where it is larger. Only the first frame of an animation is kept. Throws
 * like `withoutMetadata`.
 */
export async function logoImage(companyId: CompanyId, type: DocumentType, bytes: Buffer): Promise<Buffer> {
  refuseManyFrames(type, bytes);
  return inTurn(companyId, () =>
    attempt(() =>
      sharp(bytes, { limitInputPixels: MAX_IMAGE_PIXELS, failOn: 'error' })
        .timeout({ seconds: TIMEOUT_SECONDS })
        .autoOrient()
        .resize({ ...LOGO_BOX, fit: 'inside', withoutEnlargement: true })
        .png({ compressionLevel: 9 })
        .toBuffer(),
    ),
  );
}

function refuseManyFrames(type: DocumentType, bytes: Buffer): void {
  if (hasManyFrames(type, bytes))
    throw new Refusal('payload_too_large', `an image may have at most ${MAX_IMAGE_PARTS} frames or pages`);
}

/** The library's errors have no codes. Every failure counts as a fault of the file. */
async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch {
    throw new Refusal('unsupported_media_type', 'the image is damaged, or its pages differ in size');
  }
}
