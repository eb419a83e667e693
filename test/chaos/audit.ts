import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { auditBooks } from './books.ts';
import { type Client, DEPOSIT_CENTS, get } from './clients.ts';
import { PLOTS, type Plot } from './plots.ts';

/** Compares the answers that clients got with the rows in the database. */

export type Findings = {
  /** Acknowledged operations that are missing. */
  lost: number;
  /** Operations that exist more than once. */
  doubled: number;
  /** A description of each of these and of every other fault. */
  readonly complaints: string[];
};

export async function audit(ownerUrl: string, clients: readonly Client[]): Promise<Findings> {
  const findings: Findings = { lost: 0, doubled: 0, complaints: [] };
  const books = await readBooks(ownerUrl);
  for (const client of clients) {
    findings.complaints.push(...client.refusals.map((refusal) => `refused: ${refusal}`));
    for (const reference of client.deposits)
      expectCount(findings, `deposit ${reference}`, books.deposits.get(reference) ?? 0, 1);
    for (const { escrowId, plot, events } of client.escrows)
      checkEscrow(findings, books, escrowId, PLOTS[plot], events);
    await checkMoney(findings, client);
  }
  if (books.openEscrows > 0) findings.complaints.push(`${books.openEscrows} escrows are not finished`);
  findings.complaints.push(...(await auditBooks(ownerUrl)));
  return findings;
}

function checkEscrow(findings: Findings, books: Books, escrowId: string, plot: Plot, events: readonly string[]): void {
  const id = escrowId.slice(escrowId.indexOf('_') + 1);
  const found = books.events.get(id) ?? [];
  for (const event of events)
    expectCount(findings, `${event} of ${escrowId}`, found.filter((type) => type === event).length, 1);
  const unknown = found.filter((type) => !events.includes(type));
  if (unknown.length > 0) findings.complaints.push(`${escrowId} has ${unknown.join(', ')}, which nobody was told`);
  for (const [type, expected] of Object.entries(plot.transactions))
    expectCount(findings, `${type} of ${escrowId}`, books.transactions.get(`${id} ${type}`) ?? 0, expected);
}

/** Balances to the cent: deposits less their payouts, and the payments of the plots. */
async function checkMoney(findings: Findings, client: Client): Promise<void> {
  let [buyerCents, sellerCents] = [BigInt(client.deposits.length * DEPOSIT_CENTS), 0n];
  for (const { plot } of client.escrows) {
    sellerCents += PLOTS[plot].payoutCents;
    buyerCents -= PLOTS[plot].costCents;
  }
  for (const [who, expected] of [
    ['buyer', buyerCents],
    ['seller', sellerCents],
  ] as const) {
    const account = await get(client.company, `/v1/ledger/accounts/${client.accounts[who]}`);
    if (BigInt(account.balance) !== expected || account.held_balance !== '0')
      findings.complaints.push(`a ${who} has ${account.balance} (held ${account.held_balance}), not ${expected}`);
  }
}

function expectCount(findings: Findings, what: string, found: number, expected: number): void {
  if (found === expected) return;
  if (found < expected) findings.lost += expected - found;
  else findings.doubled += found - expected;
  findings.complaints.push(`${what}: ${found} times, not ${expected}`);
}

type Books = {
  readonly deposits: ReadonlyMap<string, number>;
  /** Escrow → its events, in order. */
  readonly events: ReadonlyMap<string, readonly string[]>;
  /** `escrow type` → count. */
  readonly transactions: ReadonlyMap<string, number>;
  readonly openEscrows: number;
};

function readBooks(ownerUrl: string): Promise<Books> {
  return withClient(ownerUrl, async (client) => {
    const deposits = await client.query(
      `select reference, count(*)::integer as times from ledger_transaction where type = 'DEPOSIT' group by reference`,
    );
    const events = await client.query(
      'select escrow_id, array_agg(type order by seq) as types from escrow_event group by escrow_id',
    );
    const transactions = await client.query(
      `select escrow_id || ' ' || type as name, count(*)::integer as times from ledger_transaction
       where escrow_id is not null group by escrow_id, type`,
    );
    const open = await client.query(
      `select count(*)::integer as open from escrow where status not in ('COMPLETED', 'CANCELLED', 'RESOLVED')`,
    );
    return {
      deposits: new Map(deposits.rows.map(({ reference, times }) => [reference, times])),
      events: new Map(events.rows.map(({ escrow_id, types }) => [escrow_id, types])),
      transactions: new Map(transactions.rows.map(({ name, times }) => [name, times])),
      openEscrows: open.rows[0].open,
    };
  });
}
