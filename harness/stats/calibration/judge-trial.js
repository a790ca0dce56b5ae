import { compareRun } from '../compare.js';
import { ARMS, PROCESSES_PER_BLOCK } from '../plan.js';
import { listFigures } from '../process-figure.js';

/** @import { Observation, Question, Trial } from '../../formats/types.ts' */

/**
 * What `compare` makes of the observations of a trial: the verdict at the look at which it would have
 * stopped, whether the trial went on or not.
 *
 * @param {Question} question of one cell, with the looks of `compare`
 * @param {Observation[]} observations
 * @param {Record<string, string>} expectedDigests by cell id
 * @returns {Pick<Trial, 'verdict' | 'ratio' | 'processes' | 'processed'>}
 */
export function judgeTrial(question, observations, expectedDigests) {
  const [{ id }] = question.cells;
  const stopped = question.looks
    .map((look) => upTo(observations, look))
    .find((seen, index) => {
      const isReached = countJobs(seen) === question.looks[index] * ARMS.length;
      return isReached && compare(seen).decided[id];
    });
  const [{ verdict, effect, processes }] = compare(stopped ?? observations).cells;
  return {
    verdict,
    ratio: effect?.ratio ?? null,
    processes: processes.candidate,
    processed: listProcesses(question, observations),
  };

  /** @param {Observation[]} seen */
  function compare(seen) {
    return compareRun({ question, observations: seen, expectedDigests });
  }
}

/** @param {Observation[]} observations */
function countJobs(observations) {
  return new Set(observations.map(({ jobId }) => jobId)).size;
}

/**
 * @param {Observation[]} observations
 * @param {number} processes a side
 */
function upTo(observations, processes) {
  return observations.filter(({ block }) => block < processes / PROCESSES_PER_BLOCK);
}

/**
 * @param {Question} question
 * @param {Observation[]} observations
 * @returns {Trial['processed']}
 */
function listProcesses(question, observations) {
  const figures = listFigures(observations, question).sort(
    (a, b) => a.observation.startedAtMs - b.observation.startedAtMs,
  );
  const firstMs = figures[0]?.observation.startedAtMs ?? 0;
  return figures.map(({ observation: { arm, startedAtMs, workerMs }, ns }) => ({
    arm,
    startedAtMs: startedAtMs - firstMs,
    workerMs,
    ns,
  }));
}
