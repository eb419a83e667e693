/** Reads the plans that auto_explain wrote into PostgreSQL's log. */

export type SeenStatement = {
  /** Without its values. */
  readonly text: string;
  /** The most partitions that one execution touched. */
  readonly partitions: number;
};

/** Tasks over all companies, and searches before the company is known. */
const OVER_ALL_COMPANIES: readonly RegExp[] = [
  /\b(?:event_fact|event_set_aside)\b/, // gives events their positions, and reads their objects
  /\b(?:seal_queue|sealed_balance|sealed_beyond|final_position|account_delta d where d.account_id = any)\b/, // seals the ledger
  /account_delta d\) order by a\.id|new\.transaction_ids/, // the same
  /^with kept as|^with sealed as|jsonb_build_object\(\?, x\.status/, // audits
  /^with gone as|^delete from open_escrow_tally/, // adds up counts
  /^delete from (?:idempotency i|refresh_token t|session s|event e|webhook_delivery d|sandbox_message m|announced_line a|order_message o) using \(|^delete from payout_destination/, // housekeeping
  /^update order_request r set deciding|^with asleep as|company_ahead_ms\(company_id\) as ahead/, // wakes runs
  /from bank_details where number_to_tell is not null and created_at/, // finds the people who are told of new bank details
  /order_message m where m\.(?:status|number_hash)/, // messages that are due, and the budget of a number in all companies
  /::float8|LATE_MONEY|^select require_company\(null\)|company_payable_cash\(c\.id/, // metrics, and the platform's lists
  /> \(p_after_company, p_after\)/, // goes over all documents, to delete old ones
  /a\.phone = p_phone|l\.buyer_id = u\.id|l\.id = named\.id/, // a phone or a number, in all companies
  /^with fee as/, // a report, which learns the companies of a platform's fees from their entries
  /a\.checkout_id = \$|^update bank_details set effective_at = now\(\)/, // of the test itself
];
/** A company and the platform: fees, and the platform's staff. */
const WITH_THE_PLATFORM = /platform_company\(\)|entries_of\(|from administrator n where n\.company_id in/;

type Node = {
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops'?: number;
  readonly Plans?: readonly Node[];
};
type Explained = { readonly 'Query Text': string; readonly Plan: Node };

const ENTRY = /^\d{4}-\d\d-\d\d [^\n]* \[\d+\] [^ ]+ LOG: {2}duration: [^\n]* plan:\n((?:\t[^\n]*\n)+)/gm;
const PARTITION = /_p(\d+)$/;

/** The statements that read or changed rows of tenants. */
export function plansIn(log: string): SeenStatement[] {
  const seen = new Map<string, SeenStatement>();
  for (const [, json = ''] of log.matchAll(ENTRY)) {
    const explained: Explained = JSON.parse(json);
    const partitions = new Set(touched(explained.Plan)).size;
    if (partitions === 0) continue;
    const text = withoutValues(explained['Query Text']);
    seen.set(text, { text, partitions: Math.max(seen.get(text)?.partitions ?? 0, partitions) });
  }
  return [...seen.values()];
}

/** The statements that touched several partitions and may not. */
export function spreadStatements(statements: readonly SeenStatement[]): SeenStatement[] {
  return statements.filter(
    ({ text, partitions }) =>
      partitions > (WITH_THE_PLATFORM.test(text) ? 2 : 1) && !OVER_ALL_COMPANIES.some((allowed) => allowed.test(text)),
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
