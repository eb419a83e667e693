import { startServer } from './bare-server.ts';
import { httpClient } from './http.ts';
import { openMarket } from './market.ts';
import { inTurns, type Settings, type Subject } from './measure.ts';
import type { Figure, Part } from './report.ts';
import type { BenchStack } from './stack.ts';

/**
 * Reads over HTTP, with authentication, beside the same stack answering as many rows and bytes by one prepared statement
 * (reference.ts).
 */

const CALLERS = 32;
const ESCROWS = 40;
const ENTRIES = 120;
/** A third of what the service answers is its envelope of names and quotes, which the reference has too. */
const OBJECT_BYTES = 30;

export async function apiReads(stack: BenchStack, settings: Settings): Promise<Part> {
  const { demo, apiUrl, databaseUrl } = stack.info;
  const market = openMarket(stack, CALLERS);
  const escrows: string[] = [];
  for (let made = 0; made < ESCROWS; made += 1) escrows.push((await market.makeEscrow()).path);
  const { accountId } = await market.post('/v1/payments/deposit', {
    userId: demo.sellerId,
    amount: 1,
    currency: 'USD',
  });
  for (let made = 1; made < ENTRIES; made += 1)
    await market.post('/v1/payments/deposit', { userId: demo.sellerId, amount: 1, currency: 'USD' });
  market.stop();
  const reference = await startServer('bench/reference.ts', { DATABASE_URL: databaseUrl });
  const http = httpClient(CALLERS);
  const headers = { 'x-api-key': demo.apiKey, 'x-company-id': demo.companyId };
  const get = (path: string) => http.get(`${apiUrl}${path}`, headers);
  const any = () => escrows[Math.floor(Math.random() * escrows.length)] ?? '';
  const one = {
    name: 'one row by one prepared statement',
    callers: CALLERS,
    once: () => http.get(`${reference.url}one`, {}),
  };
  const subjects: Subject[] = [one];
  const figures: Omit<Figure, 'rates'>[] = [{ what: one.name, reference: one.name, target: 0 }];
  const compare = async (what: string, path: () => string, rows: number | null) => {
    subjects.push({ name: what, callers: CALLERS, once: () => get(path()) });
    if (rows === null) return figures.push({ what, reference: one.name, target: 0.5 });
    const bytes = Math.max(rows, (await get(path())).length - rows * OBJECT_BYTES);
    const beside = `${rows} rows as large`;
    subjects.push({
      name: beside,
      callers: CALLERS,
      once: () => http.get(`${reference.url}many/${rows}/${bytes}`, {}),
    });
    figures.push({ what: beside, reference: beside, target: 0 }, { what, reference: beside, target: 0.5 });
  };
  await compare('an escrow by id', any, null);
  await compare('an account by id', () => `/v1/ledger/accounts/${accountId}`, null);
  await compare('a list of 20 escrows', () => '/v1/escrow?limit=20', 20);
  await compare('a timeline', () => `${any()}/timeline`, 1);
  await compare(`a statement of ${ENTRIES} entries`, () => `/v1/ledger/accounts/${accountId}/statement`, ENTRIES);
  const rates = await inTurns(subjects, settings);
  reference.stop();
  http.stop();
  return { figures: figures.map((figure) => ({ ...figure, rates: rates.get(figure.what) ?? [] })) };
}
