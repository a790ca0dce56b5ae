import { randomUUID } from 'node:crypto';
import { makeManifest } from '../../../reports/fixtures/build.js';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { openUnits } from '../../run/passes/timing.js';
import { planJobs } from '../../stats/plan.js';
import { openFleet } from './submit.js';

/** @import { FleetBlock, FleetHost, FleetMessage, Observation, PlannedJob } from '../../formats/types.ts' */
/** @import { TimingContext, TimingPass } from '../../run/passes/timing.js' */
/** @import { Broker } from './broker.js' */

const fleetId = randomUUID();
const from = { formatVersion: FORMAT_VERSION, fleetId, host: 'one' };
const { question, environment } = makeManifest();
/** Two blocks of a cell. */
const jobs = planJobs(question, question.cells.slice(0, 1), { from: 0, to: 8 });

/** @type {(job: PlannedJob, outcome: 'done' | 'failed') => Observation} */
function observe(place, outcome) {
  const times = { attempt: 1, startedAtMs: 5, workerMs: 1 };
  const observation = { formatVersion: FORMAT_VERSION, ...place, ...times, outcome };
  return /** @type {Observation} */ (/** @type {unknown} */ (observation));
}

/** @type {(block: FleetBlock, outcome: 'done' | 'failed', count?: number) => FleetMessage} */
function answerBlock({ blockId, jobs: own }, outcome, count = own.length) {
  const observed = /** @type {PlannedJob[]} */ (own).slice(0, count);
  const observations = observed.map((job) => observe(job, outcome));
  return { kind: 'result', ...from, blockId, observations, wallMs: 1 };
}

/**
 * Conducts a pass whose jobs have one attempt, and are skipped after the first that fails.
 *
 * @param {(block: FleetBlock, index: number) => FleetMessage[]} answer of hosts to a block
 * @param {{ budgetMs?: number, broken?: Partial<Record<keyof Broker, () => unknown>>, signal?: AbortSignal }} [limits]
 */
async function conduct(answer, limits = {}) {
  const { budgetMs = Infinity, broken = {}, signal = new AbortController().signal } = limits;
  /** @type {FleetBlock[]} */
  const submitted = [];
  /** @type {string[]} */
  const notes = [];
  /** @type {FleetHost[]} */
  const hosts = [];
  let stop = () => {};
  const stopped = new Promise((resolve) => (stop = () => resolve(undefined)));
  async function* listAnswers() {
    for (const [index, block] of submitted.entries()) yield* answer(block, index);
    await stopped;
  }
  const broker = {
    submit: async (/** @type {FleetBlock} */ block) => void submitted.push(block),
    listen: async () => ({ answers: listAnswers(), stop }),
    ensureDelivery: async () => {},
    withdraw: async () => {},
    watch: () => () => {},
    ...broken,
  };
  let hasFailed = false;
  const pass = {
    name: 'timing',
    stages: [jobs],
    unitOf: openUnits(question),
    doneId: (/** @type {Observation} */ { id, outcome }) => (outcome === 'done' ? id : null),
    settle: (/** @type {PlannedJob} */ _, /** @type {Observation} */ { outcome }) =>
      (hasFailed ||= outcome === 'failed'),
    skips: () => hasFailed,
    describe: () => ({}),
  };
  /** @type {Observation[]} */
  const observations = [];
  const clock = { elapsedMs: () => 0, sessionMs: () => 0 };
  const loop = { observations, append() {}, clock, untilMs: budgetMs, signal, onProgress() {} };
  const fleet = openFleet(
    /** @type {Broker} */ (/** @type {unknown} */ (broker)),
    fleetId,
    (note) => notes.push(note),
  );
  const ended = await fleet.conduct(
    /** @type {TimingPass} */ (/** @type {unknown} */ (pass)),
    /** @type {TimingContext} */ (/** @type {unknown} */ (loop)),
    { path: '/nowhere', hosts, addHost: (host) => hosts.push(host) },
  );
  return { ended, observations, notes, hosts };
}

test('a pass is complete when hosts have answered for all blocks', async () => {
  const { ended, observations, notes } = await conduct((block) => [answerBlock(block, 'done')]);
  expect(ended).toBe('complete');
  expect(observations.map(({ id }) => id)).toEqual(jobs.map(({ id }) => id));
  expect(notes).toEqual([]);
});

test('a pass with a failed job has failed, also when the budget ends it', async () => {
  const answer = (/** @type {FleetBlock} */ block, /** @type {number} */ index) =>
    index === 0 ? [answerBlock(block, 'failed')] : [];
  expect((await conduct(answer, { budgetMs: 20 })).ended).toBe('failed');
  expect((await conduct(() => [], { budgetMs: 20 })).ended).toBe('budget');
});

test('jobs that are pointless after another has failed need no answer', async () => {
  const { ended, notes } = await conduct((block) => [answerBlock(block, 'failed', 1)]);
  expect(ended).toBe('failed');
  expect(notes).toEqual([]);
  const silent = await conduct((block) => [answerBlock(block, 'done', 1)]);
  expect(silent.ended).toBe('failed');
  expect(silent.notes[0]).toMatch(/^one did not answer for all jobs of .*\/0$/);
});

test('an answer of another pass has none of the jobs', async () => {
  const { ended, observations, notes } = await conduct((block) => {
    const answer = { ...answerBlock(block, 'done'), kind: 'profiles', files: [] };
    return [/** @type {FleetMessage} */ (/** @type {unknown} */ (answer))];
  });
  expect({ ended, observations }).toEqual({ ended: 'failed', observations: [] });
  expect(notes[0]).toMatch(/^one did not answer for all jobs/);
});

test('two machines with one name are noted, several agents of one machine are not', async () => {
  const other = { ...environment, cpuModel: 'another' };
  const environments = [environment, { ...environment, loadAverage: 0.1 }, other];
  const { notes, hosts } = await conduct((block, index) =>
    [
      ...environments.map((each) => ({
        ...{ kind: /** @type {const} */ ('host'), ...from, environment: each },
      })),
      answerBlock(block, 'done'),
    ].slice(index === 0 ? 0 : -1),
  );
  expect(hosts).toHaveLength(1);
  expect(notes).toEqual([
    'two hosts share the name one and count as one; tell them apart with --name',
  ]);
});

test('a broker that is away at the end changes nothing but a note', async () => {
  let calls = 0;
  const broken = {
    withdraw: async () => {
      if (++calls > 1) throw new Error('timeout');
    },
  };
  const { ended, notes } = await conduct((block) => [answerBlock(block, 'done')], { broken });
  expect(ended).toBe('complete');
  expect(notes).toEqual(['blocks of the run stay at the broker: timeout']);
});

test('an interrupt ends a pass whose broker is away', async () => {
  const interrupts = new AbortController();
  const broken = {
    submit: async () => {
      interrupts.abort();
      throw new Error('timeout');
    },
  };
  const { ended } = await conduct(() => [], { broken, signal: interrupts.signal });
  expect(ended).toBe('interrupted');
});
