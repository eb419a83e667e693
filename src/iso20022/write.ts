/** Writes the part of XML that bank files need: elements, attributes, and escaped text. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
/** Characters that XML 1.0 does not allow, not even as references. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
const FORBIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

/** The start of every file. */
export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

export type Xml = string & { readonly xml: unique symbol };
type Attributes = Readonly<Record<string, string>>;

/** A complete file. */
export function renderFile(root: Xml): string {
  return `${XML_DECLARATION}${root}\n`;
}

/** An element with text or with elements. Absent children are omitted. */
export function element(name: string, content: string | readonly (Xml | null)[], attributes: Attributes = {}): Xml {
  const inner = typeof content === 'string' ? escapeXml(content) : content.filter((child) => child !== null).join('');
  return `${startTag(name, attributes)}${inner}</${name}>` as Xml; // made of escaped parts only
}

/** The start tag of an element that is written in parts. */
export function startTag(name: string, attributes: Attributes = {}): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  return `<${name}${given.join('')}>`;
}

function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(FORBIDDEN, '\ufffd')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** The first `maxCharacters` of a text, counted in code points as XML Schema does. */
export function cut(text: string, maxCharacters: number): string {
  return [...text].slice(0, maxCharacters).join('');
}

/** The whole text, split into parts of at most `maxCharacters`. A receiver concatenates them. */
export function inPieces(text: string, maxCharacters: number): string[] {
  const characters = [...text];
  return Array.from({ length: Math.ceil(characters.length / maxCharacters) }, (_, index) =>
    characters.slice(index * maxCharacters, (index + 1) * maxCharacters).join(''),
  );
}
