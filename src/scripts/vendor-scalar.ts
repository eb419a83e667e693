import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

/**
 * `npm run vendor-scalar -- 1.72.1` copies the reference page's program from the npm package @scalar/api-reference. The package
 * itself is not a dependency: it would add many packages to production, and the page needs one file of it (docs/adr/0022).
 */

const PACKAGE = '@scalar/api-reference';
const [version] = process.argv.slice(2);
if (version === undefined) throw new Error('name the version');

const directory = mkdtempSync(join(tmpdir(), 'scalar-'));
try {
  const npm = (args: string[]) => execFileSync('npm', args, { cwd: directory, encoding: 'utf8' });
  const [{ filename, integrity }] = JSON.parse(npm(['pack', `${PACKAGE}@${version}`, '--json']));
  execFileSync('tar', ['xzf', filename.replace('@', '').replace('/', '-')], { cwd: directory });
  const program = readFileSync(join(directory, 'package/dist/browser/standalone.js'));
  const target = new URL('../api/reference/scalar/', import.meta.url);
  writeFileSync(new URL('standalone.js.br', target), brotliCompressSync(program));
  const { license } = JSON.parse(readFileSync(join(directory, 'package/package.json'), 'utf8'));
  const sha256 = createHash('sha256').update(program).digest('hex');
  const manifest = { package: PACKAGE, version, license, integrity, file: 'dist/browser/standalone.js', sha256 };
  writeFileSync(new URL('manifest.json', target), `${JSON.stringify(manifest, null, 2)}\n`);
} finally {
  rmSync(directory, { recursive: true });
}
