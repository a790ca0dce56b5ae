import { spawn } from 'node:child_process';
import { OWN_MARK } from './end-strays.js';

/** @import { Writable } from 'node:stream' */

/**
 * Reads `begin GROUP` and `end GROUP`. A process that is killed cannot end its workers, but its end of
 * a pipe is closed whatever became of it, and a worker in a busy loop would not notice that itself.
 * What left the group of a worker is known by the mark that all workers of this process carry; it is
 * looked for again and again, for what is just being started has no environment to be read yet.
 */
const SCRIPT = `
trap '' INT TERM HUP
groups=' '
while read -r word group; do
  case "$word" in
    begin) groups="$groups$group " ;;
    end) groups="\${groups%% "$group" *} \${groups#* "$group" }" ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group"; done
[ "$groups" != ' ' ] || exit 0
for round in 1 2 3 4 5; do
  strays=$(grep -lsF -- "$1" /proc/[0-9]*/environ)
  for stray in $strays; do
    stray=\${stray#/proc/}
    kill -s KILL "\${stray%/environ}"
  done
  sleep 0.2
done
`;

/** @type {Writable | null} */
let guard = null;

/**
 * Has a group of processes ended when this process ends, however that comes: a shell that waits for
 * nothing else sees to it. It is started once and costs a worker no time, unlike a program that would
 * set a parent-death signal and then start it.
 *
 * @param {number | undefined} pid of the leader of a process group
 * @returns {() => void} to be called when the group has ended
 */
export function guardGroup(pid) {
  if (pid === undefined) return () => {};
  guard ??= startGuard();
  const told = guard;
  told.write(`begin ${pid}\n`);
  return () => void told.write(`end ${pid}\n`);
}

/** @returns {Writable} standard input of the shell */
function startGuard() {
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'guard', OWN_MARK], {
    // In a session of its own, for a Ctrl-C is meant for us; at the root, to hold no directory.
    detached: true,
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // A host without a shell has no guard, and measures all the same.
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  /** @type {import('node:net').Socket} */ (shell.stdin).unref();
  return shell.stdin;
}
