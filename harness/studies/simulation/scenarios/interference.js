import { collectCells } from '../../../stats/cell/samples.js';
import { drawUniform } from '../../../stats/random.js';
import { describePlayed, makeQuestion, playLooks } from '../looks.js';
import { drawNormal } from '../noise.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { Observation, PlannedJob, SimulationLimits } from '../../../formats/types.ts' */
/** @import { Scenario } from '../scenario.js' */

/** Batches of a process; the screening needs a few. */
const BATCHES = 8;
/** Time of the reference loop at full speed. */
const READING_NS = 60_000;
/** Standard deviations on the log scale: between processes, batches and readings. */
const PROCESS_SPREAD = 0.02;
const BATCH_SPREAD = 0.005;
const READING_SPREAD = 0.005;
/** By which a neighbour on the same core slows the reference loop and, unless said otherwise, all arms. */
const NEIGHBOUR = 1.4;

/**
 * What the host does to processes, in the order in which they run.
 *
 * @typedef {object} Host
 * @property {number} [speedSpread] of the speed of the processor, log scale
 * @property {number} [jobsPerSpeed] jobs that share a speed, on average
 * @property {number} [busy] share of the processes that have a neighbour throughout
 * @property {number} [jobsPerEpisode] jobs that a neighbour stays, on average
 * @property {number} [candidateNeighbour] by which it slows the candidate
 */

/**
 * @param {Host} host
 * @param {RandomGenerator} random
 * @returns {() => { speed: number, isBusy: boolean }} state during the next process: speed as a log
 *   factor of times
 */
function runHost({ speedSpread = 0, jobsPerSpeed = 1, busy = 0, jobsPerEpisode = 1 }, random) {
  let speed = speedSpread * drawNormal(random);
  let isBusy = drawUniform(random) < busy;
  return () => {
    if (drawUniform(random) < 1 / jobsPerSpeed) speed = speedSpread * drawNormal(random);
    if (drawUniform(random) < 1 / jobsPerEpisode) isBusy = drawUniform(random) < busy;
    return { speed, isBusy };
  };
}

/**
 * @param {PlannedJob} job
 * @param {{ log: number, neighbour: number, speed: number, isBusy: boolean }} process its undisturbed time
 *   on the log scale, and by which the neighbour slows it
 * @param {RandomGenerator} random
 * @returns {Observation}
 */
function observe({ id, ...job }, { log, neighbour, speed, isBusy }, random) {
  const own = log + speed + (isBusy ? Math.log(neighbour) : 0);
  const reading = Math.log(READING_NS) + speed + (isBusy ? Math.log(NEIGHBOUR) : 0);
  const measurement = {
    batchNsPerDocument: Array.from({ length: BATCHES }, () =>
      Math.exp(own + BATCH_SPREAD * drawNormal(random)),
    ),
    referenceLoopNs: Array.from({ length: BATCHES + 1 }, () =>
      Math.exp(reading + READING_SPREAD * drawNormal(random)),
    ),
    documentsPerBatch: 1000,
  };
  const observation = {
    ...job,
    id,
    attempt: 1,
    startedAtMs: 0,
    outcome: 'done',
    measurement,
  };
  return /** @type {Observation} */ (/** @type {unknown} */ (observation));
}

/**
 * @param {string} name
 * @param {Host} host
 * @param {{ cells?: number, candidate?: string, ratio?: number }} [question] `candidate` may be pinned to
 *   another Node than the baseline
 * @param {SimulationLimits} [limits]
 * @returns {Scenario}
 */
function makeScenario(name, host, { cells = 1, candidate = 'b', ratio = 1 } = {}, limits = EQUAL) {
  const truth = Math.log(ratio);
  return {
    group: 'interference',
    name: cells === 1 ? name : `${name}, ${cells} cells`,
    limits,
    play(random) {
      const question = makeQuestion(cells, random.next(), { candidates: [candidate] });
      const next = runHost(host, random);
      /** @type {Observation[]} */
      const observations = [];
      const played = playLooks(
        question,
        (jobs) => {
          for (const job of jobs) {
            const isCandidate = job.arm === 'candidate';
            const log = (isCandidate ? truth : 0) + PROCESS_SPREAD * drawNormal(random);
            const neighbour = (isCandidate && host.candidateNeighbour) || NEIGHBOUR;
            observations.push(observe(job, { log, neighbour, ...next() }, random));
          }
        },
        () => collectCells(question, observations, {}),
      );
      return { cells: describePlayed(played, () => truth) };
    },
  };
}

const EQUAL = { wrong: 0.02, missed: 0.02 };
/** Pins of two versions of Node. */
const PINNED = { candidate: 'b@node=22' };

/** @type {[string, Host][]} */
const HOSTS = [
  ['calm', {}],
  ['speed of each process 2 % apart', { speedSpread: 0.02 }],
  ['speed in steps every 30 jobs', { speedSpread: 0.02, jobsPerSpeed: 30 }],
  ['speed in wide steps every 30 jobs', { speedSpread: 0.06, jobsPerSpeed: 30 }],
  ['30 % busy in episodes of 8 jobs', { busy: 0.3, jobsPerEpisode: 8 }],
  ['60 % busy in episodes of 20 jobs', { busy: 0.6, jobsPerEpisode: 20 }],
  ['75 % busy', { busy: 0.75 }],
  ['40 % busy, candidate suffers more', { busy: 0.4, candidateNeighbour: 1.8 }],
  ['75 % busy, candidate suffers more', { busy: 0.75, candidateNeighbour: 1.8 }],
  [
    'speed 2 % apart, 40 % busy, candidate suffers more',
    { speedSpread: 0.02, busy: 0.4, candidateNeighbour: 1.8 },
  ],
];

export const INTERFERENCE_SCENARIOS = [
  ...HOSTS.flatMap(([name, host]) => [
    makeScenario(name, host),
    makeScenario(name, host, { cells: 6 }),
    makeScenario(`two pins, ${name}`, host, PINNED),
  ]),
  // At the first look all processes of one cell may be disturbed, and then nothing shows it.
  makeScenario('90 % busy, candidate suffers more', { busy: 0.9, candidateNeighbour: 1.8 }, {}, {}),
  ...[1.03, 1.05].map((ratio) =>
    makeScenario(
      `30 % busy in episodes of 8 jobs, ${Math.round((ratio - 1) * 100)} % slower`,
      { busy: 0.3, jobsPerEpisode: 8 },
      { ratio },
      { ...EQUAL, falselyEquivalent: 0.01, overlooked: 0.05 },
    ),
  ),
];
