import { randomUUID } from 'node:crypto';
import { link, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../observability/thrown.ts';
import { ProviderError } from '../outcome.ts';
import type { BankTransport } from './iso20022.ts';
import { reportIndex } from './report-index.ts';

/**
 * Files in a folder that a file-transfer program (SFTP, EBICS, a bank's own client) keeps in step with the bank:
 *
 *   outbox/   we put files here, whole or not at all; that program sends those that end in .xml
 *   sent/     it moves here what it has sent, and deletes nothing: a file in either folder was handed over
 *   inbox/    it puts the bank's reports here, under any name ending in .xml, in any order
 *
 * The three folders exist before the service starts. Where they do not, the folder is not the one that the program sees (it
 * may not be mounted), and nothing is read from it or written to it. Every worker has to see the same folder.
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
