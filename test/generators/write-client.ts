import { writeFileSync } from 'node:fs';
import { clientFiles } from './client-files.ts';

/** `npm run client` writes the generated files of clients/typescript; with `--print` they go to the standard output, as JSON. */

const files = await clientFiles();
if (process.argv.includes('--print')) process.stdout.write(JSON.stringify(files));
else
  for (const [name, content] of Object.entries(files))
    writeFileSync(new URL(`../../clients/typescript/src/${name}`, import.meta.url), content);
