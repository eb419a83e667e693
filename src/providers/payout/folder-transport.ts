import { randomUUID } from 'node:crypto';
import { link, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../observability/thrown.ts';
import { ProviderError } from '../outcome.ts';
import type { BankTransport } from './iso20022.ts';
import { statusIn } from './pain002.ts';

/**
 * Files in a folder that a file-transfer program (SFTP, EBICS, a bank's own client) keeps in step with the bank:
 *
 *   outbox/   we put files here, whole or not at all; that program sends those that end in .xml
 *   sent/     it moves here what it has sent, and deletes nothing: what lies in either was handed over
 *   inbox/    it puts the bank's reports here, under any name ending in .xml
 *
 * The three are there before the service is: where they are not, the folder is not the one that program sees (not mounted, say),
 * and nothing is read from it or written to it. Every worker has to see the same folder.
 */

const PROVIDER = 'payout';
const MAX_REPORT_BYTES = 16 * 1_048_576;
/** Reports are read from the newest back; whoever runs the service archives older ones. */
const MAX_REPORTS = 10_000;

export function folderTransport(folder: string): BankTransport {
  const at = (...parts: readonly string[]) => join(folder, ...parts);

  const wasHandedOver = async (name: string) => (await exists(at('outbox', name))) || (await exists(at('sent', name)));

  return {
    send: (file) =>
      onDisk('unknown', async () => {
        if (!(await wasHandedOver(file.name))) await writeWhole(at('outbox', file.name), file.content);
        return null;
      }),
    report: (endToEndId) =>
      onDisk('unreachable', async () => {
        for (const name of await newestFirst(at('inbox'))) {
          const content = await readReport(at('inbox', name), endToEndId);
          if (content !== undefined) return { kind: 'report', content };
        }
        return (await wasHandedOver(`${endToEndId}.xml`)) ? 'accepted' : null;
      }),
  };
}

/** Appears under its name with all of its content, also when we are killed meanwhile; a file that is there stays. */
async function writeWhole(path: string, content: string): Promise<void> {
  const unfinished = `${path}.${randomUUID()}.part`;
  const handle = await open(unfinished, 'w', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await link(unfinished, path).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error; // another worker was faster with the same file
  });
  await rm(unfinished);
}

async function newestFirst(directory: string): Promise<string[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.xml'));
  const dated = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(directory, name)).catch(() => null))?.mtimeMs ?? 0 })),
  );
  dated.sort((a, b) => b.at - a.at || (a.name < b.name ? 1 : -1));
  return dated.slice(0, MAX_REPORTS).map(({ name }) => name);
}

/** The report, where it speaks of the payment. One that cannot be read speaks of none. */
async function readReport(path: string, endToEndId: string): Promise<string | undefined> {
  const size = (await stat(path).catch(() => null))?.size;
  if (size === undefined || size > MAX_REPORT_BYTES) return undefined; // archived meanwhile, or no report
  const content = await readFile(path, 'utf8');
  if (!content.includes(endToEndId)) return undefined;
  try {
    return statusIn(content, endToEndId) === undefined ? undefined : content;
  } catch {
    return undefined;
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

async function onDisk<T>(outcome: ProviderError['outcome'], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new ProviderError(PROVIDER, outcome, `the folder cannot be used (${codeOf(error) ?? 'unknown'})`);
  }
}
