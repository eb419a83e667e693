import { ConfigError } from './startup-error.ts';

const ROLES = ['all', 'api', 'worker', 'migrate', 'rotate-keys', 'rebuild-workflows', 'release'] as const;
/**
 * The task of a process. `all` is the embedded stack for development; `api` and `worker` run until they are stopped; the
 * others end.
 */
export type ProcessRole = (typeof ROLES)[number];

/**
 * The role on the command line.
 * @throws ConfigError for none and for any other word
 */
export function parseRole(word: string | undefined): ProcessRole {
  const role = ROLES.find((known) => known === word);
  if (role === undefined)
    throw new ConfigError(`Name the role to run: ${ROLES.join(', ')}. "${word ?? ''}" is not a role.`);
  return role;
}
