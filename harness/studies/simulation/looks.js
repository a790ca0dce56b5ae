import {
  ARMS,
  findEarlyLook,
  forEachArm,
  jobCellId,
  listAllLooks,
  listLooks,
  planJobs,
  withCandidates,
} from '../../stats/plan.js';
import { USUAL } from '../../stats/usual.js';
import { judgeInputs } from '../../stats/compare.js';
import { sampleLooks } from '../../stats/cell/samples.js';

/** @import { Arm, Cell, PlannedJob, Question } from '../../formats/types.ts' */
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
  const { candidates = ['b'] } = changes;
  const plain = Array.from({ length: cellCount }, (_, index) => ({ id: String(index) }));
  const cells = withCandidates(/** @type {Cell[]} */ (plain), candidates);
  const question = { ...RULE, cells, seed, baseline: 'a', candidates };
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
    const judgements = judgeInputs(inputs, question);
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
 *   without a figure. `cell` is the first of those that share the job
 * @param {(job: PlannedJob) => string | undefined} [hostOf] of a run over several hosts
 */
export function playFigures(question, drawFigure, hostOf = () => undefined) {
  /** @type {Map<string, number[]>} cells by arm and id of the job */
  const owners = new Map();
  for (const [index, cell] of question.cells.entries()) {
    for (const arm of ARMS) {
      const key = `${arm} ${jobCellId(cell, arm)}`;
      owners.set(key, [...(owners.get(key) ?? []), index]);
    }
  }
  const records = question.cells.map(() => ({
    arms: forEachArm(() => /** @type {CellRecord['arms'][Arm]} */ ([])),
  }));
  return playLooks(
    question,
    (jobs) => {
      for (const job of jobs) {
        const cells = owners.get(`${job.arm} ${job.cellId}`) ?? [];
        const { block, position } = job;
        const done = { startedAtMs: 0 };
        const logFigure = drawFigure(job, cells[0]);
        const figure = { logFigure, block, position, done, host: hostOf(job) };
        const record = /** @type {CellRecord['arms'][Arm][number]} */ (
          /** @type {unknown} */ (figure)
        );
        for (const cell of cells) records[cell].arms[job.arm].push(record);
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
