import { constants, Script } from 'node:vm';

/**
 * Imports a module as Node does, once for the process. Jest evaluates what a test file imports, with all that it imports in turn, again
 * for each file: for the service this takes seconds. The module's objects have another realm than the test's, so `instanceof` and
 * `toStrictEqual` tell them apart; and its state, such as a counter of metrics, remains from the files before.
 */
export function importOnce<Module>(file: URL): Promise<Module> {
  const importing = new Script(`import(${JSON.stringify(file.href)})`, {
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  return importing.runInThisContext();
}
