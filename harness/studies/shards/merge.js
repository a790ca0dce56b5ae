import { copyFileSync, existsSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { FormatError, MachineError } from '../../lib/errors.js';
import { makeDirectory } from '../../lib/files.js';
import { createRunDirectory, writeManifest, writeObservations } from '../../run/store.js';
import { nameRun } from '../../run/run.js';
import { countBusyMs, analyzeRun, listJobs, restoreSessionTotals } from '../../run/verdict.js';
import { requireOnePlan } from './fit.js';
import { mergeManifests, restorePlan } from './plan.js';

/** @import { MeasuredPart } from './plan.js' */
/** @import { AnalyzedRun, SessionTotals } from '../../run/verdict.js' */
/** @import { Part } from './fit.js' */
/** @import { StoredRun } from '../../run/store.js' */
/** @import { Difference, HostNoise, Question, Verdict } from '../../formats/types.ts' */

/**
 * Makes one run of all shards of a plan, in a directory of its own, and judges it as if it had been
 * measured in one piece. Cells are not split among shards, so no figure mixes hosts but the means over
 * cells, which a note on several hosts goes with.
 *
 * @param {Part[]} parts
 * @param {{ runsPath: string, createdAt: Date }} where and when
 * @returns {Promise<StoredRun & AnalyzedRun>}
 * @throws {import('../../lib/errors.js').AssayError} when the runs do not fit together or the disk is full
 */
export async function mergeRuns(parts, { runsPath, createdAt }) {
  requireOnePlan(parts);
  const runs = parts.map(({ run }) => run);
  const plan = restorePlan(runs[0].manifest.question);
  const observed = {
    observations: sortByStart(runs.flatMap(({ observations }) => observations)),
    memoryObservations: sortByStart(runs.flatMap(({ memoryObservations }) => memoryObservations)),
    profileObservations: sortByStart(
      runs.flatMap(({ profileObservations }) => profileObservations),
    ),
    layoutObservations: sortByStart(runs.flatMap(({ layoutObservations }) => layoutObservations)),
  };
  const session = mergeSessions(runs, observed, plan);
  const { runId, path } = createRunDirectory(runsPath, nameRun(createdAt, plan));
  const identity = { runId, createdAt: createdAt.toISOString() };
  const manifest = mergeManifests(describeParts(runs), identity);
  const merged = { path, manifest, ...observed, verdict: null };
  try {
    writeMerged(merged, runs);
  } catch (error) {
    // The shards are still there, so half a run is of no use.
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
 * @returns {Observation[]} by the time since the run of each was made
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
  // With its manifest the directory is a run.
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
 * What only the sessions of the shards knew, as that of one run. The end and the noise are the worst of
 * all parts. Shards are measured at the same time, so the wall time is that of the longest; the time
 * of the workers is the sum.
 *
 * @param {StoredRun[]} parts
 * @param {Pick<StoredRun, 'observations' | 'memoryObservations' | 'profileObservations' | 'layoutObservations'>} merged
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
    // Jobs of two hosts overlap. A run counts such time once, so the rest is added to that of the gate.
    checkMs: Math.max(0, workerMs - countBusyMs(listJobs(merged))),
    interimLooks: Object.assign({}, ...sessions.map(({ interimLooks }) => interimLooks)),
  };
}

/**
 * @param {HostNoise[]} noises
 * @returns {HostNoise} of each counter the highest that is known
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
 * Copies the files that the recorders of a shard left into a merged run, under the same names. A file
 * that is gone is told in the report, as in that of the shard.
 *
 * @param {StoredRun} part
 * @param {string} path of the merged run
 * @throws {FormatError} when a name leads out of the shard's directory, or another shard has it too
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
    throw new FormatError(`'${artefact}' of '${from}' is not among the files of that run`, {
      remedy: 'a run keeps its files below artefacts/; do not trust one that says otherwise',
    });
  }
  if (existsSync(target)) {
    throw new FormatError(`two shards have a file '${artefact}'`, {
      remedy: 'measure again with this revision of Assay, which names files by the whole plan',
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
