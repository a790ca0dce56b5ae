/** What a fleet of a given size does all day, by a simulation of events. No clock, no process, no chance but a seed. */

import { drawNormal } from '../../harness/studies/simulation/noise.js';
import { meanOf } from '../../harness/stats/means.js';
import { takeQuantile } from '../../harness/stats/robust.js';
import { PROCESSES_PER_BLOCK } from '../../harness/stats/plan.js';
import { drawUniform, seedGenerator } from '../../harness/stats/random.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */

/** @typedef {import('./measure.js').BrokerFigures} BrokerFigures */

/**
 * @typedef {object} Assumptions
 * @property {number} hosts
 * @property {number} comparisons a day
 * @property {number} observations a day
 * @property {number} hours of the day in which all comparisons start, at random
 * @property {number} jobSeconds mean duration of a job
 * @property {number} setupSeconds of a host, before its first block of a run
 * @property {number} judgeSeconds of the submitter after each look
 * @property {number} roundTripSeconds between submitter and broker
 * @property {number} price of a host for an hour
 * @property {number} diskBytes of the broker
 * @property {number} memoryBytes of the broker
 * @property {number} keptDays how long results are kept
 * @property {number} patienceSeconds for which requests are sent again: a broker that needs longer to start fails runs
 * @property {number} seed
 */

/**
 * What the hosts do.
 *
 * @typedef {object} Day
 * @property {number} comparisons
 * @property {number} blocks
 * @property {Record<'mean' | 'slow' | 'slowest', number>} verdictSeconds from the start of a comparison; `slow`: of the
 *   slowest twentieth the fastest
 * @property {number} busyShare of the hosts in the hours in which comparisons start
 * @property {number} setupShare of that time
 * @property {number} hostSeconds in which hosts were busy
 * @property {number} mostWaiting blocks at the broker
 * @property {number} mostBlocksPerMinute that hosts began
 * @property {number} endHours when the last comparison was over
 */

const BLOCK_JOBS = 2 * PROCESSES_PER_BLOCK;
/** Of all blocks of a comparison, by look: each look has twice as many processes as the one before. */
const LOOK_SHARES = [1 / 8, 1 / 8, 1 / 4, 1 / 2];
/** Share of comparisons that need another look, after each one. */
const CONTINUES = 1 / 2;
/** Mean share of its blocks that a comparison measures. */
const MEASURED_SHARE = LOOK_SHARES.reduce((sum, share, look) => sum + share * CONTINUES ** look, 0);
/** Spread of the durations of blocks, log scale. */
const SPREAD = 0.3;
/** Comparisons that do not meet. */
const FEW = 200;

/**
 * @typedef {{ startSeconds: number, look: number, unsent: number, open: number, prepared: Set<number> }} Comparison
 *   blocks of the look that are not yet submitted, and that are not yet answered
 * @typedef {{ at: number, comparison: Comparison, host: number | null }} Event a block is submitted, or a host ends one
 */

/**
 * @param {Assumptions} assumed
 * @param {Pick<BrokerFigures, 'submitsPerSecond'>} broker
 * @returns {Day}
 */
export function playDay(assumed, broker) {
  const { hosts, comparisons: count, jobSeconds, setupSeconds, judgeSeconds, seed } = assumed;
  const random = seedGenerator(seed);
  const openSeconds = assumed.hours * 3600;
  const perComparison = assumed.observations / count / BLOCK_JOBS / MEASURED_SHARE;
  const blocksOf = (/** @type {number} */ look) =>
    Math.max(1, Math.round(perComparison * LOOK_SHARES[look]));
  const submitSeconds = 1 / broker.submitsPerSecond + assumed.roundTripSeconds;
  const events = openQueue();
  const idle = Array.from({ length: hosts }, (_, host) => host);
  const waiting = openLine();
  const verdicts = [];
  const minutes = new Map();
  let [blocks, busySeconds, inHoursSeconds, setUpSeconds] = [0, 0, 0, 0];
  let [mostWaiting, lastSeconds] = [0, 0];

  /** @param {Comparison} comparison @param {number} at */
  function startLook(comparison, at) {
    comparison.unsent = comparison.open = blocksOf(comparison.look);
    events.add({ at: at + submitSeconds, comparison, host: null });
  }

  /** @param {Comparison} comparison @param {number} host @param {number} at */
  function startBlock(comparison, host, at) {
    const setup = comparison.prepared.has(host) ? 0 : setupSeconds;
    comparison.prepared.add(host);
    const factor = Math.exp(SPREAD * drawNormal(random) - SPREAD ** 2 / 2);
    const seconds = setup + BLOCK_JOBS * jobSeconds * factor;
    blocks++;
    busySeconds += seconds;
    setUpSeconds += setup;
    inHoursSeconds += Math.max(0, Math.min(at + seconds, openSeconds) - at);
    const minute = Math.floor(at / 60);
    minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
    events.add({ at: at + seconds, comparison, host });
  }

  for (let number = 0; number < count; number++) {
    const startSeconds = openSeconds * drawUniform(random);
    startLook({ startSeconds, look: 0, unsent: 0, open: 0, prepared: new Set() }, startSeconds);
  }
  for (let event = events.take(); event !== null; event = events.take()) {
    const { at, comparison, host } = event;
    lastSeconds = at;
    if (host === null) {
      waiting.push(comparison);
      if (--comparison.unsent > 0) events.add({ at: at + submitSeconds, comparison, host });
    } else {
      idle.push(host);
      if (--comparison.open === 0) {
        const isOver =
          comparison.look === LOOK_SHARES.length - 1 || drawUniform(random) > CONTINUES;
        comparison.look++;
        if (isOver) verdicts.push(at + judgeSeconds - comparison.startSeconds);
        else startLook(comparison, at + judgeSeconds);
      }
    }
    while (waiting.length() > 0 && idle.length > 0) {
      startBlock(waiting.shift(), takeAny(idle, random), at);
    }
    mostWaiting = Math.max(mostWaiting, waiting.length());
  }
  return {
    comparisons: verdicts.length,
    blocks,
    verdictSeconds: {
      mean: meanOf(verdicts),
      slow: takeQuantile(verdicts, 0.95),
      slowest: takeQuantile(verdicts, 1),
    },
    busyShare: inHoursSeconds / (hosts * openSeconds),
    setupShare: setUpSeconds / busySeconds,
    hostSeconds: busySeconds,
    mostWaiting,
    mostBlocksPerMinute: Math.max(...minutes.values()),
    endHours: lastSeconds / 3600,
  };
}

/**
 * What a day asks of the parts, and how much more each of them could take.
 *
 * @typedef {object} Forecast
 * @property {Day} day
 * @property {number} aloneSeconds mean time to verdict where there is no other comparison
 * @property {number} costPerComparison of hosts that are paid by the day
 * @property {number} busyCostPerComparison of hosts that are paid while they work
 * @property {number} storedBytes of results, for as long as they are kept
 * @property {Limit[]} limits what breaks first comes first
 *
 * @typedef {object} Limit
 * @property {string} name
 * @property {number} used in its unit
 * @property {number} most
 * @property {string} unit
 * @property {number} factor how many times the load fits, if all grows alike
 */

/**
 * @param {Assumptions} assumed
 * @param {BrokerFigures} broker
 * @returns {Forecast}
 */
export function forecast(assumed, broker) {
  const day = playDay(assumed, broker);
  const perComparison = assumed.observations / assumed.comparisons;
  const few = { ...assumed, comparisons: FEW, observations: FEW * perComparison };
  const { hosts, comparisons, price, keptDays, diskBytes, memoryBytes, patienceSeconds } = assumed;
  const storedBytes = day.blocks * BLOCK_JOBS * broker.bytesPerObservation * keptDays;
  const blocksPerSecond = day.mostBlocksPerMinute / 60;
  const idleHosts = hosts / broker.idle.hosts;
  const { recoverySeconds, emptyRecoverySeconds, recoveredBytes } = broker;
  const recoverySecondsPerByte = (recoverySeconds - emptyRecoverySeconds) / recoveredBytes;
  const limit = (
    /** @type {string} */ name,
    /** @type {number} */ used,
    /** @type {number} */ most,
    /** @type {string} */ unit,
  ) => ({ name, used, most, unit, factor: most / used });
  // Message ids of an hour are in memory, and what is cached of the blocks.
  const heldBlocks = Math.min(day.blocks, 60 * day.mostBlocksPerMinute);
  return {
    day,
    aloneSeconds: playDay(few, broker).verdictSeconds.mean,
    costPerComparison: (hosts * price * 24) / comparisons,
    busyCostPerComparison: ((day.hostSeconds / 3600) * price) / comparisons,
    storedBytes,
    limits: [
      limit('hosts, in working hours', 100 * day.busyShare, 100, '% busy'),
      limit(
        'processor of the broker, in the busiest minute',
        100 * (blocksPerSecond * broker.cpuSecondsPerBlock + idleHosts * broker.idle.cpuShare),
        100,
        '% of a core',
      ),
      limit('disk of the broker', storedBytes / 1e9, diskBytes / 1e9, 'GB'),
      limit(
        'memory of the broker, at most',
        (idleHosts * broker.idle.residentBytes + heldBlocks * broker.residentBytesPerBlock) / 1e9,
        memoryBytes / 1e9,
        'GB',
      ),
      limit(
        'start of the broker after a crash',
        emptyRecoverySeconds + storedBytes * recoverySecondsPerByte,
        patienceSeconds,
        's',
      ),
    ].sort((one, other) => one.factor - other.factor),
  };
}

/** @param {number[]} idle @param {RandomGenerator} random @returns {number} one of them, which is removed */
function takeAny(idle, random) {
  const index = Math.floor(drawUniform(random) * idle.length);
  const host = idle[index];
  idle[index] = idle[idle.length - 1];
  idle.pop();
  return host;
}

/** Comparisons of blocks that wait, first in, first out. */
function openLine() {
  /** @type {Comparison[]} */
  let line = [];
  let first = 0;
  return {
    length: () => line.length - first,
    push: (/** @type {Comparison} */ comparison) => void line.push(comparison),
    shift() {
      const next = line[first++];
      if (first > 1_000 && first > line.length / 2) {
        line = line.slice(first);
        first = 0;
      }
      return next;
    },
  };
}

/** Events by time: a binary heap. */
function openQueue() {
  /** @type {Event[]} */
  const heap = [];
  const swap = (/** @type {number} */ one, /** @type {number} */ other) => {
    [heap[one], heap[other]] = [heap[other], heap[one]];
  };
  return {
    /** @param {Event} event */
    add(event) {
      let place = heap.push(event) - 1;
      for (let parent = (place - 1) >> 1; place > 0; parent = (place - 1) >> 1) {
        if (heap[parent].at <= heap[place].at) return;
        swap(place, parent);
        place = parent;
      }
    },
    /** @returns {Event | null} the earliest */
    take() {
      if (heap.length === 0) return null;
      swap(0, heap.length - 1);
      const earliest = /** @type {Event} */ (heap.pop());
      for (let place = 0, child = 1; child < heap.length; child = 2 * place + 1) {
        if (child + 1 < heap.length && heap[child + 1].at < heap[child].at) child++;
        if (heap[place].at <= heap[child].at) break;
        swap(place, child);
        place = child;
      }
      return earliest;
    },
  };
}
