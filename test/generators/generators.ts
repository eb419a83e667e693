import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { downloaded, maven, run, type Tools } from './programs.ts';

/** The generators, each with its pinned version, how its code is compiled, and the program that uses it. */

export type Generator = {
  readonly name: string;
  /** Programs without which it is not tried. */
  readonly needs: readonly string[];
  /** What the generator says of itself, whatever it reads. */
  readonly notices?: readonly string[];
  /** Answers what it printed. */
  readonly generate: (place: {
    readonly document: string;
    readonly own: string;
    readonly tools: Tools;
  }) => Promise<string>;
  /** Absent: there is no compiler for it here. */
  readonly compile?: {
    readonly needs?: readonly string[];
    readonly build: (place: { readonly own: string; readonly tools: Tools }) => Promise<unknown>;
    readonly program: (place: {
      readonly own: string;
      readonly tools: Tools;
    }) => Promise<{ readonly program: string; readonly args: readonly string[] }>;
  };
};

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const callers = here('callers');

/** One run is over before the second compiler of Java helps. */
const JAVA_FOR_SHORT_RUNS = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
const OPENAPI_GENERATOR = 'org.openapitools:openapi-generator-cli:7.25.0';
/** It prints them for a document of one operation, too. */
const OPENAPI_GENERATOR_NOTICES = [
  'OpenAPI 3.1 support is still in beta',
  'Failed to get the schema name: null',
  'Ignoring complex example on request body',
];

function openapiGenerator(
  language: string,
  options: readonly string[] = [],
): Pick<Generator, 'needs' | 'notices' | 'generate'> {
  return {
    needs: ['java', 'mvn'],
    notices: OPENAPI_GENERATOR_NOTICES,
    generate: async ({ document, own, tools }) =>
      run(
        'java',
        [
          ...JAVA_FOR_SHORT_RUNS,
          '-jar',
          await tools.jar(OPENAPI_GENERATOR),
          'generate',
          '-g',
          language,
          '-i',
          document,
          '-o',
          join(own, 'generated'),
          ...options,
        ],
        { cwd: own },
      ),
  };
}

const PYTHON = 'python3>=3.10';
const OPENAPI_PYTHON_CLIENT = ['openapi-python-client==0.29.1', 'mypy==2.4.1'];
const OPENAPI_GENERATOR_PYTHON = [
  'urllib3==2.8.0',
  'python-dateutil==4.0.0',
  'pydantic==2.14.4',
  'typing-extensions==4.16.0',
  'lazy-imports==1.2.0',
];
const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const OAPI_RUNTIME = 'github.com/oapi-codegen/runtime@v1.9.0';
/** As `php -l` for each file, in one process. */
const PARSE_ALL = `
$files = new RecursiveIteratorIterator(new RecursiveDirectoryIterator('generated/lib', FilesystemIterator::SKIP_DOTS));
foreach ($files as $file) token_get_all(file_get_contents($file), TOKEN_PARSE);`;
const GUZZLE = '/usr/share/php/GuzzleHttp/autoload.php';

const TSC = here('../../node_modules/.bin/tsc');
const TYPESCRIPT = {
  strict: true,
  noEmit: true,
  module: 'esnext',
  moduleResolution: 'bundler',
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  allowImportingTsExtensions: true,
};

/** Its code is checked by `tsc --strict` and bundled, as an application does. */
function typescript(name: string, command: readonly [string, ...string[]]): Generator {
  const [program, ...args] = command;
  return {
    name,
    needs: [],
    generate: async ({ own }) => run(process.execPath, [here(program), ...args], { cwd: own }),
    compile: {
      build: async ({ own }) => {
        await cp(join(callers, `${name.replaceAll(/\W+/g, '-').replace(/^-/, '')}.ts`), join(own, 'caller.ts'));
        const types = ['node'];
        const typeRoots = [here('../../node_modules/@types')];
        await writeFile(
          join(own, 'tsconfig.json'),
          JSON.stringify({ compilerOptions: { ...TYPESCRIPT, types, typeRoots }, include: ['**/*.ts'] }),
        );
        await run(TSC, [], { cwd: own });
        await run(
          here('../../node_modules/.bin/esbuild'),
          ['caller.ts', '--bundle', '--platform=node', '--format=esm', '--outfile=caller.mjs'],
          { cwd: own },
        );
      },
      program: async () => ({ program: process.execPath, args: ['caller.mjs'] }),
    },
  };
}

export const GENERATORS: readonly Generator[] = [
  typescript('openapi-typescript', [
    'node_modules/openapi-typescript/bin/cli.js',
    '../openapi.json',
    '-o',
    'types.ts',
    // Else a field with a default could not be left out.
    '--default-non-nullable=false',
  ]),
  typescript('@hey-api/openapi-ts', [
    'node_modules/@hey-api/openapi-ts/bin/run.js',
    '-i',
    '../openapi.json',
    '-o',
    'client',
    '--no-log-file',
  ]),
  typescript('orval', ['../../node_modules/orval/dist/bin/orval.mjs', '--config', here('orval.config.mjs')]),
  {
    name: 'openapi-python-client',
    needs: [PYTHON],
    generate: async ({ document, own, tools }) => {
      const bin = await tools.python(OPENAPI_PYTHON_CLIENT);
      // It sends no XML. A bank's statement is a file of bytes to it.
      await writeFile(
        join(own, 'config.yaml'),
        'content_type_overrides:\n  application/xml: application/octet-stream\n',
      );
      return run(
        join(bin, 'openapi-python-client'),
        ['generate', '--path', document, '--output-path', 'generated', '--meta', 'none', '--config', 'config.yaml'],
        {
          cwd: own,
          env: { PATH: `${bin}:${process.env.PATH}` },
        },
      );
    },
    compile: {
      build: async ({ own, tools }) => {
        const bin = await tools.python(OPENAPI_PYTHON_CLIENT);
        await cp(join(callers, 'openapi_python_client.py'), join(own, 'caller.py'));
        await run(join(bin, 'mypy'), ['--ignore-missing-imports', '--follow-imports=silent', 'caller.py'], {
          cwd: own,
        });
      },
      program: async ({ tools }) => ({
        program: join(await tools.python(OPENAPI_PYTHON_CLIENT), 'python'),
        args: ['caller.py'],
      }),
    },
  },
  {
    name: 'openapi-generator python',
    ...openapiGenerator('python'),
    // The report of revenue has the parameter `from`. No model of this name is made.
    notices: [...OPENAPI_GENERATOR_NOTICES, 'From (reserved word) cannot be used as model name'],
    compile: {
      needs: [PYTHON],
      build: async ({ own, tools }) => {
        const bin = await tools.python(OPENAPI_GENERATOR_PYTHON);
        await cp(join(callers, 'openapi_generator.py'), join(own, 'generated', 'caller.py'));
        await run(join(bin, 'python'), ['-m', 'compileall', '-q', 'generated/openapi_client'], { cwd: own });
      },
      program: async ({ tools }) => ({
        program: join(await tools.python(OPENAPI_GENERATOR_PYTHON), 'python'),
        args: ['generated/caller.py'],
      }),
    },
  },
  {
    name: 'openapi-generator java',
    // Without the option it leaves out a form that its code for JSON imports.
    ...openapiGenerator('java', ['--global-property', 'skipFormModel=false']),
    compile: {
      build: async ({ own }) => {
        await cp(join(callers, 'Caller.java'), join(own, 'generated/src/main/java/Caller.java'));
        await maven(
          ['-DskipTests', '-Dmaven.javadoc.skip', 'compile', 'dependency:copy-dependencies', '-DincludeScope=runtime'],
          join(own, 'generated'),
        );
      },
      program: async () => ({
        program: 'java',
        args: ['-cp', 'generated/target/classes:generated/target/dependency/*', 'Caller'],
      }),
    },
  },
  {
    name: 'openapi-generator php',
    ...openapiGenerator('php'),
    compile: {
      needs: ['php', GUZZLE],
      build: async ({ own }) => {
        await cp(join(callers, 'caller.php'), join(own, 'caller.php'));
        await run('php', ['-r', PARSE_ALL], { cwd: own });
      },
      program: async () => ({ program: 'php', args: ['caller.php'] }),
    },
  },
  { name: 'openapi-generator csharp', ...openapiGenerator('csharp') },
  {
    name: 'oapi-codegen',
    needs: ['go'],
    generate: async ({ document, own, tools }) => {
      await writeFile(join(own, 'go.mod'), 'module caller\n\ngo 1.24\n');
      return run(
        join(await tools.go(OAPI_CODEGEN), 'oapi-codegen'),
        ['-generate', 'types,client', '-package', 'main', '-o', 'client.go', document],
        { cwd: own },
      );
    },
    compile: {
      build: async ({ own }) => {
        await cp(join(callers, 'caller.go.txt'), join(own, 'caller.go'));
        await downloaded(OAPI_RUNTIME, run('go', ['get', OAPI_RUNTIME], { cwd: own }));
        await run('go', ['build', '-o', 'caller', '.'], { cwd: own });
      },
      program: async () => ({ program: './caller', args: [] }),
    },
  },
];
