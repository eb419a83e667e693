import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/**
 * Finds the database calls in the source that a role of the service can reach, without running them. A node of the graph is a
 * top-level declaration; an edge is a name of another declaration in its text. The formatter keeps declarations at the first
 * column, so they are split by lines.
 */

export type Call = {
  readonly file: string;
  /** The declaration that contains the call. */
  readonly owner: string;
  /** `execute`, `findOne`, `insert` … */
  readonly method: string;
  /** The arguments as they stand in the source. */
  readonly args: readonly string[];
};

type Declaration = { readonly file: string; readonly name: string; readonly text: string };
type Module = {
  readonly declarations: ReadonlyMap<string, Declaration>;
  readonly imports: ReadonlyMap<string, Target>;
};
type Target = { readonly file: string; readonly name: string };

const METHODS =
  'execute|find|findOne|findOneOrFail|findAll|count|insert|insertMany|upsert|nativeUpdate|nativeDelete|create|assign';
const CALL = new RegExp(String.raw`(?:\.(${METHODS})|(?<!function )\b(executeBound))(?:<|\()`, 'g');
const DECLARATION = /^(?:export )?(?:async )?(?:abstract )?(?:function\*?|const|let|class) (\w+)/;
const IMPORT = /^import (?:type )?\{([^}]*)\} from '(\.[^']+)';/gm;

export class Source {
  readonly #modules = new Map<string, Module>();

  constructor(root: string) {
    for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' }))
      if (path.endsWith('.ts')) {
        const file = join(root, path);
        this.#modules.set(file, parse(file, readFileSync(file, 'utf8')));
      }
  }

  /** The calls in all declarations that are reachable from the modules whose path matches `roots`. */
  callsFrom(roots: RegExp): Call[] {
    const seen = new Set<Declaration>();
    const queue = [...this.#modules]
      .filter(([file]) => roots.test(file))
      .flatMap(([, { declarations }]) => [...declarations.values()]);
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      for (const name of new Set(next.text.match(/\b[A-Za-z_]\w*\b/g))) {
        const target = this.#resolve(next.file, name);
        if (target !== undefined) queue.push(target);
      }
    }
    return [...seen].flatMap(callsIn);
  }

  /** The name of an imported or own declaration where it is declared: `Company` for `CompanyRow`. */
  declaredName(file: string, name: string): string | undefined {
    return this.#resolve(file, name)?.name;
  }

  /** The text of a constant's string or template; `undefined` for anything else. */
  constant(file: string, name: string): { readonly file: string; readonly text: string } | undefined {
    const declaration = this.#resolve(file, name);
    const text = declaration?.text.match(/^(?:export )?const \w+(?:: \w+)? =\s*([\s\S]*?);?\s*$/)?.[1];
    return declaration === undefined || text === undefined || !/^['"`]/.test(text)
      ? undefined
      : { file: declaration.file, text };
  }

  #resolve(file: string, name: string): Declaration | undefined {
    const module = this.#modules.get(file);
    const own = module?.declarations.get(name);
    if (own !== undefined) return own;
    const imported = module?.imports.get(name);
    return imported === undefined ? undefined : this.#resolve(imported.file, imported.name);
  }
}

function parse(file: string, text: string): Module {
  const imports = new Map<string, Target>();
  for (const [, names = '', from = ''] of text.matchAll(IMPORT))
    for (const one of names.split(',')) {
      const [name = '', alias = name] = one
        .trim()
        .replace(/^type /, '')
        .split(' as ');
      imports.set(alias, { file: normalize(join(dirname(file), from)), name });
    }
  const declarations = new Map<string, Declaration>();
  let lines: string[] = [];
  const close = () => {
    const name = lines[0]?.match(DECLARATION)?.[1];
    if (name !== undefined) declarations.set(name, { file, name, text: lines.join('\n') });
    lines = [];
  };
  for (const line of text.split('\n')) {
    if (/^(export |async |abstract )*(function|const|let|class|type|interface|import|\/\*\*|\/\/)/.test(line)) close();
    lines.push(line);
  }
  close();
  return { declarations, imports };
}

function callsIn({ file, name: owner, text }: Declaration): Call[] {
  return [...text.matchAll(CALL)].map((match) => {
    const [, called, bound] = match;
    const method = called ?? 'execute';
    const afterName = match.index + (bound === undefined ? 1 + method.length : bound.length);
    const open = text[afterName] === '<' ? skip(text, afterName) : afterName;
    const args = split(text.slice(open + 1, skip(text, open) - 1));
    return { file, owner, method, args: bound === undefined ? args : args.slice(1) }; // after the entity manager
  });
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/** The place after the bracket that closes the one at `start`. */
function skip(text: string, start: number): number {
  const isType = text[start] === '<';
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if ('\'"`'.includes(char)) at = afterString(text, at) - 1;
    else if (text.startsWith('=>', at)) at += 1;
    else if (char in CLOSING && (isType || char !== '<')) depth += 1;
    else if (Object.values(CLOSING).includes(char) && (isType || char !== '>')) depth -= 1;
    if (depth === 0) return at + 1;
  }
  throw new Error(`an unclosed bracket: ${text.slice(start, start + 60)}`);
}

function afterString(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (quote === '`' && text.startsWith('${', at)) at = skip(text, at + 1) - 1;
    else if (text[at] === quote) return at + 1;
  }
  throw new Error(`an unclosed string: ${text.slice(start, start + 60)}`);
}

/** Splits at commas, or at another separator, outside of brackets and strings. */
export function split(text: string, separator = ','): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if ('\'"`'.includes(char)) at = afterString(text, at) - 1;
    else if (char !== '<' && char in CLOSING) at = skip(text, at) - 1;
    else if (char === separator) {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  parts.push(text.slice(from).trim());
  return parts.filter((part) => part !== '');
}

/** The pieces of a string or template literal: text, and expressions between `${` and `}`. */
export function pieces(literal: string): { readonly text?: string; readonly expression?: string }[] {
  const found: { readonly text?: string; readonly expression?: string }[] = [];
  let text = '';
  for (let at = 1; at < literal.length - 1; at += 1) {
    if (literal[0] === '`' && literal.startsWith('${', at)) {
      const end = skip(literal, at + 1);
      found.push({ text }, { expression: literal.slice(at + 2, end - 1).trim() });
      text = '';
      at = end - 1;
    } else if (literal[at] === '\\') {
      at += 1;
      text += literal[at] ?? '';
    } else text += literal[at] ?? '';
  }
  return [...found, { text }];
}
