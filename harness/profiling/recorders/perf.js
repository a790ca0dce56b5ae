import { readFileSync } from 'node:fs';
import { readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MachineError } from '../../lib/errors.js';
import { exportSpeedscope } from '../formats/speedscope.js';
import { importPerfScript, resolvePerfMap } from '../formats/perf.js';
import { PROJECT } from '../../lib/project.js';
import { readInlining } from '../v8-log/log-reader.js';
import { DEFAULT_WORK, nameRecording, useDirectory } from './support/recording.js';
import { probePerf } from './support/tools.js';
import { runTool } from '../../host/tools.js';

/** @import { RecordContext, Recorder } from '../../formats/types.ts' */

/** Odd, so that it does not beat with what happens every millisecond. */
const FREQUENCY_HZ = 2_999;
/** Leaves its process id, which the perf map is named by, and becomes the worker. */
const TELL_PID = 'echo $$ >"$0" && exec "$@"';
const SCRIPT_TIMEOUT_MS = 60_000;

/** @type {Recorder} */
export const recorder = {
  name: 'perf',
  summary: 'stacks by Linux perf: functions, inlined ones too, builtins of V8, its C++ and libc',
  processes: 3,
  scope: 'process',
  unfitForSandbox: 'the names of compiled functions lie in a /tmp that ends with the sandbox',
  probe: probePerf,
  record(context) {
    return useDirectory((directory) => recordStacks(context, directory));
  },
};

/**
 * @param {RecordContext} context
 * @param {string} directory for what is not kept
 */
async function recordStacks({ exercise, job, node, host, artefactBase, signal }, directory) {
  const dataPath = join(directory, 'perf.data');
  const logPath = join(directory, 'v8.log');
  const pidPath = join(directory, 'pid');
  const frequencyHz = chooseFrequency();
  try {
    const done = await exercise({
      work: DEFAULT_WORK,
      flags: listFlags(logPath),
      lookedAt: 'stacks',
      wrapper: composeWrapper({ dataPath, pidPath, frequencyHz }),
    });
    const { stdout } = await runTool(
      'perf',
      ['script', '-i', dataPath, '-F', 'comm,tid,time,ip,sym,dso', '--no-inline'],
      { environment: host.environment, timeoutMs: SCRIPT_TIMEOUT_MS, signal, name: 'perf script' },
    );
    const map = await readMap(await locateMap(pidPath), node !== null);
    const findInlined = node === null ? undefined : readInlining(await readFile(logPath, 'utf8'));
    const named = map === null ? stdout : resolvePerfMap(stdout, map, findInlined);
    const profile = importPerfScript(named, {
      window: done.window,
      frequencyHz,
      projectPath: PROJECT.projectPath,
      buildPath: await resolveBuild(job.variant.buildPath ?? null),
      loop: job.variant.program?.loop ?? null,
    });
    const path = `${artefactBase}.perf.speedscope.json`;
    await writeFile(path, JSON.stringify(exportSpeedscope(profile, nameRecording(job))));
    return { exercise: done, artefacts: [path] };
  } finally {
    await removeMap(pidPath);
  }
}

/**
 * The software clock and nothing else, on every machine: a sample then stands for the same time on
 * each of them, and hardware counters are missing in most virtual machines.
 *
 * @param {object} settings
 * @param {string} settings.dataPath
 * @param {string} settings.pidPath
 * @param {number} settings.frequencyHz
 * @returns {string[]} what comes before the worker
 */
export function composeWrapper({ dataPath, pidPath, frequencyHz }) {
  const clock = ['-k', 'CLOCK_MONOTONIC', '-e', 'cpu-clock:u', '-F', String(frequencyHz)];
  // Build ids are neither cached nor looked up (-N, -B): they take longer than the recording.
  const record = ['perf', 'record', '-q', ...clock, '-g', '-N', '-B', '-o', dataPath];
  return [...record, '--', '/bin/sh', '-c', TELL_PID, pidPath];
}

/**
 * @param {string} logPath of V8's log, which says where functions were inlined
 * @returns {string[]} of node
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

/** @returns {number} what the kernel permits, which lowers its limit where samples take long */
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
 * @returns {Promise<string>} where a runtime writes the map, which no flag can change before Node 24
 */
async function locateMap(pidPath) {
  const pid = Number(await readFile(pidPath, 'utf8'));
  if (!Number.isSafeInteger(pid) || pid <= 0) {
    throw new MachineError('the process that perf recorded did not leave its id');
  }
  return `/tmp/perf-${pid}.map`;
}

/**
 * @param {string} path
 * @param {boolean} isNode node was told to write it; a program may compile nothing when it runs
 * @returns {Promise<string | null>}
 */
function readMap(path, isNode) {
  const text = readFile(path, 'utf8');
  return isNode ? text : text.catch(() => null);
}

/**
 * @param {string | null} buildPath
 * @returns {Promise<string | null>} as perf names what lies there
 */
async function resolveBuild(buildPath) {
  return buildPath === null ? null : realpath(buildPath);
}

/** @param {string} pidPath */
async function removeMap(pidPath) {
  const mapPath = await locateMap(pidPath).catch(() => null);
  if (mapPath !== null) await rm(mapPath, { force: true });
}
