import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError } from '../../lib/errors.js';
import { omitUndefined } from '../../lib/records.js';
import { listPlacementLooks, planPlacements } from '../../stats/placement-plan.js';
import { armsOf, isOfPrograms, sharedIdOf } from '../../stats/plan.js';
import { scheduleOf } from '../../stats/schedule.js';
import { openCopies } from '../../variants/placement/copies.js';
import { countBy, estimateMs } from '../execute.js';
import { chooseCore, describeMeasured, makeMeasureJob } from './timing.js';

/** @import { Cell, Observation, PlacementObservation, PlannedPlacementJob, StoredRun } from '../../formats/types.ts' */
/** @import { Copies } from '../../variants/placement/copies.js' */
/** @import { Pass } from '../execute.js' */
/** @import { Setting } from './timing.js' */

/**
 * @typedef {Setting & { path: string, observations: PlacementObservation[] }} PlacementSetting with the directory of the
 *   run and its observations, which grow
 */

/**
 * Which cells have placements.
 *
 * @typedef {object} PlacementChoice
 * @property {(chosen: string[]) => string | null} chooseCell id of the cell to measure after those chosen, which are
 *   measured; null for no other
 * @property {(cellId: string) => boolean} isEnough whether the looks so far at its placements are enough
 * @property {(jobs: PlannedPlacementJob[]) => number} [expectMs] how long jobs of one look take; a look that cannot end
 *   in time is not begun
 */

/** Milliseconds of copying one variant, with a family of a hundred files on a busy disk. */
const COPY_MS = 250;

/** @param {PlannedPlacementJob | PlacementObservation | Observation} job */
const kindOf = ({ cellId }) => cellId;

/**
 * How long jobs of one look take, with the copies that they need. Each takes as long as a timed one, until there are others.
 *
 * @param {PlannedPlacementJob[]} jobs
 * @param {Pick<StoredRun, 'manifest' | 'observations' | 'placementObservations'>} run
 * @returns {number} milliseconds; NaN before the first timed job
 */
export function expectPlacementMs(jobs, { manifest, observations, placementObservations }) {
  const looks = listPlacementLooks(manifest.question.placements ?? 0);
  const copied = jobs.filter(({ block }) => looks[block]?.isAgain !== true);
  const copies = new Set(copied.map(({ arm, placement }) => `${arm} ${placement}`)).size;
  const known = [...observations, ...placementObservations];
  const jobsMs = estimateMs(countBy(jobs, kindOf), known, kindOf);
  return copies * COPY_MS + jobsMs / scheduleOf(manifest.question).width;
}

/**
 * Opens the pass that times both arms of cells with their code placed elsewhere, by running copies
 * of the variants. Cells are measured one after the other, because what is found in one decides
 * which others are due. A failed job is not tried again and fails nothing else: the cell then has
 * no estimate of what placement does. The copies are created again by every session that needs
 * them, always the same, and removed at its end. All placements of a cell are for one host.
 * @type {(setting: PlacementSetting & PlacementChoice) => Pass<PlannedPlacementJob, PlacementObservation>}
 */
export function openPlacementPass(setting) {
  const { manifest, chooseCell, isEnough, expectMs } = setting;
  const { question } = manifest;
  const { cells, family: name, placements = 0 } = question;
  const copiesPath = join(setting.path, 'artefacts', 'placements');
  const family = { path: setting.familyPath };
  /** @type {Copies | undefined} */
  let opened;
  /** @param {PlannedPlacementJob} job */
  const findCopy = ({ cellId, arm, placement, block }) => {
    opened ??= openCopies(copiesPath, { manifest, family });
    const copies = armsOf({ variants: opened }, findById(cells, cellId));
    // Those of a look are made at once, so that none is made while a partner runs.
    const look = planPlacements(question, cellId, placements)[block] ?? [];
    for (const planned of look) copies[planned.arm](planned.placement);
    // Without copies of one arm there is nothing to compare.
    const firsts = [copies.baseline(1), copies.candidate(1)];
    return firsts.find((copy) => copy instanceof AssayError) ?? copies[arm](placement);
  };

  function* planCells() {
    // There are no copies of programs.
    if (isOfPrograms(manifest)) return;
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

  return {
    name: 'placement',
    stages: planCells(),
    keepsFailures: true,
    unitOf: kindOf,
    kindOf,
    ...omitUndefined({ expectMs }),
    skips: (job) => isGivenUp(job, setting),
    group: scheduleOf(question).groupPlacements,
    async perform(job, runJob, place) {
      const copy = findCopy(job);
      if (copy instanceof AssayError) {
        const reason = /** @type {const} */ ('no-copy');
        const failure = { reason, detail: copy.message, lastLines: [] };
        return { workerMs: 0, outcome: 'failed', failure };
      }
      const { variant, familyPath: path } = copy;
      const cell = findById(cells, job.cellId);
      const pair = Math.floor(job.position / 2);
      const outcome = await runJob(
        makeMeasureJob(job.id, cell, { variant, family: { name, path } }, manifest),
        { cpus: chooseCore(setting.cores, cell, { pair, core: place }) },
      );
      return describeMeasured(outcome);
    },
    describe: ({ cellId }, { left, total }) => ({
      step: `code placement · ${cellId} · job ${total - left.length + 1} of ${total}`,
    }),
    close() {
      // The seed creates them again, and their links lead out of the run. Includes those of a killed session.
      rmSync(copiesPath, { recursive: true, force: true });
    },
  };
}

/**
 * @param {PlannedPlacementJob} job
 * @param {PlacementSetting} setting
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
