import { spawnSync } from 'node:child_process';
import { StartupError } from '../../config/startup-error.ts';

/**
 * How to run PostgreSQL's programs. They refuse to run as root, so root runs them as the user `postgres`, which is created if
 * it does not exist. `wrap` turns a program and its arguments into the command to spawn, with the uid and gid of `user`.
 */
export type PostgresRunner = {
  /** The user who must own the data; undefined if it is this process's user. */
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
  wrap(program: string, args: readonly string[]): { command: string; args: readonly string[] };
};

const USER = 'postgres';

const asIs: PostgresRunner['wrap'] = (command, args) => ({ command, args });

/**
 * @param paths existing paths that the programs must reach
 * @throws StartupError when root can neither find nor create the user, or the user cannot reach the paths.
 */
export function postgresRunner(paths: readonly string[]): PostgresRunner {
  if (process.getuid?.() !== 0) return { owner: undefined, user: undefined, wrap: asIs };
  const owner = findUser() ?? makeUser();
  if (canReach(paths, asIs, owner)) return { owner, user: owner, wrap: asIs };
  // For example, other users cannot read a checkout under /root. The process may then keep root's capability to pass through
  // directories, and no other.
  const keeping = keepingRightOfWay(owner);
  if (canReach(paths, keeping, undefined)) return { owner, user: undefined, wrap: keeping };
  throw new StartupError(
    `PostgreSQL does not run as root, and the user ${USER} cannot reach ${paths.join(' and ')}. ` +
      'Start as a normal user, set DATABASE_URL to a database of your own, or use directories that every user may pass through.',
  );
}

function findUser(): { uid: number; gid: number } | undefined {
  const uid = idOf('-u');
  const gid = idOf('-g');
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

function idOf(flag: '-u' | '-g'): number | undefined {
  const { status, stdout } = spawnSync('id', [flag, USER], { encoding: 'utf8' });
  return status === 0 ? Number.parseInt(stdout, 10) : undefined;
}

function makeUser(): { uid: number; gid: number } {
  const made = spawnSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', USER], {
    encoding: 'utf8',
  });
  const user = findUser();
  if (user !== undefined) return user;
  const why = made.error?.message ?? made.stderr.trim();
  throw new StartupError(
    `PostgreSQL does not run as root, and the user ${USER} could not be made (${why}). ` +
      'Start as a normal user, or set DATABASE_URL to a database of your own.',
  );
}

function canReach(paths: readonly string[], wrap: PostgresRunner['wrap'], user: PostgresRunner['user']): boolean {
  const script = 'for path; do test -r "$path" && test -x "$path" || exit 1; done';
  const { command, args } = wrap('/bin/sh', ['-c', script, 'reach', ...paths]);
  return spawnSync(command, args, { ...user, cwd: '/', stdio: 'ignore' }).status === 0;
}

function keepingRightOfWay({ uid, gid }: { uid: number; gid: number }): PostgresRunner['wrap'] {
  const right = '+dac_override';
  const flags = [
    ...[`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--inh-caps', right, '--ambient-caps', right],
    ...['--securebits', '+no_setuid_fixup'], // without this, access(2), with which initdb looks for its files, ignores the capability
  ];
  return (program, args) => ({ command: 'setpriv', args: [...flags, '--', program, ...args] });
}
