/** Just enough XML to write: elements, attributes, and text that no input can break out of. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
/** Characters that XML 1.0 cannot hold, however they are written. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const FORBIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

export type Xml = string & { readonly xml: unique symbol };

/** An element with text, or with elements. Absent children are left out. */
export function element(
  name: string,
  content: string | readonly (Xml | null)[],
  attributes: Readonly<Record<string, string>> = {},
): Xml {
  const open = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  const inner = typeof content === 'string' ? escapeXml(content) : content.filter((child) => child !== null).join('');
  return `<${name}${open.join('')}>${inner}</${name}>` as Xml; // made of escaped parts only
}

export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(FORBIDDEN, '\ufffd')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
