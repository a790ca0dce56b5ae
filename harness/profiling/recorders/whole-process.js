import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FormatError } from '../../lib/errors.js';
import { readJsonObject } from '../../lib/files.js';
import { quoteWords } from '../../lib/words.js';
import { countPasses, useDirectory, writeJob } from './support/recording.js';
import { probeProgram } from './support/tools.js';
import { runTool } from '../../host/tools.js';

/** @import { Probe, RecordContext, Recorder, RecorderHost } from '../../formats/types.ts' */

/** Consecutive processes of one arm; the arms alternate. */
const RUNS = 5;
const ROUNDS = 4;
const WARM_UPS = 1;
const TIMEOUT_MS = 300_000;
const MS_PER_SECOND = 1000;
const REMEDY = 'if this hyperfine is newer than 1.20, report it';

/**
 * Times whole processes with hyperfine, including start-up and compilation. The number of passes
 * depends on the corpus alone, so both arms do the same work.
 *
 * @type {Recorder}
 */
export const recorder = {
  name: 'whole-process',
  summary: 'time of whole processes by hyperfine: start-up plus a fixed amount of work',
  processes: 0,
  scope: 'process',
  unfitForSandbox: 'its tool starts the worker itself',
  rounds: ROUNDS,
  isTimed: true,
  probe: probeHyperfine,
  record(context) {
    return useDirectory((directory) => timeProcesses(context, directory));
  },
};

/** @type {(host: RecorderHost) => Promise<Probe>} */
export async function probeHyperfine(host) {
  const probe = await probeProgram('hyperfine', host);
  if (!probe.available) return probe;
  const [major, minor] = (/(\d+)\.(\d+)/.exec(probe.detail) ?? []).slice(1).map(Number);
  if (major > 1 || minor >= 13) return probe;
  const reason = `${probe.detail} is too old: --shell=none needs 1.13`;
  return { available: false, reason, install: 'cargo install hyperfine' };
}

/** @param {RecordContext} context @param {string} directory for temporary files */
async function timeProcesses({ job, command, host, artefactBase, signal }, directory) {
  const jobPath = join(directory, 'job.json');
  await writeJob(jobPath, job, { passes: countPasses(job.corpus) });
  const path = `${artefactBase}.hyperfine.json`;
  const words = quoteWords([command.executable, ...command.args, jobPath]);
  const times = ['--warmup', String(WARM_UPS), '--runs', String(RUNS)];
  await runTool(
    'hyperfine',
    ['--shell=none', '--style=none', ...times, '--export-json', path, words],
    { environment: host.environment, timeoutMs: TIMEOUT_MS, signal },
  );
  const figures = readTimes(await readFile(path, 'utf8'));
  return { exercise: null, artefacts: [path], figures };
}

/**
 * @param {string} text JSON export of hyperfine for one command
 * @returns {{ kind: 'whole-process', meanMs: number, standardDeviationMs: number, timesMs: number[] }}
 * @throws {FormatError} when mean, standard deviation or times are missing
 */
export function readTimes(text) {
  const { results } = readJsonObject(text, 'an export of hyperfine', REMEDY);
  const { mean, stddev, times } = Object(Array.isArray(results) ? results[0] : null);
  const areTimes = Array.isArray(times) && times.every(Number.isFinite);
  if (!Number.isFinite(mean) || !Number.isFinite(stddev) || !areTimes) {
    throw new FormatError('an export of hyperfine without mean, stddev and times', {
      remedy: REMEDY,
    });
  }
  return {
    kind: 'whole-process',
    meanMs: mean * MS_PER_SECOND,
    standardDeviationMs: stddev * MS_PER_SECOND,
    timesMs: times.map((/** @type {number} */ seconds) => seconds * MS_PER_SECOND),
  };
}
