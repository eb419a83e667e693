import { main } from '../../clients/typescript/src/command-line.ts';
import { readEmbeddedInfo } from '../roles/embedded-info.ts';

/**
 * `npm run listen -- --forward-to http://localhost:4000/hook`: `listen` of the client's command line, for the demo company of
 * `npm start` unless another service is named.
 */

const args = process.argv.slice(2);
if (process.env.ESCROW_URL === undefined && !args.some((one) => one.startsWith('--url'))) {
  const directory = process.env.DATA_DIR ?? '.data';
  const info = readEmbeddedInfo(directory);
  if (info === undefined) {
    console.error(
      `There is no ${directory}/embedded.json: start the service with "npm start", set DATA_DIR as it has it, or send --url.`,
    );
    process.exit(2);
  }
  process.env.ESCROW_URL = info.apiUrl;
  process.env.ESCROW_COMPANY_ID ??= info.demo.companyId;
  process.env.ESCROW_API_KEY ??= info.demo.apiKey;
}
await main(['listen', ...args]);
