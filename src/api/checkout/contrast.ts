/** Contrast of colours, as WCAG 2.2 defines it. Colours are `#rrggbb`. */

export const WHITE = '#ffffff';
/** WCAG level AA for text of normal size. */
const MIN_TEXT_CONTRAST = 4.5;

/** The relative luminance: 0 for black, 1 for white. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio: 1 for equal colours, 21 for black on white. */
export function contrast(a: string, b: string): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
}

export function isReadableOn(text: string, ground: string): boolean {
  return contrast(text, ground) >= MIN_TEXT_CONTRAST;
}
