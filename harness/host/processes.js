import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';

/** @import { ChildProcess } from 'node:child_process' */
/** @import { Writable } from 'node:stream' */

/** Time to drain the pipes of a process that has exited. */
const DRAIN_MS = 1_000;

/**
 * @typedef {object} GroupEnd
 * @property {number | null} status null where the leader did not start or was killed
 * @property {NodeJS.Signals | null} signal that ended the leader
 * @property {'timeout' | 'interrupt' | null} killedFor why the group was killed here
 * @property {Error | null} error why the leader did not start
 */

/**
 * Waits for the end of a process that leads a group, and kills the group at its time limit or when the
 * signal aborts.
 *
 * @param {ChildProcess} child just started with `detached`
 * @param {{ timeoutMs: number, signal?: AbortSignal | undefined }} limits
 * @returns {Promise<GroupEnd>}
 */
export function waitForGroup(child, { timeoutMs, signal: interrupts }) {
  return new Promise((resolve) => {
    /** @type {GroupEnd['killedFor']} */
    let killedFor = null;
    /** @param {NonNullable<GroupEnd['killedFor']>} reason */
    const kill = (reason) => {
      killedFor ??= reason;
      killGroup(child.pid, 'SIGKILL');
    };
    const interrupt = () => kill('interrupt');
    const timeout = setTimeout(() => kill('timeout'), timeoutMs);
    interrupts?.addEventListener('abort', interrupt);
    if (interrupts?.aborted === true) interrupt();
    /** @param {Omit<GroupEnd, 'killedFor'>} end */
    const finish = (end) => {
      clearTimeout(timeout);
      interrupts?.removeEventListener('abort', interrupt);
      resolve({ ...end, killedFor });
    };
    child.on('error', (error) => finish({ status: null, signal: null, error }));
    superviseExit(child);
    child.on('close', (status, signal) => finish({ status, signal, error: null }));
  });
}

/**
 * Kills what remains of a group when its leader exits, and does not wait for a process that left the
 * group and holds its pipes open, so `close` always follows `exit`. The group is also killed if this
 * process is killed.
 *
 * @param {ChildProcess} child started with `detached`
 * @param {() => void} [onHeldOpen] called where another process still holds the pipes after the drain
 */
export function superviseExit(child, onHeldOpen) {
  /** @type {NodeJS.Timeout | undefined} */
  let drainTimer;
  const endWatchdog = startWatchdog(child.pid);
  child.on('exit', function endGroup() {
    killGroup(child.pid, 'SIGKILL');
    endWatchdog();
    drainTimer = setTimeout(function closePipes() {
      onHeldOpen?.();
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, DRAIN_MS);
  });
  child.on('close', () => clearTimeout(drainTimer));
}

/**
 * Reads lines `begin GROUP` and `end GROUP`. A killed process cannot kill its workers, but its end of a
 * pipe is always closed, which a worker in a busy loop would not notice itself. A process that left the
 * group of its worker is found by the variable that all workers of this process pass on; the search is
 * repeated, since a process that is just starting has no readable environment yet.
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
let watchdog = null;

/**
 * Makes a shell kill a group of processes when this process ends for any reason. One shell serves all
 * groups and costs a worker no time, unlike a launcher that would set a parent-death signal.
 *
 * @param {number | undefined} pid of the leader of a process group
 * @returns {() => void} to be called when the group has ended
 */
export function startWatchdog(pid) {
  if (pid === undefined) return () => {};
  watchdog ??= startShell();
  const shell = watchdog;
  shell.write(`begin ${pid}\n`);
  return () => void shell.write(`end ${pid}\n`);
}

/** @returns {Writable} standard input of the shell */
function startShell() {
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'watchdog', OWN_MARK], {
    // A separate session, because Ctrl-C is meant for this process; at the root, to block no directory.
    detached: true,
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // A host without a shell has no watchdog, and measures anyway.
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  /** @type {import('node:net').Socket} */ (shell.stdin).unref();
  return shell.stdin;
}

/** Variable that a worker passes on to everything that it starts, so that a process which left its group
 * and its session can be found. Jenkins kills the leftovers of a build in the same way. */
const MARK = 'ASSAY_WORKER';
const OWN = randomUUID();
/** Start of this variable in the environment of all workers of this process. */
const OWN_MARK = `${MARK}=${OWN}.`;
/** Orphans may start others during the search, which is therefore repeated. */
const MAX_ROUNDS = 5;

/**
 * @typedef {object} Mark
 * @property {Record<string, string>} variables for the environment of a worker; all marks have the same
 *   length, because the size of the environment moves the stack of what is measured
 * @property {Set<string>} others ids of the processes that existed before
 */

/** Makes the mark of the next worker. Call it just before the worker starts. @type {() => Mark} */
export function markWorker() {
  return { variables: { [MARK]: `${OWN}.${randomUUID()}` }, others: new Set(listProcesses()) };
}

/**
 * Kills the processes that carry the mark of a worker. Without `/proc` none are found.
 *
 * @param {Mark} mark
 */
export function killOrphans({ variables, others }) {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const strays = listProcesses().filter(
      (pid) => !others.has(pid) && readVariables(pid).includes(`${MARK}=${variables[MARK]}`),
    );
    if (strays.length === 0) return;
    strays.forEach(kill);
  }
}

/**
 * @param {string} stat content of `/proc/PID/stat`, see proc(5)
 * @returns {string[]} its fields from the third on, the state; the name before it may contain blanks
 */
export function splitProcessStat(stat) {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** @returns {string[]} ids of all visible processes */
function listProcesses() {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/**
 * @param {string} pid
 * @returns {string[]} `NAME=value`; none where it has ended or belongs to another user
 */
function readVariables(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** @param {string} pid */
function kill(pid) {
  try {
    process.kill(Number(pid), 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/**
 * Sends a signal to all processes of a group.
 *
 * @param {number | undefined} pid of the leader of a process group
 * @param {NodeJS.Signals} signal
 */
export function killGroup(pid, signal) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended.
  }
}

/** The only variables that a worker sees. Others would change what is measured, such as NODE_OPTIONS, or
 * pass credentials to foreign code. */
const PASSED_VARIABLES = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'TZ', 'SystemRoot'];

/**
 * @param {Record<string, string | undefined>} environment
 * @returns {Record<string, string>} the variables that a measured process may see
 */
export function pickVariables(environment) {
  /** @type {Record<string, string>} */
  const picked = {};
  for (const name of PASSED_VARIABLES) {
    const value = environment[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}
