import { readFileSync, statSync } from 'node:fs';
import { readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MachineError } from '../../lib/errors.js';
import { demangle } from '../formats/demangle.js';
import { readElfSymbols } from './support/elf-symbols.js';
import { exportSpeedscope } from '../formats/speedscope.js';
import { importPerfData, importPerfScript, resolvePerfMap } from '../formats/perf.js';
import { readInlining } from '../v8-log/log-reader.js';
import { DEFAULT_WORK, nameRecording, useDirectory } from './support/recording.js';
import { probePerf } from './support/tools.js';
import { runTool } from '../../host/tools.js';

/** @import { RecordContext, Recorder } from '../../formats/types.ts' */
/** @import { FindSymbol } from './support/elf-symbols.js' */
/** @import { ImportSettings } from '../formats/perf.js' */

/** Not a multiple of 1000, so that samples do not align with timers of whole milliseconds. */
const FREQUENCY_HZ = 2_999;
/** Buffer of each processor. The usual 128 pages would be all that a user may lock; samples of 100 ms fit into these. */
const BUFFER_PAGES = 32;
/** Writes its process id, which is in the name of the perf map, and becomes the worker. */
const WRITE_PID = 'echo $$ >"$0" && exec "$@"';
const SCRIPT_TIMEOUT_MS = 60_000;
const MS_PER_SECOND = 1000;

/** @type {Recorder} */
export const recorder = {
  name: 'perf',
  summary:
    'call stacks by Linux perf: functions (inlined ones too), V8 builtins, native code, libc',
  processes: 3,
  scope: 'process',
  needs: ['perf-map'],
  unfitForSandbox: 'names of compiled functions are in a /tmp that is removed with the sandbox',
  probe: probePerf,
  record(context) {
    return useDirectory((directory) => recordStacks(context, directory));
  },
};

/** @param {RecordContext} context @param {string} directory for temporary files */
async function recordStacks(
  { exercise, job, node, host, artefactBase, signal, sources },
  directory,
) {
  const dataPath = join(directory, 'perf.data');
  const logPath = join(directory, 'v8.log');
  const pidPath = join(directory, 'pid');
  const frequencyHz = chooseFrequency();
  try {
    const done = await exercise({
      work: DEFAULT_WORK,
      flags: listFlags(logPath),
      records: 'stacks',
      wrapper: composeWrapper({ dataPath, pidPath, frequencyHz }),
    });
    const settings = {
      window: done.window,
      frequencyHz,
      describe: sources.describe,
      buildPath: await resolveBuild(job.variant.buildPath ?? null),
      loop: job.variant.program?.loop ?? null,
    };
    const mapPath = await locateMap(pidPath);
    const profile =
      node === null
        ? await importProgram(dataPath, mapPath, settings, { host, signal })
        : importPerfData(await readFile(dataPath), settings, {
            map: await readFile(mapPath, 'utf8'),
            findInlined: readInlining(await readFile(logPath, 'utf8')),
            findSymbol: openSymbols(),
          });
    const path = `${artefactBase}.perf.speedscope.json`;
    const name = nameRecording(job);
    await writeFile(path, JSON.stringify(exportSpeedscope([{ name, profile }], name)));
    return { exercise: done, artefacts: [path] };
  } finally {
    await removeMap(pidPath);
  }
}

/**
 * Has perf name the code of a family's own program, which may be in any language.
 *
 * @param {string} dataPath
 * @param {string} mapPath
 * @param {ImportSettings} settings
 * @param {Pick<RecordContext, 'host' | 'signal'>} context
 */
async function importProgram(dataPath, mapPath, settings, { host, signal }) {
  const { startMs, endMs } = settings.window;
  // Samples of the warm-up are left out here: printing them takes longer than the recording.
  const time = [startMs, endMs].map((ms) => (ms / MS_PER_SECOND).toFixed(9)).join();
  const { stdout } = await runTool(
    'perf',
    ['script', '-i', dataPath, '--time', time, '-F', 'comm,tid,time,ip,sym,dso', '--no-inline'],
    { environment: host.environment, timeoutMs: SCRIPT_TIMEOUT_MS, signal, name: 'perf script' },
  );
  // A program without a JIT compiler writes no map.
  const map = await readFile(mapPath, 'utf8').catch(() => null);
  return importPerfScript(map === null ? stdout : resolvePerfMap(stdout, map), settings);
}

/** What was read of programs and libraries, by path, size and time of change. @type {Map<string, FindSymbol>} */
const tables = new Map();

/** @returns {(object: string, offset: number) => string | null} names code in programs and libraries for one recording */
function openSymbols() {
  /** @type {Map<string, FindSymbol>} */
  const ofObjects = new Map();
  return function findSymbol(object, offset) {
    const known = ofObjects.get(object) ?? openTable(object);
    ofObjects.set(object, known);
    const symbol = known(offset);
    return symbol === null ? null : demangle(symbol);
  };
}

/** @type {(path: string) => FindSymbol} */
function openTable(path) {
  const { size = 0, mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  const key = `${path} ${size} ${mtimeMs}`;
  const table = tables.get(key) ?? readElfSymbols(path);
  tables.set(key, table);
  return table;
}

/**
 * Always samples by the software clock: most virtual machines have no hardware counters, and a sample
 * represents the same time on every machine.
 *
 * @param {object} settings
 * @param {string} settings.dataPath
 * @param {string} settings.pidPath
 * @param {number} settings.frequencyHz
 * @returns {string[]} command that runs the worker
 */
export function composeWrapper({ dataPath, pidPath, frequencyHz }) {
  const clock = ['-k', 'CLOCK_MONOTONIC', '-e', 'cpu-clock:u', '-F', String(frequencyHz)];
  // Build ids (-N, -B) and BPF programs take longer than the recording itself.
  const fast = ['-N', '-B', '--no-bpf-event'];
  const buffer = ['-m', String(BUFFER_PAGES)];
  const record = ['perf', 'record', '-q', ...clock, '-g', ...fast, ...buffer, '-o', dataPath];
  return [...record, '--', '/bin/sh', '-c', WRITE_PID, pidPath];
}

/**
 * @param {string} logPath of V8's log, the source of inlining positions
 * @returns {string[]} flags of node
 */
function listFlags(logPath) {
  return [
    '--perf-basic-prof',
    '--interpreted-frames-native-stack',
    '--log-code',
    `--logfile=${logPath}`,
    '--no-logfile-per-isolate',
  ];
}

/** @returns {number} capped by the limit of the kernel, which it lowers if samples take long */
function chooseFrequency() {
  try {
    const limit = Number(readFileSync('/proc/sys/kernel/perf_event_max_sample_rate', 'utf8'));
    return limit > 0 ? Math.min(FREQUENCY_HZ, limit) : FREQUENCY_HZ;
  } catch {
    return FREQUENCY_HZ;
  }
}

/**
 * @param {string} pidPath
 * @returns {Promise<string>} path of the perf map; before Node 24 no flag can change it
 */
async function locateMap(pidPath) {
  const pid = Number(await readFile(pidPath, 'utf8'));
  if (!Number.isSafeInteger(pid) || pid <= 0) {
    throw new MachineError('the process recorded by perf did not write its process id');
  }
  return `/tmp/perf-${pid}.map`;
}

/**
 * @param {string | null} buildPath
 * @returns {Promise<string | null>} without symbolic links, as perf reports it
 */
async function resolveBuild(buildPath) {
  return buildPath === null ? null : realpath(buildPath);
}

/** @param {string} pidPath */
async function removeMap(pidPath) {
  const mapPath = await locateMap(pidPath).catch(() => null);
  if (mapPath !== null) await rm(mapPath, { force: true });
}
