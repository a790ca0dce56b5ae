import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { homedir, totalmem } from 'node:os';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { isMemoryJob } from '../formats/memory-kinds.js';
import { FILE_BLOCKS, MAX_FILE_BLOCKS } from '../host/processes.js';
import { findTool } from '../host/tools.js';
import { MachineError } from '../lib/errors.js';
import { IS_INSTALLED } from '../lib/program.js';
import { PROJECT } from '../lib/project.js';
import { figureOf } from '../stats/figure.js';
import { runWorker } from './process.js';
import { OWN_RUNTIME, knownRuntime } from '../variants/runtimes.js';
import { wrapCommand } from './sandbox.js';

/** @import { Cell, ExerciseJob, Job, JobVariant, Manifest, MeasureJob, MemoryJobKind, PreparedCorpus, ResolvedVariant, Runtime, RuntimeDescription, Sandbox } from '../formats/types.ts' */
/** @import { Session } from './run.js' */
/** @import { WorkerCommand, WorkerOutcome } from './process.js' */

/** A timed job takes a few seconds; one that takes this long hangs. */
const JOB_TIMEOUT_MS = 30_000;
/**
 * The reference may be slow, and its output is of every document of a large corpus; a slow variant takes seconds
 * for its contract, and a busy machine makes them many.
 */
const CHECK_TIMEOUT_MS = 180_000;
/** Reading a million documents and collecting around them takes nearly a minute; ten times that hangs. */
const MEMORY_TIMEOUT_MS = 600_000;

/** Allowance for starting a worker, preparing a corpus, a long pass and writing the recording. */
const SPARE_MS = 30_000;
/** How many times longer than planned the work may take on a busy machine, with a slow recorder. */
const SLOWDOWN = 20;

/** Size of V8's new space; every window of an allocation job must fit into half of it. */
const NEW_SPACE_MIB = 256;
/** Share of the machine's memory for the heap of a job that holds documents. */
const HEAP_SHARE = 0.75;
/** Shares of the machine's memory that a worker may use: in a job that holds documents, which needs more than
 * its heap, and in any other, which needs a few hundred megabytes. */
const MEMORY_JOB_SHARE = 0.85;
const OTHER_SHARE = 0.5;

/** More than any variant has modules; node and java raise their limit to the maximum. */
const MAX_OPEN_FILES = 4_096;

/**
 * How a job runs, beside what its kind asks for.
 *
 * @typedef {object} HowToRun
 * @property {number | number[] | undefined} [cpus] the only processors that it may use
 * @property {string[]} [flags] of Node, in addition, for the JavaScript worker alone
 * @property {'stacks' | 'instructions'} [records] what is observed from outside, for which a program may need arguments
 * @property {string[]} [wrapper] words before the command of the worker, inside of the sandbox
 * @property {string[]} [writes] absolute paths of files that it writes, besides those that the job names
 * @property {string[]} [worker] path and arguments of a JavaScript worker, in place of the usual one
 * @property {number} [timeoutMs] in place of the usual limit
 */

/**
 * Runs one job, and resolves with the report of its worker or with how it failed.
 *
 * @callback RunJob
 * @param {Job} job
 * @param {HowToRun} [how]
 * @returns {Promise<WorkerOutcome>}
 */

/**
 * Returns what runs the jobs of a session: a function of the session's own, or one that starts a fresh process for each
 * job, of the JavaScript worker or of the program by which the variant is measured.
 *
 * @param {string[]} nodeFlags for timed jobs
 * @param {Pick<Session, 'environment' | 'signal' | 'sandbox' | 'runJob'>} session
 * @param {Runtime[]} [runtimes] for jobs that name one
 * @returns {RunJob}
 */
export function openJobRunner(nodeFlags, session, runtimes = []) {
  const { environment, signal, sandbox } = session;
  if (session.runJob !== undefined) return session.runJob;
  return function runJob(job, { cpus, wrapper = [], writes = [], ...how } = {}) {
    const runtime = knownRuntime(job.runtime);
    const { flags, timeoutMs } = limitJob(job, takesFlags(runtime) ? nodeFlags : []);
    const command = {
      ...composeCommand(job, { ...chooseStart(job.runtime, runtimes), flags }, how),
      environment,
      timeoutMs: how.timeoutMs ?? timeoutMs + countStartMs(job.runtime),
      signal,
    };
    const pinned = cpus === undefined ? [] : ['taskset', '--cpu-list', String(cpus)];
    return runConfined(job, command, { sandbox, wrapper: [...pinned, ...wrapper], writes });
  };
}

/**
 * The command that starts the worker of a job: a program of the family, or the JavaScript worker.
 *
 * @param {{ variant: JobVariant }} job
 * @param {WorkerStart & { flags: string[] }} start of the JavaScript worker
 * @param {Pick<HowToRun, 'flags' | 'records' | 'worker'>} [how]
 * @returns {Pick<WorkerCommand, 'executable' | 'args'>}
 */
export function composeCommand({ variant: { program } }, start, how = {}) {
  const { flags = [], records, worker } = how;
  if (program === undefined) return composeStart(start, [...start.flags, ...flags], worker);
  const { executable, args, recordingArgs = [], countingArgs = [] } = program;
  if (records === 'stacks') return { executable, args: [...recordingArgs, ...args] };
  if (records === 'instructions') return { executable, args: [...countingArgs, ...args] };
  return { executable, args };
}

/**
 * @param {RuntimeDescription} runtime
 * @returns {boolean} whether flags that a user gives or an operation asks for are passed on to it
 */
export function takesFlags({ capabilities }) {
  return capabilities.includes('node-flags');
}

/** @type {(job: Job, nodeFlags: string[]) => { flags: string[], timeoutMs: number }} */
function limitJob(job, nodeFlags) {
  if (isMemoryJob(job)) {
    const { flags, timeoutMs } = limitMemoryJob(job.kind);
    return { flags: [...nodeFlags, ...flags], timeoutMs };
  }
  if (job.kind === 'exercise') return { flags: nodeFlags, timeoutMs: limitExercise(job.work) };
  if (job.kind !== 'measure') return { flags: [], timeoutMs: CHECK_TIMEOUT_MS };
  return { flags: [...nodeFlags, ...figureOf(job).nodeFlags], timeoutMs: JOB_TIMEOUT_MS };
}

/**
 * @param {ExerciseJob['work']} work
 * @returns {number} milliseconds after which the worker is considered to hang; the number of passes says
 *   nothing about their time, so a recorder that asks for passes sets its own limit
 */
export function limitExercise(work) {
  return SPARE_MS + ('passes' in work ? 0 : SLOWDOWN * (work.warmUpMs + work.recordMs));
}

/**
 * @param {MemoryJobKind} kind
 * @returns {{ flags: string[], timeoutMs: number }} flags of node in addition to those of the run, if the
 *   JavaScript worker does the job, and the time limit in any worker
 */
export function limitMemoryJob(kind) {
  return { flags: listMemoryFlags(kind), timeoutMs: MEMORY_TIMEOUT_MS };
}

/** @param {MemoryJobKind} kind */
function listMemoryFlags(kind) {
  switch (kind) {
    case 'allocation':
      return [
        '--expose-gc',
        `--min-semi-space-size=${NEW_SPACE_MIB}`,
        `--max-semi-space-size=${NEW_SPACE_MIB}`,
      ];
    case 'collections':
      return [];
    default: {
      const heapMib = Math.floor((totalmem() * HEAP_SHARE) / 2 ** 20);
      return ['--expose-gc', `--max-old-space-size=${heapMib}`];
    }
  }
}

/**
 * What starts the JavaScript worker under a runtime.
 *
 * @typedef {object} WorkerStart
 * @property {string} executable absolute path
 * @property {(flags: readonly string[]) => string[]} listArguments those before the path of the worker
 */

/**
 * @param {string | undefined} name that a job gives, with the exact version
 * @param {Runtime[]} runtimes of the run
 * @returns {WorkerStart}
 * @throws {Error} when the run has no such runtime, which is a defect
 */
export function chooseStart(name, runtimes) {
  const description = knownRuntime(name);
  const found = runtimes.find(({ runtime }) => runtime === name);
  if ('find' in description) {
    const { listArguments } = description;
    const runtime = found ?? refuseMissing(name);
    return {
      executable: process.execPath,
      listArguments: (flags) => listArguments(flags, runtime),
    };
  }
  const { listArguments } = description;
  const isOwn = name === undefined || name === OWN_RUNTIME;
  const { executable } = isOwn ? { executable: process.execPath } : (found ?? refuseMissing(name));
  return { executable, listArguments };
}

/** @type {(name: string | undefined) => never} */
function refuseMissing(name) {
  throw new Error(`the run has no runtime ${name}`);
}

/** @type {(start: WorkerStart, flags: string[], worker?: string[]) => Pick<WorkerCommand, 'executable' | 'args'>} */
export function composeStart({ executable, listArguments }, flags, worker = [PROJECT.workerPath]) {
  return { executable, args: [...listArguments(flags), ...worker] };
}

/** @param {string | undefined} name that a job gives */
function countStartMs(name) {
  const description = knownRuntime(name);
  return 'startMs' in description ? description.startMs : 0;
}

/**
 * The fields that every job has.
 *
 * @param {string} id
 * @param {object} arm
 * @param {ResolvedVariant} arm.variant
 * @param {{ name: string, path: string }} arm.family whose operations are used with the variant
 * @param {Parameters<typeof chooseRuntime>[1]} [cell]
 * @returns {Pick<Job, 'formatVersion' | 'id' | 'family' | 'familyPath' | 'variant' | 'runtime'>}
 */
export function describeJob(id, { variant, family }, cell) {
  return {
    formatVersion: FORMAT_VERSION,
    id,
    family: family.name,
    familyPath: family.path,
    variant: describeJobVariant(variant),
    ...describeJobRuntime(variant, cell),
  };
}

/**
 * @param {{ packages?: Manifest['packages'] | undefined, server?: Manifest['server'] | undefined }} manifest
 * @returns {Pick<MeasureJob, 'packages' | 'server'>} what operations use, in a job; the address of a server that runs
 *   already may contain a password, and is never stored
 */
export function describeEquipment({ packages = {}, server }) {
  if (server === undefined) return { packages };
  const { name, addressVariable } = server;
  if (addressVariable === undefined) return { packages, server };
  const address = process.env[addressVariable];
  if (address === undefined) {
    throw new MachineError(`the run used the ${name} of ${addressVariable}, which is not set`, {
      remedy: `set ${addressVariable} to the address of one`,
    });
  }
  return { packages, server: { ...server, address } };
}

/**
 * @param {PreparedCorpus[]} corpora of the run
 * @param {Pick<Cell, 'corpus'>} cell
 * @returns {PreparedCorpus}
 */
export function findCorpus(corpora, { corpus }) {
  return /** @type {PreparedCorpus} */ (corpora.find(({ label }) => label === corpus));
}

/** @type {(variant: ResolvedVariant) => JobVariant} its description in a job */
export function describeJobVariant({
  spec,
  modulePath,
  modules,
  patchedPath,
  settings,
  buildPath,
  program,
}) {
  return {
    spec,
    modulePath,
    ...(modules === undefined ? {} : { modules }),
    ...(patchedPath === undefined ? {} : { patchedPath }),
    settings,
    ...(buildPath === undefined ? {} : { buildPath }),
    ...(program === undefined ? {} : { program }),
  };
}

/**
 * The runtime of a variant: its own if it is pinned to one, or that of the cell.
 *
 * @param {Pick<ResolvedVariant, 'runtime'>} variant
 * @param {{ runtime?: string | undefined }} [cell]
 * @returns {string | undefined} name and exact version; undefined for the Node that runs Assay
 */
export function chooseRuntime(variant, cell) {
  return variant.runtime ?? cell?.runtime;
}

/**
 * @param {Parameters<typeof chooseRuntime>} chosenFrom
 * @returns {Pick<Cell, 'runtime'>} the runtime in a job; empty for the Node that runs Assay
 */
export function describeJobRuntime(...chosenFrom) {
  const runtime = chooseRuntime(...chosenFrom);
  return runtime === undefined ? {} : { runtime };
}

/**
 * @param {JobVariant} a
 * @param {JobVariant} b
 * @returns {boolean} whether both load the same code, so that under the same runtime one check serves both
 */
export function loadsSameCode(a, b) {
  const names = Object.keys(a.settings);
  return (
    a.modulePath === b.modulePath &&
    names.length === Object.keys(b.settings).length &&
    names.every((name) => a.settings[name] === b.settings[name])
  );
}

/**
 * @typedef {object} Confinement
 * @property {Sandbox | null | undefined} sandbox to run the worker in
 * @property {string[]} [wrapper] words before the command of the worker, inside of the sandbox
 * @property {string[]} [writes] absolute paths of files that it writes, besides those that the job names
 */

/**
 * Runs a job in a process with resource limits, and in a sandbox if there is one.
 *
 * @param {Job} job
 * @param {Omit<WorkerCommand, 'limitBytes'>} command
 * @param {Confinement} confinement
 * @returns {Promise<WorkerOutcome>}
 * @throws {MachineError} when a file for the worker to write cannot be created
 */
export async function runConfined(job, command, { sandbox, wrapper = [], writes = [] }) {
  const limited = limitResources([...wrapper, command.executable, ...command.args]);
  const limitBytes = limitResidentBytes(job);
  if (sandbox == null) {
    const [executable, ...args] = limited;
    return runWorker(job, { ...command, executable, args, limitBytes });
  }
  const paths = listJobPaths(job);
  const writable = [...paths.writable, ...writes];
  const named = command.args.filter((word) => isAbsolute(word));
  const readable = [...paths.readable, ...named, ...findInstallations(command)].filter((path) =>
    existsSync(path),
  );
  const created = createFiles(writable);
  try {
    const [executable, ...args] = wrapCommand(limited, { readable, writable }, sandbox);
    // The sandbox has its own /tmp, which a worker finds without a variable.
    const environment = { ...command.environment, TMPDIR: undefined };
    return await runWorker(job, { ...command, executable, args, environment, limitBytes });
  } finally {
    const isEmpty = (/** @type {string} */ path) =>
      statSync(path, { throwIfNoEntry: false })?.size === 0;
    for (const path of created.filter(isEmpty)) rmSync(path);
  }
}

/**
 * Sets the limits, then becomes the worker. One `sh` takes half a millisecond, less than `prlimit` and
 * `choom` together. If memory runs out, the kernel should kill the worker rather than the harness or another
 * program of the user. Limits that the system lacks are skipped.
 */
const LIMITS_SCRIPT = [
  'echo 1000 2>/dev/null >/proc/self/oom_score_adj',
  `ulimit -c 0 2>/dev/null`,
  `ulimit -f "\${${FILE_BLOCKS}:-${MAX_FILE_BLOCKS}}" 2>/dev/null`,
  `ulimit -n ${MAX_OPEN_FILES} 2>/dev/null`,
  `unset ${FILE_BLOCKS}`,
  'exec "$@"',
].join('\n');

/**
 * Wraps a command with resource limits: no core files, files of up to 4 GiB, 4096 open files. Neither the
 * address space nor the number of processes is limited: V8 and Java reserve far more space than they use,
 * and the kernel counts all processes of the user.
 *
 * @param {string[]} words an executable and its arguments
 * @returns {string[]}
 */
export function limitResources(words) {
  if (process.platform === 'win32') return words;
  return ['/bin/sh', '-c', LIMITS_SCRIPT, 'worker', ...words];
}

/**
 * @param {Pick<Job, 'kind'>} job
 * @returns {number} resident memory in bytes that its worker and all its descendants may use
 */
export function limitResidentBytes(job) {
  const constrainedBytes = process.constrainedMemory();
  const available = constrainedBytes > 0 ? Math.min(totalmem(), constrainedBytes) : totalmem();
  const share = isMemoryJob(/** @type {Job} */ (job)) ? MEMORY_JOB_SHARE : OTHER_SHARE;
  return Math.floor(available * share);
}

/**
 * Creates the files that a worker writes, because a sandbox can bind only paths that exist.
 *
 * @param {string[]} paths absolute
 * @returns {string[]} those that did not exist
 * @throws {MachineError} when one cannot be created
 */
function createFiles(paths) {
  return paths.filter((path) => {
    try {
      closeSync(openSync(path, 'ax'));
      return true;
    } catch (cause) {
      if (/** @type {NodeJS.ErrnoException} */ (cause).code === 'EEXIST') return false;
      const { message } = /** @type {Error} */ (cause);
      throw new MachineError(`cannot create a file of a worker: ${message}`, { cause });
    }
  });
}

/**
 * Finds an executable and its libraries: the user's own Node or Java may be in the home directory, which a
 * sandbox hides.
 *
 * @param {Pick<WorkerCommand, 'executable' | 'environment'>} command
 * @returns {string[]} absolute paths, as named and after symbolic links
 */
function findInstallations({ executable, environment }) {
  const found = executable.includes('/') ? executable : findTool(executable, environment);
  if (found === null) return [];
  return [found, realpathSync(found)].flatMap((path) => {
    const directory = dirname(path);
    if (basename(directory) !== 'bin') return [path];
    return [path, join(dirname(directory), 'lib'), join(dirname(directory), 'conf')];
  });
}

/**
 * Lists what a worker has to read for a job, and what the job has it write.
 *
 * @param {Job} job
 * @returns {{ readable: string[], writable: string[] }} absolute paths of files and directories; writable
 *   paths that do not exist are files
 */
export function listJobPaths(job) {
  const { buildPath, modulePath } = job.variant;
  const readable = [...listOwnPaths(), job.familyPath, ...listPackagePaths(modulePath)];
  if (typeof buildPath === 'string') readable.push(buildPath);
  if ('reference' in job && job.reference !== undefined) {
    readable.push(...listPackagePaths(job.reference.modulePath));
  }
  if ('corpus' in job) readable.push(...Object.values(job.corpus.files));
  if ('packages' in job) readable.push(...Object.values(job.packages ?? {}));
  if ('server' in job && job.server?.path !== undefined) readable.push(job.server.path);
  if (job.kind === 'fuzz') {
    // The journal is replaced atomically, by a file beside it; both are alone in their directory.
    return { readable: [...readable, ...job.casesPaths], writable: [dirname(job.journalPath)] };
  }
  if (job.kind === 'output') return { readable, writable: [job.outputPath] };
  if (job.kind === 'exercise' && job.observedPath !== null) {
    return { readable, writable: [job.observedPath] };
  }
  return { readable, writable: [] };
}

/** @returns {string[]} Assay with its dependencies, and the project unless that would show all of the home directory */
function listOwnPaths() {
  const { assayPath, projectPath } = PROJECT;
  const packages = IS_INSTALLED ? dirname(assayPath) : assayPath;
  const holdsHome = !relative(projectPath, homedir()).startsWith('..');
  return holdsHome ? [packages] : [...new Set([packages, projectPath])];
}

/**
 * @param {string} modulePath absolute path
 * @returns {string[]} the package of the module and, if that is a mirror of links, their targets
 */
function listPackagePaths(modulePath) {
  const root = findPackageRoot(modulePath);
  const [manifest, modules] = ['package.json', 'node_modules'].map((name) => {
    const path = join(root, name);
    return existsSync(path) ? realpathSync(path) : null;
  });
  return [
    root,
    ...(manifest == null ? [] : [dirname(manifest)]),
    ...(modules == null ? [] : [modules]),
  ];
}

/**
 * Finds the package of a module: the nearest directory above it whose `package.json` has a name. One without
 * a name only sets how the files beside it are read.
 *
 * @param {string} modulePath absolute path
 * @returns {string} the directory of the module if there is no package
 */
function findPackageRoot(modulePath) {
  const start = dirname(modulePath);
  for (let directory = start; directory !== dirname(directory); directory = dirname(directory)) {
    if (hasName(join(directory, 'package.json'))) return directory;
  }
  return start;
}

/** @param {string} path of a `package.json`, which may not exist */
function hasName(path) {
  try {
    return typeof JSON.parse(readFileSync(path, 'utf8')).name === 'string';
  } catch {
    return false;
  }
}
