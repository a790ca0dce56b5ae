import { group } from 'd3-array';
import { FormatError } from '../../lib/errors.js';
import { omitUndefined } from '../../lib/records.js';
import { ARMS, forEachArm, listAllLooks, pairOf, sharedIdOf } from '../plan.js';
import {
  correctFigure,
  fastestReading,
  pinOf,
  takeFigure,
  takeJitter,
  takeReading,
  undisturbedSpeeds,
} from '../interference.js';
import { figureOf } from '../figure.js';
import { estimateDifference, meanOf, testZero } from '../means.js';
import { meanOfTrimmed, takeMedian } from '../robust.js';
import { contrastOf } from '../contrast.js';
import { scheduleOf } from '../schedule.js';
import { alignHosts, compareHostPairs, compareHosts } from './hosts.js';

/** @import { CorrectedFigure, SpeedObservation, SpeedOf } from '../interference.js' */
/** @import { HostEffects } from './hosts.js' */
/** @import { Arm, Cell, Observation, ObservationDone, ObservationFailed, Question } from '../../formats/types.ts' */

/**
 * All attempts at one planned job.
 *
 * @typedef {object} JobRecord
 * @property {string} id
 * @property {number} block
 * @property {number} position
 * @property {string | undefined} [host] of a run over several
 * @property {number} processes that were started for it, one an attempt
 * @property {ObservationDone | null} done the first attempt that measured; null when none did
 * @property {number | null} logFigure logarithm of the figure of the process, in nanoseconds per
 *   document; null also where the processor was disturbed throughout
 * @property {CorrectedFigure | null} [corrected] which it also has where the processor was disturbed
 * @property {number | null} jitter of its undisturbed batches, log scale; null where batches are not
 *   selected
 * @property {number | null} logReading of the reference loop beside its undisturbed batches, see `takeReading`
 * @property {ObservationFailed[]} failures in the order of the attempts
 */

/**
 * The observations of one cell, each arm's jobs in the order of the plan.
 *
 * @typedef {object} CellRecord
 * @property {Cell} cell
 * @property {Record<Arm, JobRecord[]>} arms
 * @property {Arm[]} wrongArms arms in which an output differed from the expected one
 * @property {string | null} fault the first that a job of theirs found
 */

/**
 * Figures that are compared.
 *
 * @typedef {object} Sample
 * @property {Record<'baseline' | 'control', number[]>} [pairs] in a paired schedule: candidate minus the arm
 *   that ran at the same time, log scale, without the difference of the cores
 * @property {number} [imbalance] factor of the variance of these differences, as pairs of one order of the cores may be
 *   missing; 1 with as many of both
 * @property {Record<Arm, number[]>} figures of processes, log scale; of several hosts at a common level
 * @property {HostEffects} [hosts] of a run over several
 * @property {Record<'baseline' | 'candidate', number>} [garbage] share of collections in their time
 * @property {number} [readingShift] by which the candidate slows the reference loop, log scale; 0 unless that is beyond chance
 */

/**
 * Corrected figures of all processes.
 *
 * @typedef {Sample & { slowdown: number }} RoughSample `slowdown`: their mean
 */

/**
 * What is compared at one look.
 *
 * @typedef {object} Look
 * @property {number} size jobs per variant; the information of the look
 * @property {boolean} isEarly
 * @property {RoughSample} [rough] of a question with an early look
 *
 * @typedef {Look & Sample} LookSample of the undisturbed processes
 */

/**
 * Sorts observations into cells, arms and jobs, so that their order in the journal does not matter.
 *
 * @param {Question} question
 * @param {Iterable<Observation>} observations
 * @param {Record<string, string>} expectedDigests by cell id; a cell without one is not checked
 * @returns {CellRecord[]} one for every cell of the question, in its order
 * @throws {FormatError} when an observation names a cell that the question does not have
 */
export function collectCells(question, observations, expectedDigests) {
  /** @type {Map<string, Map<string, Observation[]>>} */
  const attempts = new Map(
    question.cells.flatMap((cell) => [
      [cell.id, new Map()],
      [sharedIdOf(cell), new Map()],
    ]),
  );
  for (const observation of observations) {
    const jobs = attempts.get(observation.cellId);
    if (jobs === undefined) {
      throw new FormatError(
        `observation of job '${observation.id}' belongs to cell '${observation.cellId}', which the run does not have`,
        { remedy: 'Compare observations only with the manifest of their run.' },
      );
    }
    const known = jobs.get(observation.id);
    if (known === undefined) jobs.set(observation.id, [observation]);
    else known.push(observation);
  }
  const jobsOf = (/** @type {Cell} */ cell) => {
    const own = attempts.get(cell.id) ?? new Map();
    const shared = attempts.get(sharedIdOf(cell)) ?? new Map();
    return own === shared ? own : joinShared(own, shared);
  };
  const speedsOf = findHostSpeeds(question, jobsOf);
  return question.cells.map((cell) =>
    collectCell(cell, jobsOf(cell), expectedDigests[sharedIdOf(cell)], speedsOf(cell)),
  );
}

/**
 * Each host has speeds of its own, by the first of its blocks. Cells that run under one runtime share its fastest one.
 * @type {(question: Question, jobsOf: (cell: Cell) => Map<string, Observation[]>) => (cell: Cell) => (host: string | undefined) => SpeedOf}
 */
function findHostSpeeds(question, jobsOf) {
  const splitOf = remember((/** @type {Cell} */ cell) => splitByHost(jobsOf(cell)));
  const listOf = (/** @type {Cell} */ cell, /** @type {string | undefined} */ host) =>
    splitOf(cell).get(host) ?? [];
  const loopOf = (/** @type {Cell} */ cell) => {
    const { baseline, candidate } = pairOf(question, cell);
    return [cell.runtime, figureOf(cell).kind, pinOf(baseline), pinOf(candidate)].join(' ');
  };
  const alike = group(question.cells, loopOf);
  const fastestOn = remember((/** @type {string | undefined} */ host) =>
    remember((/** @type {string} */ loop) =>
      Math.min(
        ...(alike.get(loop) ?? []).map((each) =>
          fastestReading(listOf(each, host), question.looks),
        ),
      ),
    ),
  );
  return (cell) =>
    remember((host) =>
      findSpeeds(question, cell, {
        listOf: (each) => listOf(each, host),
        fastestNs: fastestOn(host)(loopOf(cell)),
      }),
    );
}

/** @type {<K, V>(find: (key: K) => V) => (key: K) => V} */
function remember(find) {
  /** @type {Map<any, any>} */
  const known = new Map();
  return (key) => {
    if (!known.has(key)) known.set(key, find(key));
    return known.get(key);
  };
}

/**
 * The observations of each host, with its blocks numbered from 0; without hosts they stay as they are.
 * @type {(jobs: Map<string, Observation[]>) => Map<string | undefined, SpeedObservation[]>}
 */
function splitByHost(jobs) {
  const hosts = group([...jobs.values()], ([{ host }]) => host);
  return new Map([...hosts].map(([host, own]) => [host, renumberBlocks(own.flat(), host)]));
}

/** @type {(observations: Observation[], host: string | undefined) => SpeedObservation[]} */
function renumberBlocks(observations, host) {
  if (host === undefined) return observations;
  const blocks = [...new Set(observations.map(({ block }) => block))].sort((a, b) => a - b);
  const numbers = new Map(blocks.map((block, index) => [block, index]));
  return observations.map(({ arm, block, position, outcome, ...observation }) => ({
    arm,
    position,
    outcome,
    block: numbers.get(block) ?? block,
    ...('measurement' in observation ? { measurement: observation.measurement } : {}),
  }));
}

/**
 * All variants of a ranking share a speed, as the arms of a comparison do. Those under another version of Node
 * count as the other arm.
 * @type {(question: Question, cell: Cell, known: { listOf: (cell: Cell) => SpeedObservation[], fastestNs: number }) => SpeedOf}
 */
function findSpeeds(question, cell, { listOf, fastestNs }) {
  const pair = { ...pairOf(question, cell), fastestNs };
  if (!contrastOf(question).sharesSpeed) return undisturbedSpeeds(listOf(cell), pair);
  const specOf = (/** @type {Cell} */ each) => pairOf(question, each).candidate;
  const isAlike = (/** @type {Cell} */ each) => pinOf(specOf(each)) === pinOf(pair.candidate);
  const ranked = question.cells.filter((each) => sharedIdOf(each) === sharedIdOf(cell));
  const other = ranked.find((each) => !isAlike(each)) ?? cell;
  const observed = ranked.flatMap((each) => {
    const arm = isAlike(each)
      ? /** @type {const} */ ('candidate')
      : /** @type {const} */ ('baseline');
    return listOf(each).map((observation) => ({ ...observation, arm }));
  });
  return undisturbedSpeeds(observed, { ...pair, baseline: specOf(other) });
}

/**
 * Adds the jobs of baseline and control in the same blocks to those of one of several candidates.
 * Later blocks belong to candidates that needed more.
 * @type {(own: Map<string, Observation[]>, shared: Map<string, Observation[]>) => Map<string, Observation[]>}
 */
function joinShared(own, shared) {
  const lastBlock = Math.max(...[...own.values()].map(([{ block }]) => block));
  return new Map([...own, ...[...shared].filter(([, [{ block }]]) => block <= lastBlock)]);
}

/**
 * The samples that the looks of a cell have seen: the first n jobs of each variant for every planned look
 * n that both have reached, then all jobs, if there are more. The unplanned look of an interrupted session
 * saw all jobs, too, those that one arm had more included.
 *
 * A job that failed for good, or was disturbed throughout, counts towards the size of a look and adds
 * no figure, so that such a run still reaches its looks.
 *
 * @param {CellRecord} record
 * @param {Question} question
 * @param {readonly number[]} [interimLooks] unplanned ones, ascending
 * @returns {LookSample[]} ascending; empty when a variant has no job
 */
export function sampleLooks({ arms }, question, interimLooks = []) {
  const plannedLooks = listAllLooks(question);
  /** @param {number} size  @param {number} jobsTaken */
  const take = (size, jobsTaken) => takeSample(arms, { size, jobsTaken }, question);
  const all = contrastOf(question).take(arms, Infinity);
  const counts = [all.candidate.length, poolBaseline(all).length];
  const [available, most] = [Math.min(...counts), Math.max(...counts)];
  if (available === 0) return [];
  const looks = [...new Set([...plannedLooks, ...interimLooks])].sort((a, b) => a - b);
  const samples = looks
    .filter((look) => look < available || plannedLooks.includes(look))
    .filter((look) => look <= available)
    .map((look) => take(look, look));
  const lastSize = samples.at(-1)?.size ?? 0;
  if (available > lastSize) samples.push(take(available, most));
  return samples;
}

/**
 * The figures that the candidate is compared with. Baseline and control are the same code, and twice as
 * many figures make the ratio more precise. Whether they agree is a separate test (decision 0017).
 * @type {<T>(figures: Record<'baseline' | 'control', T[]>) => T[]}
 */
export function poolBaseline({ baseline, control }) {
  return [...baseline, ...control];
}

/** @type {(arms: Record<Arm, JobRecord[]>, look: { size: number, jobsTaken: number }, question: Question) => LookSample} */
function takeSample(arms, { size, jobsTaken }, question) {
  const taken = contrastOf(question).take(arms, jobsTaken);
  const { earlyLook = 0 } = question;
  const isEarly = size <= earlyLook;
  const rough = question.earlyLook === undefined ? undefined : takeRough(taken, question);
  const own = isEarly
    ? compareFew(taken, question, size === earlyLook)
    : compareJobs(taken, question);
  return { size, isEarly, ...own, ...omitUndefined({ rough }) };
}

/**
 * Up to the early look. So few differences of pairs say too little of their noise, and independent samples are compared. Where
 * a run ended before that look, an arm may have more processes on one core than on the other.
 * @type {(taken: Record<Arm, JobRecord[]>, question: Question, isPlanned: boolean) => Sample}
 */
function compareFew(taken, question, isPlanned) {
  const isLevel = isPlanned || !scheduleOf(question).comparesPairs;
  return compareJobs(isLevel ? taken : levelCores(takeTogether(taken)), question, false);
}

/** @type {(taken: Record<Arm, JobRecord[]>, question: Question) => RoughSample} */
function takeRough(taken, question) {
  const corrected = forEachArm((arm) =>
    taken[arm].map((job) => ({ ...job, logFigure: job.corrected?.logFigure ?? job.logFigure })),
  );
  const slowdowns = ARMS.flatMap((arm) => taken[arm].flatMap((job) => job.corrected ?? []));
  const slowdown = slowdowns.length === 0 ? 0 : meanOf(slowdowns.map((each) => each.slowdown));
  return { ...compareJobs(corrected, question, false), slowdown };
}

/** @type {(taken: Record<Arm, JobRecord[]>, question: Question, inPairs?: boolean) => Sample} */
function compareJobs(taken, question, inPairs = scheduleOf(question).comparesPairs) {
  const found = inPairs ? pairByHost(taken) : null;
  if (found !== null) {
    const together = takeTogether(taken);
    if (losesPairs(found, together)) return compareJobs(levelCores(together), question, false);
  }
  const compared = found === null ? compareHosts(taken) : compareHostPairs(found.byHost);
  const aligned = alignHosts(taken);
  const hosts = (contrastOf(question).allowsForHosts && compared) || undefined;
  const { pairs, imbalance } = found ?? {};
  return {
    figures: forEachArm((arm) => logFiguresOf(aligned[arm])),
    ...omitUndefined({ pairs, imbalance, hosts }),
    garbage: {
      baseline: shareOfGarbage(poolBaseline(taken)),
      candidate: shareOfGarbage(taken.candidate),
    },
    readingShift: findReadingShift(taken),
  };
}

/** Of the figures, a share in pairs from which on pairs are the more precise sample. */
const MIN_PAIRED = 0.75;

/**
 * Whether so many pairs lack a figure that independent samples say more. That depends on where processes were disturbed, and
 * not on what they measured.
 * @type {(paired: ReturnType<typeof pairByHost>, taken: Record<Arm, JobRecord[]>) => boolean}
 */
function losesPairs({ pairs, byHost }, taken) {
  const counts = [taken.candidate, poolBaseline(taken)].map((jobs) => logFiguresOf(jobs).length);
  return byHost.size <= 1 && poolBaseline(pairs).length < MIN_PAIRED * Math.min(...counts);
}

/**
 * The jobs that ran beside their partner: what runs alone is faster.
 * @type {(taken: Record<Arm, JobRecord[]>) => Record<Arm, JobRecord[]>}
 */
function takeTogether(taken) {
  const partnerOf = findPartners(ARMS.flatMap((arm) => taken[arm].flatMap(takeStart)));
  return forEachArm((arm) =>
    taken[arm].filter((job) => takeStart(job).some((start) => partnerOf(start) !== undefined)),
  );
}

/**
 * Takes the difference of two cores from the figures of processes, so that it does not matter on which of them one arm
 * lost more. A core on which an arm has no figure counts for nothing.
 * @type {(taken: Record<Arm, JobRecord[]>) => Record<Arm, JobRecord[]>}
 */
function levelCores(taken) {
  const levels = [0, 1].map((core) =>
    meanOf(
      [taken.candidate, poolBaseline(taken)].map((jobs) =>
        meanOf(logFiguresOf(jobs.filter(({ position }) => position % 2 === core))),
      ),
    ),
  );
  const known = levels.filter(Number.isFinite);
  const common = meanOf(known);
  return forEachArm((arm) =>
    taken[arm].map((job) => {
      const shift = common - levels[job.position % 2];
      const isKnown = job.logFigure !== null && Number.isFinite(shift);
      return { ...job, logFigure: isKnown ? Number(job.logFigure) + shift : null };
    }),
  );
}

/** @type {(jobs: JobRecord[]) => number} mean share of collections in the timed part of processes */
function shareOfGarbage(jobs) {
  const shares = jobs.flatMap(({ done }) => {
    const { gcMs, wallMs } = done?.measurement ?? {};
    return gcMs === undefined || wallMs === undefined || wallMs <= 0
      ? []
      : Math.min(1, gcMs / wallMs);
  });
  return shares.length === 0 ? 0 : meanOf(shares);
}

/** Level of the test of the readings. A variant that slows them is rare, and the allowance for it costs little. */
const READING_LEVEL = 0.01;

/** @type {(taken: Record<Arm, JobRecord[]>) => number} see `Sample` */
function findReadingShift(taken) {
  const listOf = (/** @type {JobRecord[]} */ jobs) =>
    jobs.flatMap(({ logReading }) => logReading ?? []);
  const [candidate, others] = [listOf(taken.candidate), listOf(poolBaseline(taken))];
  if (Math.min(candidate.length, others.length) < 2) return 0;
  const shift = estimateDifference(candidate, others);
  return testZero(shift).p < READING_LEVEL ? shift.estimate : 0;
}

/**
 * @param {Record<Arm, JobRecord[]>} arms
 * @returns {Required<Pick<Sample, 'pairs' | 'imbalance'>> & { byHost: Map<string, number[]> }} the differences of
 *   pairs, by arm and by host; the cores of each host differ in their own way
 */
function pairByHost(arms) {
  const hosts = new Set(ARMS.flatMap((arm) => arms[arm].map(({ host = '' }) => host)));
  const found = [...hosts].map((name) => {
    const own = forEachArm((arm) => arms[arm].filter(({ host = '' }) => host === name));
    return { name, pairs: comparePairs(forEachArm((arm) => own[arm].flatMap(takePlaced))) };
  });
  const listOf = (/** @type {'baseline' | 'control'} */ arm) =>
    found.flatMap(({ pairs }) => pairs[arm]);
  return {
    pairs: { baseline: listOf('baseline'), control: listOf('control') },
    imbalance: Math.max(...found.map(({ pairs }) => pairs.imbalance)),
    byHost: new Map(found.map(({ name, pairs }) => [name, poolBaseline(pairs)])),
  };
}

/** Where and when a process ran. @typedef {{ block: number, position: number, startedAtMs: number }} Start */

/** @typedef {Start & { logFigure: number }} PlacedFigure */

/** @type {(job: JobRecord) => Start[]} none of a job that failed */
function takeStart({ block, position, done }) {
  return done === null ? [] : [{ block, position, startedAtMs: done.startedAtMs }];
}

/** @type {(job: JobRecord) => PlacedFigure[]} none without a figure */
function takePlaced(job) {
  const { logFigure } = job;
  return logFigure === null ? [] : takeStart(job).map((start) => ({ ...start, logFigure }));
}

/** Jobs that start further apart, in milliseconds, did not run at the same time. */
const MAX_APART_MS = 50;

/** @type {<S extends Start>(jobs: S[]) => (job: Start) => S | undefined} which of the jobs ran at the same time on the other core */
function findPartners(jobs) {
  const placed = new Map(jobs.map((job) => [`${job.block}/${job.position}`, job]));
  return ({ block, position, startedAtMs }) => {
    const partner = placed.get(`${block}/${position ^ 1}`);
    if (partner === undefined) return undefined;
    return Math.abs(partner.startedAtMs - startedAtMs) <= MAX_APART_MS ? partner : undefined;
  };
}

/**
 * The differences of the candidate's arm and of the arm that ran at the same time.
 * @type {(arms: Record<Arm, PlacedFigure[]>) => NonNullable<Sample['pairs']> & { imbalance: number }}
 */
export function comparePairs({ candidate, baseline, control }) {
  const { pairs, imbalance } = differencePairs(candidate, [...baseline, ...control]);
  const listOf = (/** @type {PlacedFigure[]} */ arm) => {
    const own = new Set(arm);
    return pairs.flatMap(({ job, difference }) => (own.has(job) ? difference : []));
  };
  return { baseline: listOf(baseline), control: listOf(control), imbalance };
}

/**
 * Jobs of a pair run on two cores, and the second half of a block swaps them. Half of the
 * difference of pairs in either order is that of the cores.
 *
 * @template {PlacedFigure} F
 * @param {PlacedFigure[]} candidates
 * @param {F[]} others
 * @returns {{ pairs: { job: F, difference: number }[], imbalance: number }} candidate minus the job that ran at the same
 *   time, without the difference of the cores
 */
export function differencePairs(candidates, others) {
  const partnerOf = findPartners(candidates);
  const pairs = others.flatMap((job) => {
    const partner = partnerOf(job);
    if (partner === undefined) return [];
    const order = job.position % 2 === 0 ? 1 : -1;
    return [{ job, order, difference: partner.logFigure - job.logFigure }];
  });
  const [even, odd] = [1, -1].map((wanted) =>
    pairs.filter(({ order }) => order === wanted).map(({ difference }) => difference),
  );
  const [evenMean, oddMean] = [even, odd].map((differences) =>
    meanOfTrimmed(Float64Array.from(differences).sort()),
  );
  const ofCores = Number.isFinite(evenMean - oddMean) ? (evenMean - oddMean) / 2 : 0;
  return {
    pairs: pairs.map(({ job, order, difference }) => ({
      job,
      difference: difference - order * ofCores,
    })),
    imbalance: (pairs.length / 4) * (1 / even.length + 1 / odd.length),
  };
}

/** @type {(jobs: JobRecord[]) => number[]} the log figures of those that have one */
export function logFiguresOf(jobs) {
  return jobs.flatMap(({ logFigure }) => logFigure ?? []);
}

/** @type {(cell: Cell, jobs: Map<string, Observation[]>, expectedDigest: string | undefined, speedsOn: (host: string | undefined) => SpeedOf) => CellRecord} */
function collectCell(cell, jobs, expectedDigest, speedsOn) {
  /** @type {Record<Arm, JobRecord[]>} */
  const arms = { baseline: [], candidate: [], control: [] };
  const wrongArms = new Set();
  /** @type {string | null} */
  let fault = null;
  for (const attempts of jobs.values()) {
    const [{ arm, host }] = attempts;
    arms[arm].push(recordJob(attempts, speedsOn(host)));
    for (const attempt of attempts) {
      if (attempt.outcome !== 'done' || expectedDigest === undefined) continue;
      if (attempt.outputDigest === expectedDigest) continue;
      wrongArms.add(attempt.arm);
      fault ??= attempt.faults?.[0] ?? null;
    }
  }
  for (const arm of ARMS) arms[arm].sort(byPlace);
  return { cell, arms, wrongArms: ARMS.filter((arm) => wrongArms.has(arm)), fault };
}

/**
 * Combines the attempts at one job.
 * @type {(attempts: Observation[], speedOf: SpeedOf) => JobRecord}
 */
function recordJob(attempts, speedOf) {
  const inOrder = [...attempts].sort(
    (a, b) => a.attempt - b.attempt || a.startedAtMs - b.startedAtMs,
  );
  const done = inOrder.find(isMeasured) ?? null;
  const failures = inOrder.filter((attempt) => attempt.outcome === 'failed');
  const { id, block, position, host } = done ?? inOrder[0];
  const speed = speedOf(inOrder[0]);
  const figure = done === null ? null : takeFigure(done.measurement, speed);
  const logFigure = figure === null ? null : Math.log(figure);
  const corrected = done === null ? null : correctFigure(done.measurement, speed);
  const jitter = done === null ? null : takeJitter(done.measurement, speed);
  const processes = attempts.length;
  const logReading = done === null ? null : takeReading(done.measurement, speed);
  const figures = { logFigure, corrected, jitter, logReading };
  return { id, block, position, host, processes, done, ...figures, failures };
}

/**
 * Whether an attempt has a figure with a logarithm.
 * @type {(attempt: Observation) => attempt is ObservationDone}
 */
function isMeasured(attempt) {
  if (attempt.outcome !== 'done') return false;
  const median = takeMedian(attempt.measurement.batchNsPerDocument);
  return median > 0 && median < Infinity;
}

/** @param {JobRecord} a @param {JobRecord} b */
function byPlace(a, b) {
  return a.block - b.block || a.position - b.position || (a.id < b.id ? -1 : 1);
}
