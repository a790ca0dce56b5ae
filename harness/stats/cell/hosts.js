import { group } from 'd3-array';
import { studentTwoSided } from '../distributions.js';
import { meanOf, sumOf, sumOfSquares } from '../means.js';
import { ARMS, forEachArm } from '../plan.js';
import { takeMedian } from '../robust.js';

/** @import { Arm } from '../../formats/types.ts' */

/** With fewer hosts an interval is about these: it misses the mean effect over all hosts too often (decision 0036). */
export const MIN_HOSTS = 5;

/** What an effect rests on: figures of the candidate, or pairs. @typedef {{ figures: number } | { pairs: number }} HostCount */

/**
 * The effect on one host, log scale.
 *
 * @typedef {object} HostEffect
 * @property {string} host
 * @property {number} estimate candidate minus baseline and control
 * @property {number} standardError by the noise that all hosts have in common
 * @property {HostCount} count
 * @property {number} p two-sided, of its difference from the median of the other hosts
 */

/**
 * How the effect differs between hosts, which are taken as a sample of all hosts (decision 0036).
 *
 * @typedef {object} HostEffects
 * @property {HostEffect[]} effects in the order of the names
 * @property {number} spread standard deviation of the true effects between hosts, log scale; 0 if what is seen
 *   is no more than the noise
 * @property {number} squaredError that this adds to the mean effect
 * @property {number} freedom degrees of freedom of that error
 * @property {number} noiseFreedom degrees of freedom of the standard errors of the effects
 * @property {number} lostShare share by which the variance between processes is understated, since each host has a
 *   level of its own
 */

/** @typedef {Pick<HostEffects, 'squaredError' | 'freedom' | 'lostShare'>} HostError what the choice of the hosts adds to an error */

/** @typedef {{ host?: string | undefined, logFigure: number | null }} Hosted */

/**
 * Shifts the figures of each host so that the mean of both variants is the same on all hosts: then only effects differ.
 *
 * @template {Hosted} J
 * @param {Record<Arm, J[]>} arms
 * @returns {Record<Arm, J[]>} of one host the same
 */
export function alignHosts(arms) {
  const hosts = groupByHost(arms);
  if (hosts.length < 2) return arms;
  const levels = hosts.map(({ figures }) => levelOf(figures));
  const common = meanOf(levels);
  const shifts = new Map(hosts.map(({ host }, index) => [host, common - levels[index]]));
  return forEachArm((arm) =>
    arms[arm].map((job) =>
      job.logFigure === null
        ? job
        : { ...job, logFigure: job.logFigure + (shifts.get(job.host ?? '') ?? 0) },
    ),
  );
}

/** @param {Record<Arm, number[]>} figures of one host @returns {number} */
function levelOf({ baseline, candidate, control }) {
  const known = [candidate, [...baseline, ...control]].filter(({ length }) => length > 0);
  return meanOf(known.map(meanOf));
}

/**
 * Hosts that have a figure, by name; none in a run of one host, whose jobs do not name it.
 * @type {(arms: Record<Arm, Hosted[]>) => { host: string, figures: Record<Arm, number[]> }[]}
 */
function groupByHost(arms) {
  if (ARMS.every((arm) => arms[arm].every(({ host }) => host === undefined))) return [];
  const jobs = ARMS.flatMap((arm) =>
    arms[arm].flatMap(({ host = '', logFigure }) =>
      logFigure === null ? [] : [{ arm, host, logFigure }],
    ),
  );
  return [...group(jobs, ({ host }) => host)]
    .map(([host, own]) => ({
      host,
      figures: forEachArm((arm) =>
        own.filter((job) => job.arm === arm).map(({ logFigure }) => logFigure),
      ),
    }))
    .sort((a, b) => (a.host < b.host ? -1 : 1));
}

/**
 * The effect on one host, from samples whose means it is the difference of.
 *
 * @typedef {object} HostSample
 * @property {string} host
 * @property {number} estimate
 * @property {number} unitVariance its variance where that of a value is 1
 * @property {number} squares sum of squared distances from the means
 * @property {number} freedom degrees of freedom of that sum
 * @property {HostCount} count
 */

/** @type {(arms: Record<Arm, Hosted[]>) => HostEffects | null} null for one host */
export function compareHosts(arms) {
  const samples = groupByHost(arms).flatMap(({ host, figures }) => {
    const { candidate } = figures;
    const others = [...figures.baseline, ...figures.control];
    if (candidate.length === 0 || others.length === 0) return [];
    return [
      {
        host,
        estimate: meanOf(candidate) - meanOf(others),
        unitVariance: 1 / candidate.length + 1 / others.length,
        squares: sumOfSquares(candidate) + sumOfSquares(others),
        freedom: candidate.length + others.length - 2,
        count: { figures: candidate.length },
      },
    ];
  });
  const values = sumOf(samples.map(({ freedom }) => freedom + 2));
  return combineHosts(samples, samples.length / Math.max(1, values - samples.length));
}

/**
 * @param {ReadonlyMap<string, number[]>} pairs differences of pairs by host, log scale
 * @returns {HostEffects | null} null for one host
 */
export function compareHostPairs(pairs) {
  const samples = [...pairs]
    .filter(([, differences]) => differences.length > 0)
    .map(([host, differences]) => ({
      host,
      estimate: meanOf(differences),
      unitVariance: 1 / differences.length,
      squares: sumOfSquares(differences),
      freedom: differences.length - 1,
      count: { pairs: differences.length },
    }))
    .sort((a, b) => (a.host < b.host ? -1 : 1));
  return combineHosts(samples, 0);
}

/**
 * The variance between hosts by the method of moments (DerSimonian and Laird, "Meta-analysis in clinical trials",
 * 1986), with one variance of the noise for all hosts.
 *
 * @param {HostSample[]} samples
 * @param {number} lostShare
 * @returns {HostEffects | null} null with fewer than two hosts, or without an estimate of the noise
 */
function combineHosts(samples, lostShare) {
  const freedom = sumOf(samples.map((sample) => sample.freedom));
  if (samples.length < 2 || freedom === 0) return null;
  const variance = sumOf(samples.map(({ squares }) => squares)) / freedom;
  const { between, weights } = findBetween(samples, variance);
  const weight = sumOf(weights);
  return {
    effects: samples.map(({ host, estimate, unitVariance, count }, index) => {
      const others = takeMedian(samples.toSpliced(index, 1).map((other) => other.estimate));
      // The median of several has a larger variance than their mean.
      const ofOthers = (samples.length > 3 ? Math.PI / 2 : 1) / (weight - weights[index]);
      const error = Math.sqrt(variance * (unitVariance + ofOthers));
      const t = error === 0 ? 0 : (estimate - others) / error;
      const standardError = Math.sqrt(variance * unitVariance);
      return { host, estimate, standardError, count, p: studentTwoSided(t, freedom) };
    }),
    spread: Math.sqrt(between),
    squaredError: between * sumOf(weights.map((each) => (each / weight) ** 2)),
    freedom: samples.length - 1,
    noiseFreedom: freedom,
    lostShare,
  };
}

/**
 * @param {Pick<HostSample, 'estimate' | 'unitVariance'>[]} samples at least two
 * @param {number} variance of the noise
 * @returns {{ between: number, weights: number[] }} variance of the true effects, and how much each sample counts
 */
function findBetween(samples, variance) {
  const weights = samples.map(({ unitVariance }) => 1 / unitVariance);
  const weight = sumOf(weights);
  const mean = sumOf(samples.map(({ estimate }, index) => weights[index] * estimate)) / weight;
  const squaredWeights = sumOf(weights.map((each) => each ** 2));
  const seen = sumOf(samples.map(({ estimate }, index) => weights[index] * (estimate - mean) ** 2));
  const excess = seen - (samples.length - 1) * variance;
  return { between: Math.max(0, excess / (weight - squaredWeights / weight)), weights };
}

/**
 * The error that the choice of the hosts adds to the mean of several cells. Where the effect on a host is larger than on
 * others in one cell, it may be in all: the cells of each host are averaged first.
 *
 * @param {readonly HostEffects[]} cells at least one
 * @returns {HostError}
 */
export function averageHosts(cells) {
  const shared = cells.flatMap(({ effects }) => {
    // Without any noise, all hosts count alike.
    const weights = effects.map(({ standardError }) => standardError ** -2);
    const weight = sumOf(weights);
    const shares = weights.map((own) => (weight < Infinity ? own / weight : 1 / effects.length));
    const mean = sumOf(effects.map(({ estimate }, index) => shares[index] * estimate));
    return effects.map(({ host, estimate, standardError }, index) => ({
      ...{ host, share: shares[index], squaredError: standardError ** 2 },
      deviation: estimate - mean,
    }));
  });
  const hosts = [...group(shared, ({ host }) => host).values()].map((own) => ({
    estimate: meanOf(own.map(({ deviation }) => deviation)),
    squaredError: sumOf(own.map(({ squaredError }) => squaredError)) / own.length ** 2,
    share: sumOf(own.map(({ share }) => share)) / cells.length,
  }));
  const isNoisy = hosts.every(({ squaredError }) => squaredError > 0);
  const samples = hosts.map(({ estimate, squaredError }) => ({
    estimate,
    unitVariance: isNoisy ? squaredError : 1,
  }));
  const { between } = findBetween(samples, isNoisy ? 1 : 0);
  return {
    squaredError: between * sumOf(hosts.map(({ share }) => share ** 2)),
    freedom: hosts.length - 1,
    // The noise of the cells allows for it.
    lostShare: 0,
  };
}
