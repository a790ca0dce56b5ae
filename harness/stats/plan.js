import { group } from 'd3-array';
import { contrastOf } from './contrast.js';
import { figureOf } from './figure.js';
import { generatorFor, shuffle } from './random.js';
import { scheduleOf } from './schedule.js';

/** @import { Arm, Capability, Cell, Manifest, PlannedJob, Question, ResolvedVariant } from '../formats/types.ts' */
/** @import { ArmJob } from './schedule.js' */

/** The arms of every block. The control is the baseline measured under another name. */
export const ARMS = Object.freeze(/** @type {Arm[]} */ (['baseline', 'candidate', 'control']));

/** @template T @param {(arm: Arm) => T} make @returns {Record<Arm, T>} */
export function forEachArm(make) {
  return { baseline: make('baseline'), candidate: make('candidate'), control: make('control') };
}

/** A mirrored block measures the candidate this often, and the baseline as often: half of its processes
 * are the control. */
export const PROCESSES_PER_BLOCK = 4;

/** Analyses, interim and final; each has twice as many processes as the one before. */
const LOOK_COUNT = 4;

/** Processes per variant at the early look; two blocks are the fewest from which noise is known. */
const EARLY_LOOK = 2 * PROCESSES_PER_BLOCK;

/** @type {(looks: readonly number[]) => number | null} the early look before them, if there is room for one */
export function findEarlyLook([first]) {
  return first > EARLY_LOOK ? EARLY_LOOK : null;
}

/**
 * The sample sizes at which a comparison looks at its data, after the early look of a question that has one.
 *
 * @param {number} most processes per variant, at the last look
 * @returns {number[]} 12, 24, 48, 96 for 96
 */
export function listLooks(most) {
  const looks = Array.from({ length: LOOK_COUNT }, (_, index) => {
    const share = most / 2 ** (LOOK_COUNT - 1 - index);
    return PROCESSES_PER_BLOCK * Math.ceil(share / PROCESSES_PER_BLOCK);
  });
  return [...new Set(looks)];
}

/**
 * @param {Pick<Question, 'looks' | 'earlyLook'>} question
 * @returns {number[]} the early look, if there is one, and the others
 */
export function listAllLooks({ looks, earlyLook }) {
  return earlyLook === undefined ? looks : [earlyLook, ...looks];
}

/**
 * @param {Pick<Cell, 'operation' | 'corpus' | 'title' | 'runtime' | 'cold'>} cell
 * @returns {string} its identity apart from its candidate: `serialize flat`, `serialize flat node@22.11.0 cold 10`
 */
export function nameCell(cell) {
  const { operation, corpus, title, runtime } = cell;
  const subject = title ?? [operation, corpus];
  return [subject, runtime ?? [], figureOf(cell).idSuffix].flat(2).join(' ');
}

/** A cell, or something else with several candidates. @typedef {Pick<Cell, 'id' | 'sharedId'>} Sharing */

/** @type {(cell: Sharing) => string} identity of the jobs of its baseline and control, see `Cell` */
export function sharedIdOf({ id, sharedId = id }) {
  return sharedId;
}

/** @type {(cell: Sharing, arm: Arm) => string} the cell that jobs of this arm name */
export function jobCellId(cell, arm) {
  return arm === 'candidate' ? cell.id : sharedIdOf(cell);
}

/**
 * @template {Sharing} S
 * @param {readonly S[]} cells of the run
 * @param {{ cellId: string, arm: Arm }} job
 * @returns {S} of several that share the job, the first
 */
export function findCell(cells, { cellId, arm }) {
  return /** @type {S} */ (cells.find((cell) => jobCellId(cell, arm) === cellId));
}

/**
 * @template {Sharing} S
 * @param {readonly S[]} cells
 * @returns {Map<string, S[]>} those that share the jobs of baseline and control, by the identity of these
 */
export function groupShared(cells) {
  return group(cells, sharedIdOf);
}

/** @type {(cells: Cell[], candidates: string[]) => Cell[]} of several candidates one cell each, side by side */
export function withCandidates(cells, candidates) {
  if (candidates.length === 1) return cells;
  return cells.flatMap((cell) =>
    candidates.map((spec, candidate) => ({
      ...cell,
      id: `${cell.id} ${spec}`,
      candidate,
      sharedId: cell.id,
    })),
  );
}

/** @type {(cells: readonly Cell[]) => Cell[]} one for all that differ only in their candidate, without it */
export function listShared(cells) {
  return [...groupShared(cells)].map(([id, [cell]]) => {
    const shared = { ...cell, id };
    delete shared.candidate;
    delete shared.sharedId;
    return shared;
  });
}

/**
 * @template V
 * @param {{ variants: { baseline: V, candidates: V[] }, question?: Partial<Question> }} manifest
 * @param {Pick<Cell, 'candidate'>} cell
 * @returns {Record<Arm, V>} what each arm of the cell measures; in a ranking there is one variant
 */
export function armsOf({ variants, question }, cell) {
  return contrastOf(question).armsOf(variants, cell);
}

/**
 * @param {Parameters<typeof armsOf<Pick<ResolvedVariant, 'runtime'>>>[0] & Pick<Manifest, 'runtimes'>} manifest
 * @param {Cell} cell
 * @returns {Capability[]} what the runtimes of its arms cannot provide
 */
export function lackedBy(manifest, cell) {
  const { baseline, candidate } = armsOf(manifest, cell);
  const names = [baseline, candidate].map(({ runtime }) => runtime ?? cell.runtime);
  return manifest.runtimes.flatMap(({ runtime, lacks }) => (names.includes(runtime) ? lacks : []));
}

/**
 * @param {{ variants: { baseline: { program?: unknown }, candidates: { program?: unknown }[] } }} manifest
 * @returns {boolean} whether the family's own programs measure, without the JavaScript worker
 */
export function isOfPrograms({ variants: { baseline, candidates } }) {
  return [baseline, ...candidates].some(({ program }) => program !== undefined);
}

/**
 * @param {Pick<Question, 'looks' | 'baseline' | 'candidates' | 'rank' | 'schedule'>} question
 * @param {Pick<Cell, 'candidate'>} cell
 * @returns {{ looks: number[], baseline: string, candidate: string, cores: number }} what one cell compares, by spec;
 *   `cores`: on which its pairs run, by the positions of their jobs in turn, or 1
 */
export function pairOf(question, cell) {
  const { baseline, candidate } = contrastOf(question).armsOf(question, cell);
  const cores = scheduleOf(question).comparesPairs ? 2 : 1;
  return { looks: question.looks, baseline, candidate, cores };
}

/** @type {(question: Pick<Question, 'baseline' | 'candidates' | 'rank'>) => string[]} specs as on a command line */
export function listVariants(question) {
  return contrastOf(question).listVariants(question);
}

/**
 * @param {Record<Arm, number>} processes of each arm
 * @returns {number} of the variant that has fewer; the control's are the baseline's
 */
export function countPerVariant({ baseline, candidate, control }) {
  return Math.min(candidate, baseline + control);
}

/**
 * @param {number} processes of each variant
 * @param {number} [candidates] that share a baseline, or are ranked
 * @param {Pick<Question, 'rank'>} [question]
 * @returns {number} jobs that measure them
 */
export function countJobs(processes, candidates = 1, question = {}) {
  return (candidates + (contrastOf(question).hasBaseline ? 1 : 0)) * processes;
}

/**
 * The timed jobs that take the given cells from one number of processes per variant to another, in the
 * order in which they run. Each round visits the cells in random order and runs one block of each: its
 * jobs in random order, then in reverse, so that a steady drift of the machine affects all arms alike.
 * Candidate and baseline have the same number of processes, the control included, so that the skewness of
 * their means cancels (decision 0025). Candidates of one cell share a block with its baseline and control; in a
 * ranking there are only candidates.
 * `scheduleOf(question).group` says which of them run at the same time.
 * The order depends only on the seed, the cell and the block, so a resumed run has the same jobs.
 *
 * @param {Question} question
 * @param {Cell[]} cells the cells that still measure
 * @param {{ from: number, to: number }} processes per variant already planned, and wanted; multiples of
 *   four
 * @returns {PlannedJob[]}
 */
export function planJobs(question, cells, { from, to }) {
  const jobs = [];
  const schedule = scheduleOf(question);
  const { half } = contrastOf(question);
  const groups = groupShared(question.cells);
  const numbers = new Map([...groups.keys()].map((id, index) => [id, index + 1]));
  const measuring = new Set(cells.flatMap((cell) => [cell.id, sharedIdOf(cell)]));
  for (let block = from / PROCESSES_PER_BLOCK; block < to / PROCESSES_PER_BLOCK; block++) {
    const order = shuffle([...groupShared(cells).keys()], generatorFor(question.seed, block, 0));
    for (const id of order) {
      const random = generatorFor(question.seed, block, numbers.get(id) ?? 0);
      const sharing = groups.get(id) ?? [];
      const there = schedule.order(listHalf(id, sharing, half), random);
      for (const [position, job] of [...there, ...there.toReversed()].entries()) {
        // Planned with all candidates: jobs of one do not depend on what others need.
        if (measuring.has(job.cellId)) jobs.push(placeJob(job, block, position));
      }
    }
  }
  return jobs;
}

/** @type {(id: string, cells: Cell[], arms: Arm[]) => ArmJob[]} */
function listHalf(id, cells, arms) {
  return arms.flatMap((arm) =>
    (arm === 'candidate' ? cells.map((cell) => cell.id) : [id]).map((cellId) => ({ arm, cellId })),
  );
}

/** @type {(job: ArmJob, block: number, position: number) => PlannedJob} */
function placeJob({ cellId, arm }, block, position) {
  const place = { cellId, arm, block, position };
  return { id: nameJob(place), ...place };
}

/** The identity of a timed job. @type {(place: Omit<PlannedJob, 'id'>) => string} */
export function nameJob({ cellId, arm, block, position }) {
  return `${cellId}/${String(block).padStart(3, '0')}/${position}/${arm}`;
}
