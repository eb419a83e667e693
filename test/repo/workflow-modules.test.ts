import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

/** Workflow code is loaded once for all runs (src/worker/workflow-bundle.ts): state in a module would be shared between runs. */

const files = [...globSync('src/{workflows,domain}/**/*.ts'), 'src/observability/tracing/cause.ts'];
/** The state that a module can have: a variable, or a mutable container. The SDK freezes exported objects. */
const CAN_KEEP = [
  /^(?:export )?(?:let|var) .*/gm,
  /^(?:export )?const (?!\w+: Readonly)\w+.* = new (?:Map|Set|WeakMap|WeakSet|Array)\b.*/gm,
  /^const (?!\w+: (?:Readonly|readonly))\w+.* = (?:\[\]|\{\});/gm,
];

const keptIn = (text: string) => CAN_KEEP.flatMap((pattern) => text.match(pattern) ?? []);

describe('modules of workflows', () => {
  test.each(files)('%s keeps no state', (file) => {
    expect(keptIn(readFileSync(file, 'utf8'))).toEqual([]);
  });

  test.each([
    'let count = 0;',
    'export var last;',
    'const seen = new Set<string>();',
    'export const runs = new Map();',
    'const list: string[] = [];',
  ])('this would be found: %s', (line) => expect(keptIn(`import x from 'y';\n${line}\n`)).toEqual([line]));
  test('ignores constants, which no run can change', () => {
    expect(keptIn("const NAMES: ReadonlySet<string> = new Set(['a']);\nfunction f() {\n  let x = 1;\n}\n")).toEqual([]);
  });
});
