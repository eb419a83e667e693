import { encode } from 'uqr';
import type { Message } from '../language/message.ts';
import { type Html, html } from './html.ts';

/** A quiet zone of four modules, as ISO/IEC 18004 asks. */
const BORDER_MODULES = 4;

/** `text` as a QR code: one path of unit squares. Black on white in both themes, because scanners need that. */
export function qrCode(text: string, label: Message): Html {
  const { size, data } = encode(text, { border: BORDER_MODULES, ecc: 'M' });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" width="200" height="200" role="img" aria-label="${label}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`;
}
