/** Reads the plans that auto_explain wrote into PostgreSQL's log. */

export type SeenStatement = {
  readonly user: string;
  /** Without its values. */
  readonly text: string;
  /** The most partitions that one execution touched. */
  readonly partitions: number;
};

/** Statements over all companies: each is a task of the service as a whole, or finds something before its company is known. */
const OVER_ALL_COMPANIES: readonly RegExp[] = [];

type Node = {
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops'?: number;
  readonly Plans?: readonly Node[];
};
type Explained = { readonly 'Query Text': string; readonly Plan: Node };

const ENTRY = /^\d{4}-\d\d-\d\d [^\n]* \[\d+\] (\S*) LOG: {2}duration: [^\n]* plan:\n((?:\t[^\n]*\n)+)/gm;
const PARTITION = /_p(\d+)$/;

/** The statements that read or changed rows of tenants. */
export function plansIn(log: string): SeenStatement[] {
  const seen = new Map<string, SeenStatement>();
  for (const [, user = '', json = ''] of log.matchAll(ENTRY)) {
    const explained: Explained = JSON.parse(json);
    const partitions = new Set(touched(explained.Plan)).size;
    if (partitions === 0) continue;
    const text = withoutValues(explained['Query Text']);
    const name = `${user} ${text}`;
    const before = seen.get(name)?.partitions ?? 0;
    seen.set(name, { user, text, partitions: Math.max(before, partitions) });
  }
  return [...seen.values()];
}

/** The statements that touched several partitions and may not. */
export function spreadStatements(statements: readonly SeenStatement[]): SeenStatement[] {
  return statements.filter(
    ({ text, partitions }) => partitions > 1 && !OVER_ALL_COMPANIES.some((allowed) => allowed.test(text)),
  );
}

/** The numbers of the partitions that were really read. */
function touched(node: Node): string[] {
  const own = PARTITION.exec(node['Relation Name'] ?? '')?.[1];
  const isRead = (node['Actual Loops'] ?? 0) > 0;
  return [...(own !== undefined && isRead ? [own] : []), ...(node.Plans ?? []).flatMap(touched)];
}

function withoutValues(text: string): string {
  return text
    .replace(/'(?:[^']|'')*'/g, '?')
    .replace(/\b\d+\b/g, '?')
    .replace(/\s+/g, ' ')
    .trim();
}
