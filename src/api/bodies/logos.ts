import { fileTypeFromBuffer } from 'file-type';
import { Refusal } from '../../domain/errors.ts';
import { BODY_LIMITS, MAX_LOGO_BYTES } from '../limits.ts';
import { InvalidRequest } from '../problem.ts';
import type { FilePart } from './documents.ts';
import { logoImage } from './images.ts';

/** Logos of companies: which files are accepted, and how they are encoded. */

const LOGO_TYPES: readonly string[] = ['image/png', 'image/webp'];

/**
 * Reads an uploaded logo and encodes it again as PNG, so that nothing of the upload but its pixels is served. Throws
 * `validation_failed` for an empty file, `payload_too_large`, `unsupported_media_type`, `too_many_requests`.
 */
export async function readLogo(file: FilePart): Promise<Buffer> {
  if (file.size === 0) throw new InvalidRequest('validation_failed', [{ path: 'logo', message: 'is empty' }]);
  if (file.size > MAX_LOGO_BYTES)
    throw new Refusal('payload_too_large', `a logo may have at most ${BODY_LIMITS.logo.words}`);
  const bytes = Buffer.from(await file.arrayBuffer());
  const found = await fileTypeFromBuffer(bytes);
  if (found === undefined || !LOGO_TYPES.includes(found.mime))
    throw new Refusal('unsupported_media_type', 'a logo is a PNG or a WebP image');
  return logoImage(bytes);
}
