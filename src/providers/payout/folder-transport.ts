import { randomUUID } from 'node:crypto';
import { link, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../observability/thrown.ts';
import { ProviderError } from '../provider-error.ts';
import type { BankTransport } from './iso20022.ts';
import { reportIndex } from './report-index.ts';

/**
 * Files in a folder that a file-transfer program (SFTP, EBICS, a bank's own client) synchronises with the bank:
 *
 *   outbox/   the service puts whole files here; the program sends the files that end in .xml
 *   sent/     the program moves sent files here and deletes nothing: a file in either folder was handed over
 *   inbox/    the program puts the bank's reports here, under any name ending in .xml, in any order
 *
 * The three folders exist before the service starts. If they do not, the folder is not the one that the program uses (it may
 * not be mounted), and nothing is read from it or written to it. All workers must see the same folder.
 */

const PROVIDER = 'payout';
export function folderTransport(folder: string): BankTransport {
  const at = (...parts: readonly string[]) => join(folder, ...parts);
  const inbox = reportIndex(at('inbox'));

  const wasHandedOver = async (name: string) => (await exists(at('outbox', name))) || (await exists(at('sent', name)));

  return {
    send: (file) =>
      onDisk('unknown', async () => {
        if (!(await wasHandedOver(file.name))) await writeWhole(at('outbox', file.name), file.content);
        return null;
      }),
    reports: (endToEndId) =>
      onDisk('unreachable', async () => {
        const reports = await inbox.about(endToEndId);
        if (reports.length > 0) return reports;
        return (await wasHandedOver(`${endToEndId}.xml`)) ? 'accepted' : null;
      }),
  };
}

/** Creates a file atomically with its full content, even if the process is killed; an existing file stays. */
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
