import { rmSync } from 'node:fs';
import { judgeRun } from '../../run/judge-run.js';
import { nameRun } from '../../run/name-run.js';
import { recallSession } from '../../run/recall-session.js';
import {
  appendLayoutObservation,
  appendMemoryObservation,
  appendObservation,
  appendProfileObservation,
  createRunDirectory,
  writeManifest,
} from '../../run/run-store.js';
import { copyArtefacts } from './copy-artefacts.js';
import { mergeManifests, restorePlan } from './merge-manifests.js';
import { mergeSessions } from './merge-sessions.js';
import { requireOnePlan } from './require-one-plan.js';

/** @import { MeasuredPart } from './merge-manifests.js' */
/** @import { Judged } from '../../run/judge-run.js' */
/** @import { Part } from './require-one-plan.js' */
/** @import { StoredRun } from '../../run/run-store.js' */

/**
 * Makes one run of all shards of a plan, in a directory of its own, and judges it as if it had been
 * measured in one piece. Cells are not split among shards, so no figure mixes hosts but the means over
 * cells, which a note on several hosts goes with.
 *
 * @param {Part[]} parts
 * @param {{ runsPath: string, createdAt: Date }} where and when
 * @returns {Promise<StoredRun & Judged>}
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
  return { ...merged, ...(await judgeRun(merged, session)) };
}

/**
 * @param {StoredRun[]} runs at least one
 * @returns {[MeasuredPart, ...MeasuredPart[]]}
 */
function describeParts(runs) {
  const parts = runs.map((run) => ({
    manifest: run.manifest,
    hostNoise: recallSession(run).hostNoise,
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
  for (const observation of merged.observations) appendObservation(path, observation);
  for (const observation of merged.memoryObservations) appendMemoryObservation(path, observation);
  for (const observation of merged.profileObservations) appendProfileObservation(path, observation);
  for (const observation of merged.layoutObservations) appendLayoutObservation(path, observation);
  // With its manifest the directory is a run.
  writeManifest(path, manifest);
}
