import { writeFileSync } from 'node:fs';
import { clientFiles } from './client-files.ts';
import { pythonFiles } from './python-files.ts';

/** `npm run client` writes the generated files of clients; with `--print` they go to the standard output, as JSON. */

const inFolder = (folder: string, files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([name, content]) => [`${folder}/${name}`, content]));
const files = {
  ...inFolder('typescript/src', await clientFiles()),
  ...inFolder('python/src/escrow_payments', pythonFiles()),
};
if (process.argv.includes('--print')) process.stdout.write(JSON.stringify(files));
else
  for (const [name, content] of Object.entries(files))
    writeFileSync(new URL(`../../clients/${name}`, import.meta.url), content);
