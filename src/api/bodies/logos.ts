import { Refusal } from '../../domain/errors.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { BODY_LIMITS, MAX_LOGO_BYTES } from '../limits.ts';
import { InvalidRequest } from '../problem.ts';
import { type DocumentType, formatOf } from './document-formats.ts';
import { logoImage } from './images.ts';
import type { UploadedFile } from './uploaded-file.ts';

/** Logos of companies: which files are accepted, and how they are encoded. */

const LOGO_TYPES: readonly DocumentType[] = ['image/png', 'image/webp'];

/**
 * Reads an uploaded logo and encodes it again as PNG, so that nothing of the upload but its pixels is served. Throws
 * `validation_failed` for an empty file, `payload_too_large`, `unsupported_media_type`, `too_many_requests`.
 */
export async function readLogo(companyId: CompanyId, { bytes }: UploadedFile): Promise<Buffer> {
  if (bytes.length === 0) throw new InvalidRequest('validation_failed', [{ path: 'logo', message: 'is empty' }]);
  if (bytes.length > MAX_LOGO_BYTES)
    throw new Refusal('payload_too_large', `a logo may have at most ${BODY_LIMITS.logo.words}`);
  const mediaType = await formatOf(bytes);
  if (mediaType === undefined || !LOGO_TYPES.includes(mediaType))
    throw new Refusal('unsupported_media_type', 'a logo is a PNG or a WebP image');
  return logoImage(companyId, mediaType, bytes);
}
