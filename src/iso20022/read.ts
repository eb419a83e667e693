import { DOMParser, type Element } from '@xmldom/xmldom';

/**
 * As much XML as bank files need: elements of one namespace with text in them. Document types are refused, so no file can make
 * the parser fetch or multiply anything.
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

  /** The text in it, without the white space around it. */
  get text(): string {
    return (this.#element.textContent ?? '').trim();
  }

  attribute(name: string): string | undefined {
    return this.#element.getAttribute(name) ?? undefined;
  }

  /** Its children, or those of that name. */
  children(name?: string): XmlNode[] {
    const found: XmlNode[] = [];
    for (const child of this.#element.childNodes) {
      if (child.nodeType !== child.ELEMENT_NODE) continue;
      const node = new XmlNode(child as Element); // what the node type says
      if (node.namespace === this.namespace && (name === undefined || node.name === name)) found.push(node);
    }
    return found;
  }

  /** The first element down that path of names; `undefined` where there is none. */
  at(...path: readonly string[]): XmlNode | undefined {
    let node: XmlNode | undefined = this;
    for (const name of path) node = node?.children(name)[0];
    return node;
  }

  /** The text at that path; `undefined` where there is no such element. */
  textAt(...path: readonly string[]): string | undefined {
    return this.at(...path)?.text;
  }
}

/** The root of a file whose namespace begins with `namespacePrefix`. Throws XmlError for any other text. */
export function parseXml(text: string, namespacePrefix: string): XmlNode {
  if (/<!DOCTYPE/i.test(text)) throw new XmlError('a document type is not accepted');
  let root: Element | null;
  try {
    root = new DOMParser({
      onError: (level, message) => {
        // U+FFFD is an ordinary character, which replaces what XML cannot hold. The parser only warns of it.
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
