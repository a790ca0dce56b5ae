/** A plan of six cells, measured whole and in shards. Used by tests only. */

import { makeManifest } from '../../../../reports/fixtures/build.js';
import { sumSessions } from '../../../run/sessions.js';
import { buildVerdict } from '../../../run/verdict.js';
import { FORMAT_VERSION } from '../../../formats/format-version.js';
import { planMemoryJobs } from '../../../stats/memory/plan.js';
import { drawUniform, seedGenerator } from '../../../stats/random.js';
import { simulateObservations } from '../../../testing/simulation/runs.js';
import { measuredCells } from '../../../stats/parts.js';

/** @import { Manifest, MemoryObservation, Observation, Verdict } from '../../../formats/types.ts' */
/** @import { Part } from '../merge.js' */
/** @import { StoredRun } from '../../../run/store.js' */

/** By cell: the true ratio, and processes per variant. Holm's correction changes the p value of the fourth. */
const WORLDS = [
  { ratio: 1, processes: 16 },
  { ratio: 1.2, processes: 16 },
  { ratio: 0.93, processes: 48 },
  { ratio: 1.034, processes: 16 },
  { ratio: 1.01, controlRatio: 1.08, processes: 64 },
  { ratio: 0.5, processes: 8 },
];
const QUIET = { stealShare: 0.002, othersShare: 0.01, throttledMs: 0 };
const CHECK_MS = 400;

/**
 * @param {Partial<Manifest['question']>} [changes] of the question
 * @returns {StoredRun} the plan measured in one run; two of its jobs fail
 */
export function makeWhole(changes = {}) {
  const manifest = makeManifest(changes);
  const { cells } = manifest.question;
  const [outputDigest] = Object.values(manifest.expectedDigests);
  const observations = simulateObservations(
    cells.map((cell, index) => ({ cell, baselineNs: 9_000 + 1_000 * index, ...WORLDS[index] })),
    { noise: 'normal', spread: 0.012, outputDigest },
    seedGenerator(5),
  );
  const memory = manifest.question.memory === 'none' ? [] : simulateMemory(manifest);
  return conclude(manifest, observations.flatMap(failSome), memory);
}

/**
 * Divides the observations of a run among the shards of its plan.
 *
 * @param {StoredRun} whole
 * @param {number} count
 * @returns {Part[]} named A, B, …
 */
export function splitIntoParts(whole, count) {
  return Array.from({ length: count }, (_, position) => {
    const index = position + 1;
    const { manifest } = whole;
    const part = {
      ...manifest,
      runId: `shard-${index}`,
      command: manifest.command.replace(' --seed', ` --shard ${index}/${count} --seed`),
      part: { index, count },
    };
    const cells = measuredCells(part);
    const ids = new Set(cells.map(({ id }) => id));
    const labels = new Set(cells.map(({ corpus }) => corpus));
    const own = whole.observations.filter(({ cellId }) => ids.has(cellId));
    const ownMemory = whole.memoryObservations.filter(
      ({ subject }) => ids.has(subject) || labels.has(subject),
    );
    return { name: String.fromCharCode(64 + index), run: conclude(part, own, ownMemory) };
  });
}

/** @type {(run: StoredRun) => Verdict} */
export function verdictOf(run) {
  return buildVerdict({ ...run, totals: sumSessions(run) });
}

/**
 * @param {Manifest} manifest
 * @param {Observation[]} observations
 * @param {MemoryObservation[]} memoryObservations
 * @returns {StoredRun}
 */
function conclude(manifest, observations, memoryObservations) {
  const path = `/runs/${manifest.runId}`;
  const common = { formatVersion: FORMAT_VERSION, startedAtMs: 0 };
  return {
    ...{ path, manifest, observations, memoryObservations, hosts: [], loadedFiles: [] },
    ...{ profileObservations: [], placementObservations: [] },
    gate: { formatVersion: FORMAT_VERSION, workerMs: CHECK_MS, differences: [] },
    sessions: [
      { ...common, event: 'started', budgetSeconds: null },
      {
        ...common,
        ...{ event: 'ended', ended: 'complete', wallMs: 60_000, hostNoise: QUIET },
        interimLooks: {},
      },
    ],
  };
}

/**
 * @param {Manifest} manifest
 * @returns {MemoryObservation[]} bytes allocated and retained; the candidate has fewer
 */
function simulateMemory({ question, corpora }) {
  const random = seedGenerator(9);
  return planMemoryJobs(question, corpora).flatMap((job, index) => {
    const bytes = (job.arm === 'candidate' ? 900 : 1000) + 20 * drawUniform(random);
    const isAllocation = job.kind === 'allocation';
    if (!isAllocation && job.kind !== 'retained-slope') return [];
    return {
      formatVersion: FORMAT_VERSION,
      ...job,
      attempt: 1,
      startedAtMs: 200_000 + 700 * index,
      workerMs: 700,
      outcome: 'done',
      result: isAllocation ? makeAllocation(bytes) : makeSlope(bytes),
    };
  });
}

/**
 * @param {number} bytes per document
 * @returns {import('../../../formats/types.ts').AllocationResult}
 */
function makeAllocation(bytes) {
  return {
    kind: 'allocation',
    windowHeapBytes: [bytes],
    offHeapBytes: 0,
    documentsPerWindow: 1000,
    collectedWindows: 0,
    bridged: false,
  };
}

/**
 * @param {number} bytes per document
 * @returns {import('../../../formats/types.ts').SlopeResult}
 */
function makeSlope(bytes) {
  const points = [1000, 2000, 3000, 4000].map((documents) => ({
    documents,
    heapUsedBytes: 4e6 + bytes * documents,
    externalBytes: 0,
    arrayBufferBytes: 0,
    rssBytes: 5e7,
  }));
  return { kind: 'retained-slope', points };
}

/**
 * One job fails and is repeated, another fails for good.
 * @type {(observation: Observation) => Observation[]}
 */
function failSome(observation) {
  if (observation.outcome === 'failed' || observation.block !== 1) return [observation];
  const isLate = observation.cellId === 'deserialize flat' && observation.position === 2;
  const isLost = observation.cellId === 'serialize deep' && observation.position === 4;
  if (!isLate && !isLost) return [observation];
  const { formatVersion, id, cellId, arm, block, position, startedAtMs, workerMs } = observation;
  const common = { formatVersion, id, cellId, arm, block, position, startedAtMs, workerMs };
  /** @type {Observation} */
  const failed = {
    ...common,
    attempt: 1,
    outcome: 'failed',
    failure: { reason: 'signal', detail: 'was ended by SIGKILL', lastLines: [] },
  };
  return isLost ? [failed] : [failed, { ...observation, attempt: 2 }];
}
