import { copyFileSync, existsSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { FormatError, MachineError } from '../../lib/errors.js';
import { makeDirectory } from '../../lib/files.js';
import { createRunDirectory, writeManifest, writeObservations } from '../../run/store.js';
import { nameRun } from '../../run/run.js';
import { countBusyMs, analyzeRun, listJobs, restoreSessionTotals } from '../../run/verdict.js';
import { requireOnePlan } from './fit.js';
import { mergeManifests, unshard } from './plan.js';

/** @import { MeasuredPart } from './plan.js' */
/** @import { AnalyzedRun, SessionTotals } from '../../run/verdict.js' */
/** @import { Part } from './fit.js' */
/** @import { StoredRun } from '../../run/store.js' */
/** @import { Difference, HostNoise, Question, Verdict } from '../../formats/types.ts' */

/**
 * Merges all shards of a plan into a new run, and judges it like any other. A cell is never split among
 * shards, so only means over cells mix hosts; the report notes that.
 *
 * @param {Part[]} parts
 * @param {object} settings
 * @param {string} settings.runsPath where its directory is made
 * @param {Date} settings.createdAt
 * @param {(plan: Question) => string} settings.formatCommand the command that measures the whole plan
 * @returns {Promise<StoredRun & AnalyzedRun>}
 * @throws {import('../../lib/errors.js').AssayError} when the runs cannot be merged or the disk is full
 */
export async function mergeRuns(parts, { runsPath, createdAt, formatCommand }) {
  requireOnePlan(parts);
  const runs = parts.map(({ run }) => run);
  const plan = unshard(runs[0].manifest.question);
  const observed = {
    observations: sortByStart(runs.flatMap(({ observations }) => observations)),
    memoryObservations: sortByStart(runs.flatMap(({ memoryObservations }) => memoryObservations)),
    profileObservations: sortByStart(
      runs.flatMap(({ profileObservations }) => profileObservations),
    ),
    placementObservations: sortByStart(
      runs.flatMap(({ placementObservations }) => placementObservations),
    ),
  };
  const session = mergeSessions(runs, observed, plan);
  const { runId, path } = createRunDirectory(runsPath, nameRun(createdAt, plan));
  const identity = { runId, createdAt: createdAt.toISOString(), command: formatCommand(plan) };
  const manifest = mergeManifests(describeParts(runs), identity);
  const merged = { path, manifest, ...observed, verdict: null };
  try {
    writeMerged(merged, runs);
  } catch (error) {
    // The shards still exist, so a partial merge is useless.
    rmSync(path, { recursive: true, force: true });
    throw error;
  }
  return { ...merged, ...(await analyzeRun(merged, session)) };
}

/**
 * @param {StoredRun[]} runs at least one
 * @returns {[MeasuredPart, ...MeasuredPart[]]}
 */
function describeParts(runs) {
  const parts = runs.map((run) => ({
    manifest: run.manifest,
    hostNoise: restoreSessionTotals(run).hostNoise,
  }));
  return /** @type {[MeasuredPart, ...MeasuredPart[]]} */ (parts);
}

/**
 * @template {{ startedAtMs: number }} Observation
 * @param {Observation[]} observations
 * @returns {Observation[]} by time since the start of their run
 */
function sortByStart(observations) {
  return observations.toSorted((a, b) => a.startedAtMs - b.startedAtMs);
}

/**
 * @param {StoredRun} merged
 * @param {StoredRun[]} parts
 */
function writeMerged(merged, parts) {
  const { path, manifest } = merged;
  for (const part of parts) copyArtefacts(part, path);
  writeObservations(path, merged);
  // The manifest comes last: it makes the directory a run.
  writeManifest(path, manifest);
}

/** From the best to the worst. */
const ENDS = /** @type {Verdict['ended'][]} */ ([
  'complete',
  'budget',
  'interrupted',
  'failed',
  'refused',
]);

/**
 * Merges the session totals of shards. The end and the noise are the worst of all parts. Shards are measured
 * in parallel, so the wall time is that of the longest; worker time is the sum.
 *
 * @param {StoredRun[]} parts
 * @param {Pick<StoredRun, 'observations' | 'memoryObservations' | 'profileObservations' | 'placementObservations'>} merged
 * @param {Question} plan
 * @returns {SessionTotals}
 */
function mergeSessions(parts, merged, plan) {
  const sessions = parts.map(restoreSessionTotals);
  const workerMs = parts.reduce((sum, { verdict }) => sum + (verdict?.timing.workerMs ?? 0), 0);
  const ranks = sessions.map(({ ended }) => ENDS.indexOf(ended));
  return {
    ended: ENDS[Math.max(...ranks)],
    hostNoise: takeWorstNoise(sessions.map(({ hostNoise }) => hostNoise)),
    differences: sortByCell(
      sessions.flatMap(({ differences }) => differences),
      plan,
    ),
    wallMs: Math.max(...sessions.map(({ wallMs }) => wallMs)),
    // Jobs of two hosts overlap, which a run counts once; the rest is attributed to the gate.
    checkMs: Math.max(0, workerMs - countBusyMs(listJobs(merged))),
    interimLooks: Object.assign({}, ...sessions.map(({ interimLooks }) => interimLooks)),
  };
}

/**
 * @param {HostNoise[]} noises
 * @returns {HostNoise} the highest known value of each counter
 */
function takeWorstNoise(noises) {
  /** @param {keyof HostNoise} counter */
  const highest = (counter) => {
    const known = noises.flatMap(({ [counter]: value }) => (value === null ? [] : value));
    return known.length === 0 ? null : Math.max(...known);
  };
  return {
    stealShare: highest('stealShare'),
    othersShare: highest('othersShare'),
    throttledMs: highest('throttledMs'),
  };
}

/**
 * @param {Difference[]} differences
 * @param {Question} plan
 * @returns {Difference[]} in the order of the cells of the plan
 */
function sortByCell(differences, { cells }) {
  const places = new Map(cells.map(({ id }, index) => [id, index]));
  /** @param {Difference} difference */
  const placeOf = ({ cellId }) => places.get(cellId) ?? cells.length;
  return differences.toSorted((a, b) => placeOf(a) - placeOf(b));
}

const ARTEFACTS = 'artefacts';

/**
 * Copies the artefacts of a shard into a merged run, under the same names. The report notes missing files.
 *
 * @param {StoredRun} part
 * @param {string} path of the merged run
 * @throws {FormatError} when a path leads out of the shard's directory, or two shards have the same file
 * @throws {MachineError} when a file cannot be written
 */
export function copyArtefacts(part, path) {
  const artefacts = part.profileObservations.flatMap((observation) =>
    observation.outcome === 'done' ? observation.artefacts : [],
  );
  for (const artefact of new Set(artefacts)) copyArtefact(artefact, part.path, path);
}

/**
 * @param {string} artefact relative to the run
 * @param {string} from
 * @param {string} to
 */
function copyArtefact(artefact, from, to) {
  const source = join(from, artefact);
  if (!existsSync(source)) return;
  const folder = join(realpathSync(from), ARTEFACTS) + sep;
  const target = join(to, artefact);
  const isInside =
    realpathSync(source).startsWith(folder) && target.startsWith(join(to, ARTEFACTS) + sep);
  if (!isInside) {
    throw new FormatError(`'${artefact}' of '${from}' is not a file of that run`, {
      remedy: 'artefacts must be below artefacts/; do not trust this run',
    });
  }
  if (existsSync(target)) {
    throw new FormatError(`two shards have a file '${artefact}'`, {
      remedy: 'measure again with this version of Assay, which gives every file a unique name',
    });
  }
  makeDirectory(dirname(target), 'free some space or check the permissions, then merge again');
  try {
    copyFileSync(source, target);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new MachineError(`cannot copy '${artefact}' of '${from}': ${message}`, {
      cause: error,
      remedy: 'free some space or check the permissions, then merge again',
    });
  }
}
