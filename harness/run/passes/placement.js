import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { AssayError } from '../../lib/errors.js';
import { MOST_CELLS, planPlacements } from '../../stats/placement.js';
import { findUneditable, makeCopies, namePlacement } from '../../variants/placement/copies.js';
import { meanWorkerMs, runPass } from './pass.js';
import { describeMeasured, makeMeasureJob } from './timing.js';

/** @import { Cell, CellComparison, PlacementObservation, PlannedPlacementJob } from '../../formats/types.ts' */
/** @import { Copies, EditedVariant } from '../../variants/placement/copies.js' */
/** @import { PassContext } from './pass.js' */

/** Jobs from which the remaining time is estimated. */
const RECENT_JOBS = 30;

/** @typedef {PassContext<PlacementObservation> & { path: string }} PlacementContext with the path of the run */

/**
 * Times both arms of cells with their code placed elsewhere, by running copies of the variants. A failed
 * job is not tried again and fails nothing else: the cell then has no estimate of what placement does.
 * The copies are created again by every session, always the same, and removed at its end.
 *
 * @param {CellComparison[]} cells the most urgent first
 * @param {PlacementContext} context
 * @returns {Promise<'complete' | 'interrupted'>}
 */
export async function measurePlacement(cells, context) {
  const { question, variants } = context.manifest;
  const { placements = 0 } = question;
  if ([variants.baseline, variants.candidate].some(({ program }) => program !== undefined)) {
    return 'complete';
  }
  const planned = cells
    .slice(0, MOST_CELLS)
    .flatMap(({ cell }) => planPlacements(question, cell.id, placements));
  const done = new Set(context.observations.map(({ id }) => id));
  const copiesPath = join(context.path, 'artefacts', 'placements');
  try {
    if (planned.every(({ id }) => done.has(id))) return 'complete';
    const family = { path: context.familyPath };
    const copies = makeCopies(copiesPath, { manifest: context.manifest, family });
    const ended = await measureCopies(planned, copies, context);
    return ended === 'interrupted' ? 'interrupted' : 'complete';
  } finally {
    // The seed recreates them, and their links lead out of the run. Includes those of a killed session.
    rmSync(copiesPath, { recursive: true, force: true });
  }
}

/**
 * @param {PlannedPlacementJob[]} planned
 * @param {Copies} copies
 * @param {PlacementContext} context
 */
function measureCopies(planned, copies, context) {
  const { manifest, observations, clock } = context;
  const { cells, family: name } = manifest.question;
  const uneditable = findUneditable(copies);
  /** @param {PlannedPlacementJob} job */
  const findCopy = (job) => uneditable ?? copies.get(namePlacement(job));
  return runPass(
    {
      stages: [planned],
      doneId: ({ id }) => id,
      skips: (job) => findCopy(job) === undefined || isGivenUp(job, context),
      async observe(job) {
        const copy = /** @type {EditedVariant | AssayError} */ (findCopy(job));
        const identity = { formatVersion: FORMAT_VERSION, ...job, startedAtMs: clock.elapsedMs() };
        if (copy instanceof AssayError) {
          const reason = /** @type {const} */ ('no-copy');
          const failure = { reason, detail: copy.message, lastLines: [] };
          return { ...identity, workerMs: 0, outcome: 'failed', failure };
        }
        const { variant, familyPath: path } = copy;
        const cell = /** @type {Cell} */ (cells.find(({ id }) => id === job.cellId));
        const outcome = await context.runJob(
          makeMeasureJob(job.id, cell, { variant, family: { name, path } }, manifest),
        );
        return { ...identity, ...describeMeasured(outcome) };
      },
      describe({ cellId }, { left, total }) {
        const recent = observations.filter(({ workerMs }) => workerMs > 0).slice(-RECENT_JOBS);
        return {
          step: `code placement · ${cellId} · job ${total - left.length + 1} of ${total}`,
          secondsLeft: (left.length * meanWorkerMs(recent)) / 1000,
        };
      },
    },
    context,
  );
}

/**
 * @param {PlannedPlacementJob} job
 * @param {PlacementContext} context
 * @returns {boolean} whether a job with the same placement failed or gave wrong output, for which the
 *   placement does not count
 */
function isGivenUp({ cellId, arm, placement }, { manifest, observations }) {
  return observations.some((observation) => {
    const isSame = observation.arm === arm && observation.placement === placement;
    if (!isSame || observation.cellId !== cellId) return false;
    if (observation.outcome === 'failed') return true;
    return observation.outputDigest !== manifest.expectedDigests[cellId];
  });
}
