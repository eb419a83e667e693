import { SaxesParser } from 'saxes';

/**
 * Reads the part of XML that bank files need: elements of one namespace with text. Document types are refused, so no file can make
 * the parser load or expand entities.
 */

/** What is wrong with a file. */
type XmlFault =
  | 'document_type'
  | 'not_well_formed'
  | 'no_namespace'
  | 'other_namespace'
  | 'nested_too_deep'
  | 'no_element'
  | 'not_utf8'
  | 'encoding_unknown';

/** Thrown for a file that is not read. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
  readonly fault: XmlFault;
  /** What the file has, or the limit; undefined if the fault says all. */
  readonly value: string | undefined;

  constructor(fault: XmlFault, value?: string | number, parserSays = value) {
    super([fault, ...(parserSays === undefined ? [] : [parserSays])].join(': '));
    this.fault = fault;
    this.value = value?.toString();
  }
}

const MAX_DEPTH = 64;
/** Of a refused file, in the refusal. */
const MAX_NAMESPACE = 200;

/** An element of a file, read by local names in the file's own namespace. */
export class XmlNode {
  readonly name: string;
  readonly namespace: string;
  readonly #attributes: Readonly<Record<string, string>>;
  readonly #content: (string | XmlNode)[] = [];

  constructor(name: string, namespace: string, attributes: Readonly<Record<string, string>>) {
    this.name = name;
    this.namespace = namespace;
    this.#attributes = attributes;
  }

  /** For the parser, which builds the tree. */
  append(part: string | XmlNode): void {
    this.#content.push(part);
  }

  /** The text of the element, without surrounding white space. */
  get text(): string {
    return this.#whole().trim();
  }

  #whole(): string {
    return this.#content.map((part) => (typeof part === 'string' ? part : part.#whole())).join('');
  }

  attribute(name: string): string | undefined {
    return Object.hasOwn(this.#attributes, name) ? this.#attributes[name] : undefined;
  }

  /** The children, or those with this name. */
  children(name?: string): XmlNode[] {
    return this.#content.filter(
      (part): part is XmlNode =>
        typeof part !== 'string' && part.namespace === this.namespace && (name === undefined || part.name === name),
    );
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

/**
 * The root of a file whose namespace starts with `namespacePrefix`. Throws XmlError for any other text. Elements that `take`
 * accepts when they end are left out of the tree, so that a long file does not have to be in memory as a whole. `path`: the names
 * from the root to the element.
 */
export function parseXml(
  text: string,
  namespacePrefix: string,
  take: (node: XmlNode, path: readonly string[]) => boolean = () => false,
): XmlNode {
  let root: XmlNode | undefined;
  const open: XmlNode[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('doctype', () => {
    throw new XmlError('document_type');
  });
  parser.on('error', ({ message }) => {
    throw new XmlError('not_well_formed', parser.line, message.slice(0, 200));
  });
  const addText = (piece: string) => open.at(-1)?.append(piece);
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('opentag', ({ local, uri, attributes }) => {
    const named = Object.values(attributes).map(({ name, value }) => [name, value]);
    const node = new XmlNode(local, uri, Object.fromEntries(named));
    if (root === undefined && uri === '') throw new XmlError('no_namespace');
    if (root === undefined && !uri.startsWith(namespacePrefix))
      throw new XmlError('other_namespace', uri.slice(0, MAX_NAMESPACE));
    root ??= node;
    if (open.length === MAX_DEPTH) throw new XmlError('nested_too_deep', MAX_DEPTH);
    open.push(node);
  });
  parser.on('closetag', () => {
    const node = open.at(-1);
    if (node === undefined) return;
    const isTaken = take(
      node,
      open.map(({ name }) => name),
    );
    open.pop();
    if (!isTaken) open.at(-1)?.append(node);
  });
  parser.write(text).close();
  if (root === undefined) throw new XmlError('no_element');
  return root;
}

const DECLARED = /^<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]*)["']/;
/** Long enough for any declaration. */
const DECLARATION_BYTES = 256;

/** The text of a file in the encoding that it declares: UTF-8, ISO-8859-1, ISO-8859-15 or Windows-1252. Throws XmlError. */
export function decodeXml(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, DECLARATION_BYTES))
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '');
  const encoding = (DECLARED.exec(head)?.[1] ?? 'utf-8').toLowerCase();
  switch (encoding) {
    case 'utf-8':
    case 'us-ascii':
      try {
        return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      } catch {
        throw new XmlError('not_utf8');
      }
    case 'iso-8859-1':
      return Buffer.from(bytes).toString('latin1');
    case 'iso-8859-15':
    case 'windows-1252':
      return new TextDecoder(encoding).decode(bytes);
    default:
      throw new XmlError('encoding_unknown', encoding);
  }
}
