import type { Described } from './described.ts';
import { EXAMPLES } from './examples.ts';

/** A code sample of every operation with the TypeScript client. The reference page shows it beside curl. */
export function codeSample(operation: Described, name: string): object {
  const [method = '', path = ''] = name.split(' ');
  const request = Object.values(EXAMPLES[operation.operationId ?? ''] ?? {}).at(0)?.request;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
  const parts = [
    ...(names.length === 0 ? [] : [`path: { ${names.join(', ')} }`]),
    ...(request === undefined ? [] : [`body: ${literal(request)}`]),
  ];
  const sent = parts.length === 0 ? '' : `, {\n${parts.map((part) => `${indented(part)},\n`).join('')}}`;
  return {
    lang: 'TypeScript',
    label: 'escrow-payments-client',
    source: `const answer = await escrow.${method.toLowerCase()}('${path}'${sent});`,
  };
}

/** JSON as a TypeScript literal: names without quotation marks. */
const literal = (value: unknown) => JSON.stringify(value, null, 2).replace(/^( *)"([A-Za-z_]\w*)":/gm, '$1$2:');
const indented = (text: string) => text.replace(/^/gm, '  ');
