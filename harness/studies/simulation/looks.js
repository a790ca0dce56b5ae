import { findEarlyLook, forEachArm, listAllLooks, listLooks, planJobs } from '../../stats/plan.js';
import { USUAL } from '../../stats/usual.js';
import { judgeCells } from '../../stats/decision-rule.js';
import { sampleLooks } from '../../stats/cell/samples.js';

/** @import { Arm, PlannedJob, Question } from '../../formats/types.ts' */
/** @import { CellRecord, LookSample } from '../../stats/cell/samples.js' */
/** @import { CellJudgement } from '../../stats/decision-rule.js' */
/** @import { SimulatedCell } from './scenario.js' */

/** The rule of `compare` without options. */
export const RULE = Object.freeze({
  alpha: USUAL.alpha,
  minimumEffect: USUAL.minimumEffect,
  looks: listLooks(USUAL.processes),
  earlyLook: findEarlyLook(listLooks(USUAL.processes)) ?? 0,
});

/**
 * @param {number} cellCount
 * @param {number} seed of the order of jobs
 * @param {Partial<Question>} [changes]
 * @returns {Question} with cells named by their numbers
 */
export function makeQuestion(cellCount, seed, changes = {}) {
  const cells = Array.from({ length: cellCount }, (_, index) => ({ id: String(index) }));
  const question = { ...RULE, cells, seed, baseline: 'a', candidates: ['b'] };
  return /** @type {Question} */ (/** @type {unknown} */ ({ ...question, ...changes }));
}

/**
 * Takes the looks of a question until every cell is decided, as a run does.
 *
 * @param {Question} question
 * @param {(jobs: PlannedJob[]) => void} measure jobs in the order in which they run
 * @param {() => Pick<CellRecord, 'arms'>[]} takeRecords all jobs measured so far, by cell
 * @returns {{ judgement: CellJudgement, samples: LookSample[] }[]} by cell
 */
export function playLooks(question, measure, takeRecords) {
  let measuring = question.cells;
  let from = 0;
  for (const to of listAllLooks(question)) {
    measure(planJobs(question, measuring, { from, to }));
    const inputs = takeRecords().map((record, index) => ({
      samples: sampleLooks(/** @type {CellRecord} */ (record), question),
      refused: false,
      bands: question.bands?.[question.cells[index].id] ?? [],
    }));
    const judgements = judgeCells(inputs, question);
    measuring = question.cells.filter((_, index) => !judgements[index].decided);
    if (measuring.length === 0 || to === question.looks.at(-1)) {
      return judgements.map((judgement, index) => ({
        judgement,
        samples: inputs[index].samples,
      }));
    }
    from = to;
  }
  throw new Error('the question has no looks');
}

/**
 * The same for figures that are drawn directly.
 *
 * @param {Question} question
 * @param {(job: PlannedJob, cell: number) => number | null} drawFigure log scale; null for a process
 *   without a figure
 */
export function playFigures(question, drawFigure) {
  const numbers = new Map(question.cells.map(({ id }, index) => [id, index]));
  const records = question.cells.map(() => ({
    arms: forEachArm(() => /** @type {CellRecord['arms'][Arm]} */ ([])),
  }));
  return playLooks(
    question,
    (jobs) => {
      for (const job of jobs) {
        const cell = /** @type {number} */ (numbers.get(job.cellId));
        const record = { logFigure: drawFigure(job, cell) };
        records[cell].arms[job.arm].push(
          /** @type {CellRecord['arms'][Arm][number]} */ (/** @type {unknown} */ (record)),
        );
      }
    },
    () => records,
  );
}

/**
 * @param {ReturnType<typeof playLooks>} played
 * @param {(cell: number) => number} truthOf log ratio
 * @returns {SimulatedCell[]}
 */
export function describePlayed(played, truthOf) {
  return played.map(({ judgement, samples }, cell) => ({
    truth: truthOf(cell),
    verdict: judgement.verdict,
    interval: judgement.effect?.interval ?? null,
    processes: samples.at(-1)?.size ?? 0,
  }));
}
