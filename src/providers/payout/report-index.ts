import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { linesIn } from './pain002.ts';

/**
 * An index of the reports in a folder by the payments that they mention. Each file is read when it appears or changes, and
 * again only for a payment that it mentions. Every report on a payment counts, not only the newest file.
 */
type ReportIndex = {
  /** The readable reports that mention a payment, in any order. */
  about(endToEndId: string): Promise<readonly string[]>;
};

const MAX_REPORT_BYTES = 16 * 1_048_576;
/** Only this many of the newest files are read; the operator archives older ones. */
const MAX_REPORTS = 10_000;
/** The forms of our payment ids in a report. */
const NAMES = /<(?:\w+:)?(?:OrgnlEndToEndId|OrgnlMsgId|OrgnlPmtInfId)>\s*([^<\s]{1,35})\s*</g;

type Indexed = { readonly modifiedMs: number; readonly bytes: number; readonly names: ReadonlySet<string> };

export function reportIndex(folder: string): ReportIndex {
  const files = new Map<string, Indexed>();

  async function refresh(): Promise<void> {
    const present = await newestFiles(folder);
    const names = new Set(present.map(({ name }) => name));
    for (const name of files.keys()) if (!names.has(name)) files.delete(name);
    for (const { name, modifiedMs, bytes } of present) {
      const known = files.get(name);
      if (known?.modifiedMs === modifiedMs && known.bytes === bytes) continue;
      const content = bytes > MAX_REPORT_BYTES ? null : await readReport(join(folder, name));
      if (content === null) continue; // not a report, or archived meanwhile
      files.set(name, { modifiedMs, bytes, names: namesIn(content) });
    }
  }

  return {
    async about(endToEndId) {
      await refresh();
      const naming = [...files].filter(([, { names }]) => names.has(endToEndId)).map(([name]) => name);
      const contents = await Promise.all(naming.map((name) => readReport(join(folder, name))));
      return contents.filter((content) => content !== null).filter((content) => speaksOf(content, endToEndId));
    },
  };
}

async function newestFiles(folder: string) {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.xml'));
  const found = await Promise.all(
    names.map(async (name) => {
      const file = await stat(join(folder, name)).catch(() => null);
      return { name, modifiedMs: file?.mtimeMs ?? 0, bytes: file?.size ?? 0 };
    }),
  );
  found.sort((a, b) => b.modifiedMs - a.modifiedMs || (a.name < b.name ? 1 : -1));
  return found.slice(0, MAX_REPORTS);
}

async function readReport(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null);
}

function namesIn(content: string): ReadonlySet<string> {
  return new Set(Array.from(content.matchAll(NAMES), ([, name]) => name).filter((name) => name !== undefined));
}

/** A file that is not a valid report mentions no payment. */
function speaksOf(content: string, endToEndId: string): boolean {
  try {
    return linesIn(content, endToEndId).length > 0;
  } catch {
    return false;
  }
}
