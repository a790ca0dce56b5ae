import { omitUndefined } from '../../../lib/records.js';
import { compareRun } from '../../../stats/compare.js';
import { toLogs } from '../../../stats/means.js';
import { listAllLooks, planJobs } from '../../../stats/plan.js';
import { isDirection } from '../../../stats/verdicts.js';
import { makeQuestion } from '../looks.js';
import { NOISE, PAIR_NOISE, SCHEDULES } from './times.js';

/** @import { Observation, PlannedJob, Question, VerdictWord } from '../../../formats/types.ts' */
/** @import { Scenario } from '../scenario.js' */

/** Sessions of a run beside the last one. */
const INTERRUPTIONS = 10;
/** The first interruption is after about this part of the jobs; from one to the next, their number grows by a factor. */
const FIRST_PART = 1 / 20;

/** @type {(job: PlannedJob, log: number) => Observation} with the only figures that a comparison needs */
function observe(job, log) {
  const measurement = {
    batchNsPerDocument: [10_000 * Math.exp(log)],
    documentsPerBatch: 1000,
    warmUp: { settled: true },
  };
  const place = { attempt: 1, startedAtMs: 0, workerMs: 200 };
  const observation = { ...job, ...place, outcome: 'done', measurement };
  return /** @type {Observation} */ (/** @type {unknown} */ (observation));
}

/**
 * Resumes a run of equal arms until it is decided, after interruptions between the looks. Each session ends with a report.
 *
 * @param {Question['schedule']} schedule
 * @returns {Scenario} wrong where any session shows a direction
 */
function makeScenario(schedule) {
  return {
    group: 'times',
    name: `resumed ${INTERRUPTIONS} times${schedule === undefined ? '' : ', pairs'}`,
    limits: { wrong: 0.02, missed: 0.02 },
    play(random) {
      const question = makeQuestion(1, random.next(), omitUndefined({ schedule }));
      const [cell] = question.cells;
      const last = question.looks.at(-1) ?? 0;
      const jobs = planJobs(question, question.cells, { from: 0, to: last });
      const perProcess = jobs.length / last;
      const looks = listAllLooks(question).map((size) => size * perProcess);
      // The same in each run, because levels of other looks take long to find.
      const interruptions = Array.from({ length: INTERRUPTIONS }, (_, index) =>
        Math.round(jobs.length * FIRST_PART ** ((index + 0.6) / INTERRUPTIONS)),
      );
      const draw = (schedule === undefined ? NOISE.normal : PAIR_NOISE['pairs, spread 5 %'])(
        random,
      );
      /** @type {Observation[]} */
      const observations = [];
      /** @type {Pick<ReturnType<typeof compareRun>, 'interimLooks'>} */
      let known = { interimLooks: {} };
      /** @type {VerdictWord[]} */
      const shown = [];
      for (const until of [...looks, ...interruptions].sort((a, b) => a - b)) {
        const more = jobs.slice(observations.length, until);
        observations.push(...more.map((job) => observe(job, draw(job) ?? 0)));
        const compared = compareRun({ question, observations, ...known });
        const [{ verdict, effect }] = compared.cells;
        shown.push(verdict);
        const isPlanned = looks.includes(until);
        if (!isPlanned) known = { interimLooks: compared.interimLooks };
        if (until === jobs.length || (isPlanned && compared.decided[cell.id])) {
          return {
            cells: [
              {
                truth: 0,
                verdict,
                interval: effect && toLogs(effect.ratio),
                processes: until / perProcess,
              },
            ],
            isWrong: shown.some(isDirection),
          };
        }
      }
      throw new Error('the question has no looks');
    },
  };
}

export const RESUMED_SCENARIOS = SCHEDULES.map(makeScenario);
