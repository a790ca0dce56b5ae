import { omitUndefined } from '../../../lib/records.js';
import { collectCells } from '../../../stats/cell/samples.js';
import { sumOf } from '../../../stats/means.js';
import { drawUniform } from '../../../stats/random.js';
import { scheduleOf } from '../../../stats/schedule.js';
import { describePlayed, makeQuestion, playLooks } from '../looks.js';
import { drawNormal } from '../noise.js';
import { SCHEDULES } from './times.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { Arm, Observation, PlannedJob, Question, SimulationLimits } from '../../../formats/types.ts' */
/** @import { Scenario } from '../scenario.js' */

/** Batches of a process. */
const BATCHES = 48;
/** Time of the reference loop at full speed, and of a document. */
const READING_NS = 60_000;
const DOCUMENT_NS = 10_000;
const DOCUMENTS_PER_BATCH = 500;
/** Standard deviations on the log scale: between processes, batches and readings. */
const PROCESS_SPREAD = 0.02;
const BATCH_SPREAD = 0.005;
const READING_SPREAD = 0.005;
/** By which a neighbour on the same core slows the reference loop and, unless said otherwise, all arms. */
const NEIGHBOUR = 1.4;

/** The core and the arm of a process. @typedef {{ core: number, arm: Arm }} Place */

/**
 * What the host does to processes, in the order in which they run. Those of a pair share the speed of the processor, and
 * each core has its own neighbours.
 *
 * @typedef {object} Host
 * @property {number} [speedSpread] of the speed of the processor, log scale
 * @property {number} [jobsPerSpeed] jobs that share a speed, on average
 * @property {number | ((place: Place) => number)} [busy] share of the time in which there is a neighbour
 * @property {number} [jobsPerEpisode] jobs after which a neighbour comes or goes, on average
 * @property {number} [batchesPerEpisode] batches of a process after which it does, by default never
 * @property {number} [neighbour] by which it slows the reference loop and the baseline
 * @property {number} [candidateNeighbour] by which it slows the candidate
 * @property {number} [slowCore] by which the second core is slower than the first
 * @property {number} [codeOnSlowCore] by which code is slower there besides
 * @property {number} [candidateReadings] by which the candidate slows its readings of the reference loop
 * @property {number} [ownDisturbances] share of its readings that the candidate disturbs, but not its batches
 * @property {number} [processSpread] of processes, log scale
 * @property {number} [batchSpread] of batches, log scale
 */

/**
 * @typedef {object} HostState
 * @property {number} speed log factor of times
 * @property {number} core
 * @property {boolean[]} isBusy at each reading
 */

/** @type {(host: Host, width: number, random: RandomGenerator) => (job: PlannedJob) => HostState} state during the next process */
function runHost(host, width, random) {
  const { speedSpread = 0, jobsPerSpeed = 1, jobsPerEpisode = 1, busy = 0 } = host;
  const { batchesPerEpisode = Infinity } = host;
  let speed = speedSpread * drawNormal(random);
  const draw = (/** @type {Place} */ place) =>
    drawUniform(random) < (typeof busy === 'number' ? busy : busy(place));
  /** @type {boolean[]} by core */
  const states = [];
  return ({ arm, position }) => {
    const core = position % width;
    if (core === 0 && drawUniform(random) < 1 / jobsPerSpeed) {
      speed = speedSpread * drawNormal(random);
    }
    const chances = [1 / jobsPerEpisode, 1 / batchesPerEpisode];
    const isBusy = Array.from({ length: BATCHES + 1 }, (_, reading) => {
      const chance = chances[Math.min(reading, 1)];
      if (chance > 0 && drawUniform(random) < chance) states[core] = draw({ core, arm });
      states[core] ??= draw({ core, arm });
      return states[core];
    });
    return { speed, core, isBusy };
  };
}

/** Share of the time of the baseline that is collection of garbage, beside its other time. */
const GARBAGE = 0.03;
/** Part of a difference in garbage, log scale, that pairs do not show (decision 0030). */
const GARBAGE_PULL = 1 / 3;

/**
 * @param {PlannedJob} job
 * @param {{ log: number, garbage: number, host: Host, state: HostState }} process its undisturbed time on the log scale,
 *   relative to that of a document, and the share of collections beside it
 * @param {RandomGenerator} random
 * @returns {Observation}
 */
function observe({ id, ...job }, { log, garbage, host, state }, random) {
  const { neighbour = NEIGHBOUR, batchSpread = BATCH_SPREAD } = host;
  const { slowCore = 1, codeOnSlowCore = 1, candidateReadings = 1, ownDisturbances = 0 } = host;
  const isCandidate = job.arm === 'candidate';
  const onSlow = state.core === 1 ? 1 : 0;
  const shared = state.speed + onSlow * Math.log(slowCore);
  const own = Math.log(DOCUMENT_NS) + log + shared + onSlow * Math.log(codeOnSlowCore);
  const slowed = Math.log((isCandidate && host.candidateNeighbour) || neighbour);
  const reading = Math.log(READING_NS) + shared + (isCandidate ? Math.log(candidateReadings) : 0);
  const disturbed = isCandidate ? ownDisturbances : 0;
  const busyAt = (/** @type {number} */ index) => (state.isBusy[index] ? 1 : 0);
  const ownNs = Array.from({ length: BATCHES }, (_, batch) =>
    Math.exp(
      own + (slowed * (busyAt(batch) + busyAt(batch + 1))) / 2 + batchSpread * drawNormal(random),
    ),
  );
  const batchGcMs = ownNs.map((ns) => (ns * garbage * DOCUMENTS_PER_BATCH) / 1e6);
  const ownMs = (sumOf(ownNs) * DOCUMENTS_PER_BATCH) / 1e6;
  const measurement = {
    batchNsPerDocument: ownNs.map((ns) => ns * (1 + garbage)),
    batchGcMs,
    gcMs: sumOf(batchGcMs),
    wallMs: ownMs + sumOf(batchGcMs),
    referenceLoopNs: Array.from({ length: BATCHES + 1 }, (_, index) => {
      const isDisturbed = drawUniform(random) < disturbed;
      const slow = Math.log(neighbour) * Math.max(busyAt(index), isDisturbed ? 1 : 0);
      return Math.exp(reading + slow + READING_SPREAD * drawNormal(random));
    }),
    documentsPerBatch: DOCUMENTS_PER_BATCH,
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
 * @typedef {object} Asked
 * @property {number} [cells]
 * @property {string} [candidate] which may be pinned to another Node than the baseline
 * @property {number} [ratio] candidate / baseline
 * @property {boolean} [isGarbage] whether the candidate differs by collections of garbage alone
 * @property {Question['schedule']} [schedule]
 */

/** @type {(name: string, host: Host, asked?: Asked, limits?: SimulationLimits) => Scenario} */
function makeScenario(name, host, asked = {}, limits = EQUAL) {
  const { cells = 1, candidate = 'b', ratio = 1, isGarbage = false, schedule } = asked;
  const { processSpread = PROCESS_SPREAD } = host;
  const truth = Math.log(ratio);
  const seen = (1 + GARBAGE) * ratio ** (1 - GARBAGE_PULL) - 1;
  return {
    group: 'interference',
    name: `${name}${schedule === undefined ? '' : ', pairs'}${cells === 1 ? '' : `, ${cells} cells`}`,
    limits,
    play(random) {
      const question = makeQuestion(cells, random.next(), {
        candidates: [candidate],
        ...omitUndefined({ schedule }),
      });
      const next = runHost(host, scheduleOf(question).width, random);
      /** @type {Observation[]} */
      const observations = [];
      const played = playLooks(
        question,
        (jobs) => {
          for (const job of jobs) {
            const isCandidate = job.arm === 'candidate';
            const effect = isCandidate && !isGarbage ? truth : 0;
            const log = effect + processSpread * drawNormal(random);
            const garbage = isCandidate && isGarbage ? seen : GARBAGE;
            const process = { log, garbage, host, state: next(job) };
            observations.push(observe(job, process, random));
          }
        },
        () => collectCells(question, observations, {}),
      );
      return { cells: describePlayed(played, () => truth) };
    },
  };
}

const EQUAL = { wrong: 0.02, missed: 0.02 };
const KNOWN = { ...EQUAL, falselyEquivalent: 0.01 };
const FOUND = { ...KNOWN, overlooked: 0.05 };
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
  ['60 % busy in episodes of 24 batches', { busy: 0.6, batchesPerEpisode: 24 }],
  ['75 % busy', { busy: 0.75 }],
  ['40 % busy, candidate suffers more', { busy: 0.4, candidateNeighbour: 1.8 }],
  ['75 % busy, candidate suffers more', { busy: 0.75, candidateNeighbour: 1.8 }],
  [
    '50 % busy in episodes of 16 batches, candidate suffers more',
    { busy: 0.5, batchesPerEpisode: 16, neighbour: 1.5, candidateNeighbour: 1.9 },
  ],
  [
    'speed 2 % apart, 40 % busy, candidate suffers more',
    { speedSpread: 0.02, busy: 0.4, candidateNeighbour: 1.8 },
  ],
  ['candidate disturbs 6 % of its readings', { ownDisturbances: 0.06, batchSpread: 0.05 }],
  ['batches 5 % apart', { batchSpread: 0.05 }],
  ['batches 5 % apart, 40 % busy', { batchSpread: 0.05, busy: 0.4, batchesPerEpisode: 24 }],
];

/** What happens to pairs only. @type {[string, Host][]} */
const CORES = [
  [
    'code 2 % slower on a core that is 6 % slower, candidate slows its readings by 2.5 %',
    { slowCore: 1.06, codeOnSlowCore: 1.02, candidateReadings: 1.025 },
  ],
  [
    'code 3 % slower on one core, candidate disturbed there in 90 % and elsewhere in 20 %',
    {
      codeOnSlowCore: 1.03,
      busy: ({ core, arm }) => (arm !== 'candidate' ? 0 : core === 1 ? 0.9 : 0.2),
    },
  ],
  [
    'code 3 % slower on one core, 70 % busy there',
    { codeOnSlowCore: 1.03, busy: ({ core }) => (core === 1 ? 0.7 : 0.1) },
  ],
  ...[8, 12, 15].map(
    (percent) =>
      /** @type {[string, Host]} */ ([
        `one core ${percent} % slower`,
        { slowCore: 1 + percent / 100 },
      ]),
  ),
  ['one core 12 % slower, 40 % busy', { slowCore: 1.12, busy: 0.4, batchesPerEpisode: 24 }],
];

/** Garbage is pulled; little noise lets this show. */
const QUIET = { processSpread: 0.007 };
const PAIRED = { schedule: /** @type {const} */ ('paired') };

export const INTERFERENCE_SCENARIOS = [
  ...HOSTS.flatMap(([name, host]) => [makeScenario(name, host), makeScenario(name, host, PAIRED)]),
  ...HOSTS.filter((_, index) => index % 3 === 0).map(([name, host]) =>
    makeScenario(`two pins, ${name}`, host, PINNED),
  ),
  // Runs of six cells take long to simulate.
  ...HOSTS.filter((_, index) => index % 3 === 1).map(([name, host]) =>
    makeScenario(name, host, { ...PAIRED, cells: 6 }),
  ),
  // At the first look all processes of one cell may be disturbed, and then nothing shows it.
  makeScenario('90 % busy, candidate suffers more', { busy: 0.9, candidateNeighbour: 1.8 }, {}, {}),
  ...CORES.map(([name, host]) => makeScenario(name, host, PAIRED)),
  ...[1.05, 1.1].map((ratio) =>
    makeScenario(
      `one core 12 % slower, candidate ${Math.round((ratio - 1) * 100)} % slower`,
      { slowCore: 1.12 },
      { ...PAIRED, ratio },
      FOUND,
    ),
  ),
  ...[1.03, 1.06, 1.12, 1.5].map((ratio) =>
    makeScenario(
      `${Math.round((ratio - 1) * 100)} % slower by garbage`,
      QUIET,
      { ...PAIRED, ratio, isGarbage: true },
      KNOWN,
    ),
  ),
  ...SCHEDULES.flatMap((schedule) =>
    [1.03, 1.05].map((ratio) =>
      makeScenario(
        `30 % busy in episodes of 8 jobs, ${Math.round((ratio - 1) * 100)} % slower`,
        { busy: 0.3, jobsPerEpisode: 8 },
        { ratio, ...omitUndefined({ schedule }) },
        FOUND,
      ),
    ),
  ),
  // Effects of the recorded busy hosts.
  ...[1.1, 1.26, 1.5].map((ratio) =>
    makeScenario(
      `60 % busy in episodes of 24 batches, ${Math.round((ratio - 1) * 100)} % slower`,
      { busy: 0.6, batchesPerEpisode: 24, neighbour: 1.5, candidateNeighbour: 1.6 },
      { ...PAIRED, ratio },
      FOUND,
    ),
  ),
];
