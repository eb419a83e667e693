import { DOMParser, type Element } from '@xmldom/xmldom';

/**
 * Reads the part of XML that bank files need: elements of one namespace with text. Document types are refused, so no file can make
 * the parser load or expand entities.
 */

export class XmlError extends Error {
  override readonly name = 'XmlError';
}

/** An element of a file, read by local names in the file's own namespace. */
export class XmlNode {
  readonly #element: Element;

  constructor(element: Element) {
    this.#element = element;
  }

  get name(): string {
    return this.#element.localName ?? '';
  }

  get namespace(): string {
    return this.#element.namespaceURI ?? '';
  }

  /** The text of the element, without surrounding white space. */
  get text(): string {
    return (this.#element.textContent ?? '').trim();
  }

  attribute(name: string): string | undefined {
    return this.#element.getAttribute(name) ?? undefined;
  }

  /** The children, or those with this name. */
  children(name?: string): XmlNode[] {
    const found: XmlNode[] = [];
    for (const child of this.#element.childNodes) {
      if (child.nodeType !== child.ELEMENT_NODE) continue;
      const node = new XmlNode(child as Element); // what the node type says
      if (node.namespace === this.namespace && (name === undefined || node.name === name)) found.push(node);
    }
    return found;
  }

  /** The first element at this path of names; `undefined` if there is none. */
  at(...path: readonly string[]): XmlNode | undefined {
    let node: XmlNode | undefined = this;
    for (const name of path) node = node?.children(name)[0];
    return node;
  }

  /** The text at this path; `undefined` if there is no such element. */
  textAt(...path: readonly string[]): string | undefined {
    return this.at(...path)?.text;
  }
}

/** The root of a file whose namespace starts with `namespacePrefix`. Throws XmlError for any other text. */
export function parseXml(text: string, namespacePrefix: string): XmlNode {
  if (/<!DOCTYPE/i.test(text)) throw new XmlError('a document type is not accepted');
  let root: Element | null;
  try {
    root = new DOMParser({
      onError: (level, message) => {
        // U+FFFD is an ordinary character, which replaces characters that XML does not allow. The parser only warns about it.
        if (level === 'warning' && message.startsWith('Unicode replacement character')) return;
        throw new XmlError(message);
      },
    }).parseFromString(text, 'application/xml').documentElement;
  } catch (error) {
    throw new XmlError(`not well-formed: ${error instanceof Error ? error.message.slice(0, 200) : 'unknown'}`);
  }
  if (root === null) throw new XmlError('there is no element');
  const node = new XmlNode(root);
  if (!node.namespace.startsWith(namespacePrefix)) throw new XmlError(`another namespace: ${node.namespace}`);
  return node;
}
