import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { AssayError } from '../../lib/errors.js';
import { planPlacements } from '../../stats/placement.js';
import { armsOf, isOfPrograms, sharedIdOf } from '../../stats/plan.js';
import { scheduleOf } from '../../stats/schedule.js';
import { findUneditable, makeCopies } from '../../variants/placement/copies.js';
import { runPass } from './pass.js';
import { chooseCore, describeMeasured, makeMeasureJob } from './timing.js';

/** @import { Cell, PlacementObservation, PlannedPlacementJob } from '../../formats/types.ts' */
/** @import { Copies } from '../../variants/placement/copies.js' */
/** @import { PassContext } from './pass.js' */

/** @typedef {PassContext<PlacementObservation> & { path: string }} PlacementContext with the path of the run */

/**
 * Times both arms of cells with their code placed elsewhere, by running copies of the variants. Cells are
 * measured one after the other, because what is found in one decides which others are due. A failed job is
 * not tried again and fails nothing else: the cell then has no estimate of what placement does. The copies
 * are created again by every session that needs them, always the same, and removed at its end.
 *
 * @param {(chosen: string[]) => string | null} chooseCell id of the cell to measure after those chosen,
 *   which are measured; null for no other
 * @param {(cellId: string) => boolean} isEnough whether the first look at its placements is enough
 * @param {PlacementContext} context
 * @returns {Promise<'complete' | 'interrupted'>}
 */
export async function measurePlacement(chooseCell, isEnough, context) {
  const { manifest, clock } = context;
  const { question } = manifest;
  const { cells, family: name, placements = 0 } = question;
  if (isOfPrograms(manifest)) return 'complete';
  const copiesPath = join(context.path, 'artefacts', 'placements');
  const family = { path: context.familyPath };
  /** @type {Copies | undefined} */
  let opened;
  /** @param {PlannedPlacementJob} job */
  const findCopy = ({ cellId, arm, placement }) => {
    opened ??= makeCopies(copiesPath, { manifest, family });
    const copies = armsOf({ variants: opened }, findById(cells, cellId));
    const uneditable = findUneditable(copies.baseline) ?? findUneditable(copies.candidate);
    return uneditable ?? copies[arm][placement];
  };

  function* planCells() {
    /** @type {string[]} */
    const chosen = [];
    for (let next = chooseCell(chosen); next !== null; next = chooseCell(chosen)) {
      for (const jobs of planPlacements(question, next, placements)) {
        yield jobs;
        if (isEnough(next)) break;
      }
      chosen.push(next);
    }
  }

  try {
    const ended = await runPass(
      {
        stages: planCells(),
        doneId: ({ id }) => id,
        skips: (job) => isGivenUp(job, context),
        group: scheduleOf(question).groupPlacements,
        async observe(job, attempt, core) {
          const copy = findCopy(job);
          const identity = {
            formatVersion: FORMAT_VERSION,
            ...job,
            attempt,
            startedAtMs: clock.elapsedMs(),
          };
          if (copy instanceof AssayError) {
            const reason = /** @type {const} */ ('no-copy');
            const failure = { reason, detail: copy.message, lastLines: [] };
            return { ...identity, workerMs: 0, outcome: 'failed', failure };
          }
          const { variant, familyPath: path } = copy;
          const cell = findById(cells, job.cellId);
          const outcome = await context.runJob(
            makeMeasureJob(job.id, cell, { variant, family: { name, path } }, manifest),
            chooseCore(context.cores, cell, { pair: Math.floor(job.position / 2), core }),
          );
          return { ...identity, ...describeMeasured(outcome) };
        },
        describe: ({ cellId }, { left, total }) => ({
          step: `code placement · ${cellId} · job ${total - left.length + 1} of ${total}`,
        }),
      },
      context,
    );
    return ended === 'interrupted' ? 'interrupted' : 'complete';
  } finally {
    // The seed recreates them, and their links lead out of the run. Includes those of a killed session.
    rmSync(copiesPath, { recursive: true, force: true });
  }
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
    const cell = findById(manifest.question.cells, cellId);
    return observation.outputDigest !== manifest.expectedDigests[sharedIdOf(cell)];
  });
}

/** @type {(cells: Cell[], wanted: string) => Cell} */
function findById(cells, wanted) {
  return /** @type {Cell} */ (cells.find(({ id }) => id === wanted));
}
