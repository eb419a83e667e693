import { parseArgs } from 'node:util';
import { generateWebhookSecret, webhookHeaders } from '../providers/webhooks/signature.ts';
import { readEmbeddedInfo } from '../roles/embedded-info.ts';
import { type StreamedEvent, StreamRefused, streamEvents } from './event-stream.ts';

/**
 * `npm run listen -- --forward-to http://localhost:4000/hook`: sends the new events of a company to an address of this machine,
 * signed like webhooks. No registration is needed, and the service does not have to reach this machine.
 */

const USAGE = `npm run listen -- --forward-to URL [--events TYPE,TYPE] [--url URL --company ID --api-key KEY] [--secret whsec_…]

  --forward-to  the address that gets the events
  --events      only these types; all if it is left out
  --url, --company, --api-key  or ESCROW_URL, ESCROW_COMPANY_ID, ESCROW_API_KEY; the demo company of "npm start" if they are left out
  --secret      signs the requests, or ESCROW_WEBHOOK_SECRET; a new one if it is left out`;

const TIMEOUT_MS = 10_000;

const { values } = parseArgs({
  options: {
    'forward-to': { type: 'string' },
    events: { type: 'string' },
    url: { type: 'string', default: process.env.ESCROW_URL },
    company: { type: 'string', default: process.env.ESCROW_COMPANY_ID },
    'api-key': { type: 'string', default: process.env.ESCROW_API_KEY },
    secret: { type: 'string', default: process.env.ESCROW_WEBHOOK_SECRET },
  },
});
const info = values.url === undefined ? readEmbeddedInfo(process.env.DATA_DIR ?? '.data') : undefined;
const url = (values.url ?? info?.apiUrl)?.replace(/\/$/, '');
const company = values.company ?? info?.demo.companyId;
const apiKey = values['api-key'] ?? info?.demo.apiKey;
const forwardTo = values['forward-to'];
if (forwardTo === undefined || url === undefined || company === undefined || apiKey === undefined) {
  const isUnaddressed = url === undefined || company === undefined || apiKey === undefined;
  if (forwardTo === undefined) console.error('--forward-to is missing.\n');
  else if (isUnaddressed) console.error(`${missingService(values.url)}\n`);
  console.error(USAGE);
  process.exit(2);
}
const secret = values.secret ?? generateWebhookSecret();

function missingService(url: string | undefined): string {
  if (url !== undefined) return '--url needs --company and --api-key.';
  const directory = process.env.DATA_DIR ?? '.data';
  return `There is no ${directory}/embedded.json: start the service with "npm start", set DATA_DIR as it has it, or send --url.`;
}

async function forward({ createdAt: timestamp, ...event }: StreamedEvent, to: string): Promise<string> {
  const body = JSON.stringify({ ...event, timestamp });
  const headers = webhookHeaders([secret], { id: event.id, body, now: new Date() });
  try {
    const response = await fetch(to, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    return `no answer (${error instanceof Error ? error.message : String(error)})`;
  }
}

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());

try {
  const query = values.events === undefined ? '' : `?type=${encodeURIComponent(values.events)}`;
  const events = streamEvents({
    url: `${url}/v1/events/stream${query}`,
    headers: { 'x-api-key': apiKey, 'x-company-id': company },
    signal: stopping.signal,
    onOpen: () => console.log(`Listening to ${url} for ${company}. Signed with ${secret}`),
    onLost: (why) => console.log(`The stream ended (${why}); it is opened again.`),
  });
  for await (const event of events)
    console.log(`${event.createdAt}  ${event.type}  ${event.id}  → ${await forward(event, forwardTo)}`);
} catch (error) {
  if (!(error instanceof StreamRefused)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
