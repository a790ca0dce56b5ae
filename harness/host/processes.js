import { spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';

/** @import { ChildProcess } from 'node:child_process' */
/** @import { Writable } from 'node:stream' */

/** Time to drain the pipes of a process that has exited, and its parts: between two of them the pipes are read. */
const DRAIN_MS = 1_000;
const DRAIN_TURNS = 10;

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
    let turns = 0;
    // A single timer would end before the pipes are read if this process stands still for as long.
    drainTimer = setInterval(function closePipes() {
      if (++turns < DRAIN_TURNS) return;
      clearInterval(drainTimer);
      onHeldOpen?.();
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, DRAIN_MS / DRAIN_TURNS);
  });
  child.on('close', () => clearInterval(drainTimer));
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
/** Variable with the limit of the size of files, in blocks, that `LIMITS_SCRIPT` of `run/jobs.js` sets and removes. */
export const FILE_BLOCKS = 'ASSAY_FILE_BLOCKS';
/** 4 GiB; profilers record some hundred megabytes. */
export const MAX_FILE_BLOCKS = 4 * 2 ** 21;
/** Blocks of `ulimit -f`: 512 bytes in POSIX, 1024 in some shells. */
const BLOCK_BYTES = [512, 1024];
/** How many limits there are to tell workers apart by. */
const LIMITS = 65_536;
/** Orphans may start others during the search, which is therefore repeated. */
const MAX_ROUNDS = 5;

/**
 * @typedef {object} Mark
 * @property {Record<string, string>} variables for the environment of a worker; all marks have the same
 *   length, because the size of the environment moves the stack of what is measured
 * @property {number} fileBlocks limit of the size of files, which differs from worker to worker: a process that clears
 *   its environment still has it, and only root can raise it
 * @property {Set<string>} others ids of the processes that existed before
 * @property {Map<string, number>} descendants when each was started that was seen while the worker ran, by its id
 */

/** Makes the mark of the next worker. Call it just before the worker starts. @type {() => Mark} */
export function markWorker() {
  const fileBlocks = MAX_FILE_BLOCKS - randomInt(LIMITS);
  const variables = { [MARK]: `${OWN}.${randomUUID()}`, [FILE_BLOCKS]: String(fileBlocks) };
  return { variables, fileBlocks, others: new Set(listProcesses()), descendants: new Map() };
}

/** Remembers a descendant of a worker, which may lose its parent and its mark. @param {Mark} mark @param {string} pid */
export function noteDescendant({ descendants }, pid) {
  const started = readStartTicks(Number(pid));
  if (started !== null) descendants.set(pid, started);
}

/**
 * Kills the processes that a worker has left behind: those that carry its mark, have its limit of the size of files, or
 * were seen as its descendants. Without `/proc` none are found. One that changes all of these escapes, if it has lost its
 * parent within half a second.
 *
 * @param {Mark} mark
 */
export function killOrphans({ variables, fileBlocks, others, descendants }) {
  const own = `${MARK}=${variables[MARK]}`;
  const limits = BLOCK_BYTES.map((bytes) => String(bytes * fileBlocks));
  const isOrphan = (/** @type {string} */ pid) =>
    !others.has(pid) &&
    (readVariables(pid).includes(own) ||
      limits.includes(readFileLimit(pid)) ||
      descendants.get(pid) === readStartTicks(Number(pid)));
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const strays = listProcesses().filter(isOrphan);
    if (strays.length === 0) return;
    strays.forEach(kill);
  }
}

/** @type {(pid: string) => string} bytes, or `unlimited`; empty where it has ended or belongs to another user */
function readFileLimit(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/limits`, 'utf8');
    return /^Max file size +\S+ +(\S+)/m.exec(text)?.[1] ?? '';
  } catch {
    return '';
  }
}

/**
 * @param {string} stat content of `/proc/PID/stat`, see proc(5)
 * @returns {string[]} its fields from the third on, the state; the name before it may contain blanks
 */
export function splitProcessStat(stat) {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/**
 * @param {number} pid
 * @returns {number | null} when a process started, in clock ticks after boot; null where it does not
 *   exist, is a zombie, or there is no /proc
 */
export function readStartTicks(pid) {
  try {
    const fields = splitProcessStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    // The state and, field 22, the start time.
    return fields[0] === 'Z' || fields[0] === 'X' ? null : Number(fields[19]);
  } catch {
    return null;
  }
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
