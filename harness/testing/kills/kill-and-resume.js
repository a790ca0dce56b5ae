import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT } from '../../lib/errors.js';
import { drawIndex, drawUniform, seedGenerator } from '../../stats/random.js';
import { listProcesses, makeProject } from '../support/project.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { CellComparison, Observation, Verdict } from '../../formats/types.ts' */

const HOOK = new URL('die-at-write.js', import.meta.url).href;
const QUESTION =
  'plain+figures=scripted slower+figures=scripted --op apart,noisy --explain none --processes 16';
const MAX_KILLS_A_RUN = 5;
/** Each has a seed of its own. */
const QUESTIONS = 3;
/** Half of all signals cannot be handled. */
const SIGNALS = /** @type {const} */ (['SIGKILL', 'SIGKILL', 'SIGTERM', 'SIGINT']);
/** Part of the name of a file that a run writes, and how often it does at most. */
const WRITES = /** @type {const} */ ([
  ['manifest.json', 1],
  ['observations.ndjson', 40],
  ['observations.ndjson', 40],
  ['verdict.json', 1],
  ['report.', 2],
]);
/** Time that the workers of a killed run have to exit. */
const ORPHAN_MS = 60_000;

/**
 * Death at a write, or after the start of a process.
 *
 * @typedef {object} Death
 * @property {NodeJS.Signals} signal
 * @property {string} file part of the name of the file written, or `spawn`
 * @property {number} nth which write to it or which start, from 1
 * @property {'before' | 'torn' | 'after'} how with `torn`, half of the data is written
 */

/**
 * How a run is killed: some time after its start, or at a write.
 *
 * @typedef {{ signal: NodeJS.Signals, afterMs: number } | Death} Manner
 */

/**
 * @typedef {object} KillCounts
 * @property {number} kills
 * @property {Record<string, number>} signals how many of each
 * @property {number} runs that were killed and then completed
 * @property {number} atWrites kills before, in the middle of or after a write
 * @property {number} beforeManifest kills before there was a manifest, after which a new run was started
 * @property {number} interimLooks cells with a verdict between two planned looks
 * @property {string[]} problems differences and leftovers
 */

/**
 * Kills comparisons and resumes them until they complete, and compares each with an undisturbed one of
 * the same seed.
 *
 * @param {{ kills: number, seed: number, directory: string }} plan `directory` is an empty directory
 * @param {(counts: KillCounts) => void} [onRun] called after each run
 * @returns {Promise<KillCounts>}
 */
export async function killAndResume({ kills, seed, directory }, onRun = () => {}) {
  const random = seedGenerator(seed);
  const place = makePlace(directory);
  /** @type {Map<number, { outcome: Outcome, wallMs: number }>} */
  const undisturbed = new Map();
  const counts = startCounts();
  while (counts.kills < kills) {
    const runSeed = 1 + drawIndex(random, QUESTIONS);
    const known = undisturbed.get(runSeed) ?? (await leaveUndisturbed(place, runSeed));
    undisturbed.set(runSeed, known);
    const { outcome, wallMs } = known;
    const left = Math.min(kills - counts.kills, 1 + drawIndex(random, MAX_KILLS_A_RUN));
    const manners = Array.from({ length: left }, () => drawManner(random, wallMs));
    await killOneRun(place, { runSeed, manners, expected: outcome }, counts);
    onRun(counts);
  }
  return counts;
}

/**
 * Kills one comparison in the given ways, one after the other, completes it and compares it with an undisturbed one.
 *
 * @type {(manners: Manner[], directory: string) => Promise<KillCounts>}
 */
export async function killAt(manners, directory) {
  const place = makePlace(directory);
  const runSeed = 1;
  const { outcome } = await leaveUndisturbed(place, runSeed);
  const counts = startCounts();
  await killOneRun(place, { runSeed, manners, expected: outcome }, counts);
  return counts;
}

/** @returns {KillCounts} */
function startCounts() {
  const none = { kills: 0, runs: 0, atWrites: 0, beforeManifest: 0, interimLooks: 0 };
  return { ...none, signals: {}, problems: [] };
}

/** @type {(place: Place, runSeed: number) => Promise<{ outcome: Outcome, wallMs: number }>} */
async function leaveUndisturbed(place, runSeed) {
  const runsPath = mkdtempSync(join(place.directory, 'undisturbed-'));
  const startMs = performance.now();
  const { status, stderr } = await runOnce(place, startArgs(runsPath, runSeed), null);
  if (status !== EXIT.done) throw new Error(`an undisturbed run failed: ${stderr}`);
  const wallMs = performance.now() - startMs;
  return { outcome: readOutcome(findRun(runsPath) ?? ''), wallMs };
}

/**
 * @typedef {object} Place
 * @property {string} directory part of the command line or environment of every process started here
 * @property {string} bin
 * @property {Record<string, string | undefined>} env
 */

/** @type {(directory: string) => Place} */
function makePlace(directory) {
  const projectPath = join(directory, 'project');
  makeProject(projectPath, [], ['program']);
  const [locks, temporary] = ['locks', 'temporary'].map((name) => join(directory, name));
  for (const path of [locks, temporary]) mkdirSync(path);
  const env = { ...process.env, TMPDIR: temporary, ASSAY_LOCK_DIRECTORY: locks };
  return { directory, bin: join(projectPath, 'harness', 'assay.js'), env };
}

/**
 * @param {string} runsPath
 * @param {number} runSeed
 */
function startArgs(runsPath, runSeed) {
  return ['compare', ...QUESTION.split(' '), '--seed', String(runSeed), '--out', runsPath];
}

/**
 * @param {Place} place
 * @param {{ runSeed: number, manners: Manner[], expected: Outcome }} run
 * @param {KillCounts} counts changed
 */
async function killOneRun(place, { runSeed, manners, expected }, counts) {
  const runsPath = mkdtempSync(join(place.directory, 'runs-'));
  const described = JSON.stringify(manners);
  /** @param {string} problem */
  const report = (problem) => counts.problems.push(`seed ${runSeed}, ${described}: ${problem}`);
  const nextArgs = () => {
    const path = findRun(runsPath);
    return path === null ? startArgs(runsPath, runSeed) : ['compare', '--resume', path];
  };
  for (const manner of manners) {
    const { wasKilled, status, stderr } = await runOnce(place, nextArgs(), manner);
    if (!wasKilled && status !== EXIT.done) report(`ended with ${status}: ${stderr}`);
    if (stderr.includes('a defect of Assay')) report(stderr);
    for (const line of await listOrphans(place.directory)) report(`left a process: ${line}`);
    if (!wasKilled) continue;
    counts.kills += 1;
    counts.signals[manner.signal] = (counts.signals[manner.signal] ?? 0) + 1;
    if ('file' in manner) counts.atWrites += 1;
    if (dropWithoutManifest(runsPath)) counts.beforeManifest += 1;
  }
  const { status, stderr } = await runOnce(place, nextArgs(), null);
  counts.runs += 1;
  if (status !== EXIT.done) return void report(`could not be resumed: ${status}: ${stderr}`);
  const found = readOutcome(findRun(runsPath) ?? '');
  listDifferences(found, expected).forEach(report);
  counts.interimLooks += Object.keys(found.verdict.interimLooks ?? {}).length;
  const { env } = place;
  for (const kept of [env.TMPDIR, env.ASSAY_LOCK_DIRECTORY]) {
    for (const name of readdirSync(kept ?? '')) report(`left '${name}' in ${kept}`);
  }
  rmSync(runsPath, { recursive: true });
}

/**
 * @param {Place} place
 * @param {string[]} args
 * @param {Manner | null} manner how it is killed
 * @returns {Promise<{ status: number | null, stderr: string, wasKilled: boolean }>}
 */
function runOnce({ bin, env }, args, manner) {
  const isAtWrite = manner !== null && 'file' in manner;
  const child = spawn(process.execPath, [...(isAtWrite ? ['--import', HOOK] : []), bin, ...args], {
    env: isAtWrite ? { ...env, ASSAY_DEATH: JSON.stringify(manner) } : env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (data) => (stderr += data));
  const timer =
    manner !== null && 'afterMs' in manner
      ? setTimeout(() => child.kill(manner.signal), manner.afterMs)
      : undefined;
  return new Promise((resolve) => {
    child.on('close', (status, signal) => {
      clearTimeout(timer);
      const wasKilled =
        manner !== null && (signal === manner.signal || status === EXIT.interrupted);
      resolve({ status, stderr, wasKilled });
    });
  });
}

/**
 * @param {string} runsPath
 * @returns {string | null} absolute path of its only run
 */
function findRun(runsPath) {
  const name = readdirSync(runsPath).find((each) =>
    existsSync(join(runsPath, each, 'manifest.json')),
  );
  return name === undefined ? null : join(runsPath, name);
}

/**
 * Removes directories without a manifest, which are not runs yet.
 *
 * @param {string} runsPath
 * @returns {boolean} whether there were any
 */
function dropWithoutManifest(runsPath) {
  if (findRun(runsPath) !== null) return false;
  const names = readdirSync(runsPath);
  for (const name of names) rmSync(join(runsPath, name), { recursive: true });
  return names.length > 0;
}

/**
 * @param {string} word of the command line or environment
 * @returns {Promise<string[]>} command lines of processes that do not exit
 */
async function listOrphans(word) {
  const endMs = performance.now() + ORPHAN_MS;
  for (;;) {
    const orphans = listProcesses(word).filter(({ pid }) => pid !== process.pid);
    if (orphans.length === 0 || performance.now() > endMs) {
      return orphans.map(({ commandLine }) => commandLine);
    }
    await sleep(20);
  }
}

/**
 * @param {RandomGenerator} random advanced by the call
 * @param {number} longestMs that an undisturbed run takes
 * @returns {Manner}
 */
function drawManner(random, longestMs) {
  const signal = SIGNALS[drawIndex(random, SIGNALS.length)];
  if (drawUniform(random) < 0.5) return { signal, afterMs: drawUniform(random) * longestMs };
  const [file, most] = WRITES[drawIndex(random, WRITES.length)];
  const hows = /** @type {const} */ (['before', 'torn', 'after']);
  // The other signals are handled later, after more has been written.
  const how = signal === 'SIGKILL' ? hows[drawIndex(random, hows.length)] : 'after';
  return { signal, file, nth: 1 + drawIndex(random, most), how };
}

/**
 * The results of a run.
 *
 * @typedef {object} Outcome
 * @property {Verdict} verdict
 * @property {Observation[]} observations
 * @property {string[]} files in its directory, at any depth
 */

/**
 * @param {string} path of a completed run
 * @returns {Outcome}
 */
function readOutcome(path) {
  const lines = readFileSync(join(path, 'observations.ndjson'), 'utf8').trimEnd().split('\n');
  return {
    verdict: JSON.parse(readFileSync(join(path, 'verdict.json'), 'utf8')),
    observations: lines.map((line) => JSON.parse(line)),
    files: readdirSync(path, { recursive: true }).map(String).sort(),
  };
}

/**
 * Compares a run that was killed and resumed with an undisturbed one of the same seed.
 *
 * @param {Outcome} found
 * @param {Outcome} expected
 * @returns {string[]} unexpected differences
 */
function listDifferences(found, expected) {
  return [
    ...(found.verdict.ended === 'complete' ? [] : [`ended as ${found.verdict.ended}`]),
    ...compareFiles(found.files, expected.files),
    ...compareFigures(found.observations, expected.observations),
    ...expected.verdict.cells.flatMap((cell, index) =>
      compareCell(found.verdict.cells[index], cell, found.verdict.interimLooks?.[cell.cell.id]),
    ),
  ];
}

/**
 * @param {string[]} found
 * @param {string[]} expected
 */
function compareFiles(found, expected) {
  const extra = found.filter((name) => !expected.includes(name)).map((name) => `left '${name}'`);
  const missing = expected.filter((name) => !found.includes(name));
  return [...extra, ...missing.map((name) => `has no '${name}'`)];
}

/**
 * Checks that every job is measured once, with the same figures.
 *
 * @param {Observation[]} found
 * @param {Observation[]} expected
 */
function compareFigures(found, expected) {
  const problems = [];
  const figures = new Map(
    expected.map((observation) => [observation.id, describeFigures(observation)]),
  );
  const seen = new Set();
  for (const observation of found) {
    const { id } = observation;
    if (seen.has(id)) problems.push(`${id} is recorded twice`);
    seen.add(id);
    if (describeFigures(observation) !== figures.get(id)) problems.push(`${id} differs`);
  }
  const missing = expected.filter(({ id }) => !seen.has(id));
  return [...problems, ...missing.map(({ id }) => `${id} is missing`)];
}

/** @param {Observation} observation */
function describeFigures(observation) {
  if (observation.outcome === 'failed') return `failed: ${observation.failure.detail}`;
  return observation.measurement.batchNsPerDocument.join();
}

/**
 * A verdict given at an interruption is one more look, which spends a part of what the next one has. So the interval at that
 * one is wider than that of an undisturbed run; those at later ones are the same.
 *
 * @param {CellComparison | undefined} found
 * @param {CellComparison} expected
 * @param {number[]} [interimLooks]
 * @returns {string[]}
 */
function compareCell(found, expected, interimLooks = []) {
  const { id } = expected.cell;
  const [foundFacts, expectedFacts] = [found, expected].map((cell) =>
    JSON.stringify([cell?.cell.id, cell?.verdict, cell?.processes, cell?.effect?.ratio.estimate]),
  );
  if (foundFacts !== expectedFacts) return [`${id}: ${foundFacts} instead of ${expectedFacts}`];
  const [inner, outer] = [expected, found].map((cell) => cell?.effect?.ratio);
  if (inner === undefined || outer === undefined) return [];
  const isRight =
    interimLooks.length === 0
      ? outer.low === inner.low && outer.high === inner.high
      : outer.low <= inner.low && outer.high >= inner.high;
  if (isRight) return [];
  const looks = interimLooks.length === 0 ? 'without an interim look' : `looks at ${interimLooks}`;
  return [`${id}: ${outer.low}–${outer.high} against ${inner.low}–${inner.high}, ${looks}`];
}
