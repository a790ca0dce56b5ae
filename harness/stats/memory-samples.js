/** @import { Arm, MemoryJobKind, MemoryObservation, MemoryResult } from '../formats/types.ts' */

/**
 * Results of one kind of job on one subject, by arm, in the order of their processes.
 *
 * @template {MemoryResult} Result
 * @typedef {Record<Arm, Result[]>} ArmResults
 */

/**
 * Sorts the observations of a run by what they are about. A job counts once, however often it was
 * done.
 *
 * @param {Iterable<MemoryObservation>} observations in any order
 * @returns {<Kind extends MemoryJobKind>(kind: Kind, subject: string) =>
 *   ArmResults<Extract<MemoryResult, { kind: Kind }>>} what there is of a kind and subject
 */
export function sortMemoryResults(observations) {
  const jobs = new Map();
  for (const observation of observations) {
    if (observation.outcome === 'done' && !jobs.has(observation.id)) {
      jobs.set(observation.id, observation);
    }
  }
  const ordered = [...jobs.values()].sort((a, b) => a.process - b.process);
  return function findResults(kind, subject) {
    const fitting = ordered.filter((job) => job.kind === kind && job.subject === subject);
    const of = (/** @type {Arm} */ arm) =>
      fitting.filter((job) => job.arm === arm).map(({ result }) => result);
    return { baseline: of('baseline'), candidate: of('candidate'), control: of('control') };
  };
}

/**
 * One figure of each result.
 *
 * @template {MemoryResult} Result
 * @param {ArmResults<Result>} results
 * @param {(result: Result) => number} take
 * @returns {Record<Arm, number[]>}
 */
export function takeSamples({ baseline, candidate, control }, take) {
  return {
    baseline: baseline.map(take),
    candidate: candidate.map(take),
    control: control.map(take),
  };
}
