import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Identifies the process behind a recorded pid. Pids are reused (soon, in a container that restarts), so a pid is only valid
 * together with the start time of its process.
 */
export type ProcessIdentity = { readonly pid: number; readonly startedAt: string };

/** The identity of a running process, by default this one; undefined if there is none, or only a zombie. */
export function identifyProcess(pid: number = process.pid): ProcessIdentity | undefined {
  const startedAt = process.platform === 'linux' ? startedAtOnLinux(pid) : startedAtElsewhere(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

export function isAlive(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.startedAt === identity.startedAt;
}

/** The path or name of the process's program; undefined if there is no such process. */
export function commandOf(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0];
    if (process.platform === 'win32') return undefined;
    return ps(pid, 'comm=');
  } catch {
    return undefined;
  }
}

function startedAtOnLinux(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command's name and may contain any character; the third, the state, follows its last parenthesis.
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return undefined;
    const ticksSinceBoot = rest[18];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${ticksSinceBoot}`;
  } catch {
    return undefined;
  }
}

function startedAtElsewhere(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
    return process.platform === 'win32' ? 'unknown' : ps(pid, 'lstart=');
  } catch {
    return undefined;
  }
}

function ps(pid: number, column: string): string | undefined {
  const text = execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim();
  return text === '' ? undefined : text;
}
