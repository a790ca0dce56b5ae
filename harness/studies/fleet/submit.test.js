import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeManifest } from '../../../reports/fixtures/build.js';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { execute } from '../../run/execute.js';
import { openTimingPass } from '../../run/passes/timing.js';
import { planJobs } from '../../stats/plan.js';
import { openMemoryBroker } from '../../testing/support/memory-broker.js';
import { makeMeasurement } from '../../testing/simulation/measurements.js';
import { openFleet } from './submit.js';

/** @import { FleetBlock, FleetMessage, FleetSign, HostRecord, Observation, PlannedJob } from '../../formats/types.ts' */
/** @import { Pass } from '../../run/execute.js' */
/** @import { Broker } from './broker.js' */

const fleetId = randomUUID();
const from = { formatVersion: FORMAT_VERSION, fleetId, host: 'one' };
const manifest = makeManifest();
const { question, environment } = manifest;
/** @type {HostRecord} */
const HOST = { formatVersion: FORMAT_VERSION, host: 'one', environment };
/** Two blocks of a cell. */
const jobs = planJobs(question, question.cells.slice(0, 1), { from: 0, to: 8 });

/** @type {(job: PlannedJob, outcome: 'done' | 'failed', attempt?: number) => Observation} */
function observe(place, outcome, attempt = 1) {
  const times = { attempt, startedAtMs: 5, workerMs: 1000 };
  const measured = { measurement: makeMeasurement() };
  const observation = { formatVersion: FORMAT_VERSION, ...place, ...times, ...measured, outcome };
  return /** @type {Observation} */ (/** @type {unknown} */ (observation));
}

/** @type {(block: FleetBlock, observations: Observation[]) => FleetMessage} */
function answerWith({ blockId }, observations) {
  return { kind: 'timing', ...from, blockId, observations, wallMs: 1, files: [] };
}

/** @type {(block: FleetBlock, outcome: 'done' | 'failed', count?: number) => FleetMessage} */
function answerBlock(block, outcome, count = block.jobs.length) {
  const observed = /** @type {PlannedJob[]} */ (block.jobs).slice(0, count);
  return answerWith(
    block,
    observed.map((job) => observe(job, outcome)),
  );
}

/**
 * @typedef {object} Limits
 * @property {number} [budgetMs]
 * @property {Partial<Record<keyof Broker, (...args: any[]) => unknown>>} [broken]
 * @property {AbortSignal} [signal]
 * @property {FleetMessage[]} [unread] answers to an earlier session
 * @property {number} [attempts] at a job
 * @property {Observation[]} [earlier] of earlier sessions
 * @property {HostRecord[]} [hosts] that have introduced themselves; by default the only one that answers
 */

/**
 * Runs a pass whose jobs have one attempt by default, and are skipped after the first that fails.
 *
 * @param {(block: FleetBlock, index: number) => FleetMessage[]} answer of hosts to a block
 * @param {Limits} [limits]
 */
async function conduct(answer, limits = {}) {
  const { budgetMs = Infinity, broken = {}, unread = [], attempts = 1, earlier = [] } = limits;
  const { signal = new AbortController().signal, hosts = [HOST] } = limits;
  /** @type {FleetBlock[]} */
  const submitted = [];
  /** @type {string[]} */
  const notes = [];
  const broker = openMemoryBroker(
    (block, tell) => tell(...answer(block, submitted.push(block) - 1)),
    { unread, broken },
  );
  const path = mkdtempSync(join(tmpdir(), 'assay-submit-'));
  const run = { path, manifest, hosts: [...hosts] };
  let hasFailed = false;
  /** @type {string[]} */
  const settled = [];
  /** @type {Pass<PlannedJob, Observation>} */
  const pass = {
    ...openTimingPass({ manifest, familyPath: '/family', observations: [] }),
    ...{ stages: [jobs], attempts, skips: () => hasFailed },
    perform: async () => {
      throw new Error('nothing is performed here');
    },
    settle({ id }, { outcome }) {
      settled.push(id);
      hasFailed ||= outcome === 'failed';
    },
    describe: () => ({ step: '' }),
  };
  const observations = [...earlier];
  const fleet = openFleet(broker, fleetId, (note) => notes.push(note), 20);
  const executor = await fleet.open(/** @type {any} */ (run));
  try {
    const ended = await execute(pass, {
      ...{ executor, observations, append() {}, signal, onProgress() {} },
      // The time stands still, so that the budget ends the wait for an answer and nothing before it.
      clock: { elapsedMs: () => 0, sessionMs: () => 0 },
      untilMs: () => budgetMs,
    });
    return { ended, observations, notes, settled, submitted, hosts: run.hosts };
  } finally {
    await executor.close();
    rmSync(path, { recursive: true });
  }
}

test('a pass is complete when hosts have answered for all blocks', async () => {
  const { ended, observations, notes } = await conduct((block) => [answerBlock(block, 'done')]);
  expect(ended).toBe('complete');
  expect(observations.map(({ id }) => id)).toEqual(jobs.map(({ id }) => id));
  expect(notes).toEqual([]);
});

test('all variants of a block of a cell are for one host, in the order of the plan', async () => {
  const { submitted } = await conduct((block) => [answerBlock(block, 'done')]);
  expect(submitted.map(({ blockId }) => blockId.replace(/^[^/]*/, ''))).toEqual([
    '/serialize flat/0',
    '/serialize flat/1',
  ]);
  expect(submitted.flatMap((block) => /** @type {PlannedJob[]} */ (block.jobs))).toEqual(jobs);
});

test('an observation counts once, with its host, at its place in the plan', async () => {
  const lies = { arm: 'control', cellId: 'other', block: 7, position: 9 };
  const { observations } = await conduct((block) => {
    const own = /** @type {PlannedJob[]} */ (block.jobs);
    const found = own.map((job) => ({ ...observe(job, 'done'), ...lies }));
    const answered = answerWith(block, /** @type {Observation[]} */ ([...found, ...found]));
    return [answered, answered];
  });
  expect(observations).toMatchObject(jobs.map((job) => ({ ...job, host: 'one' })));
});

test('an answer is taken once: a job that is run again is asked for again', async () => {
  let submitted = 0;
  const broker = openMemoryBroker((block, tell) => {
    submitted++;
    tell(answerBlock(block, 'failed'));
  });
  const run = /** @type {any} */ ({ path: '/run', manifest, hosts: [HOST] });
  const executor = await openFleet(broker, fleetId, () => {}).open(run);
  const pass = openTimingPass({ manifest, familyPath: '/family', observations: [] });
  const [first] = executor.divide(jobs, pass);
  const perform = async () => ({ outcome: /** @type {const} */ ('done'), workerMs: 0 });
  const tasks = first.map((planned) => ({ planned, attempt: 1, perform }));
  const { signal } = new AbortController();
  for (const count of [1, 2]) {
    const performed = await executor.run(tasks, { pass, signal, leftMs: Infinity });
    expect(performed).toMatchObject(tasks.map(() => ({ outcome: 'failed' })));
    expect(submitted).toBe(count);
  }
  await executor.close();
});

test('an attempt that no host makes does not count', async () => {
  const { ended, observations } = await conduct((block) => {
    const own = /** @type {PlannedJob[]} */ (block.jobs);
    return [
      answerWith(
        block,
        own.map((job) => observe(job, 'done', 3)),
      ),
    ];
  });
  expect({ ended, observations }).toEqual({ ended: 'failed', observations: [] });
});

test('a job is settled by the last attempt of its host', async () => {
  const { observations, settled } = await conduct(
    (block) => {
      const own = /** @type {PlannedJob[]} */ (block.jobs);
      const [first, ...others] = own;
      const tried = [observe(first, 'failed', 1), observe(first, 'done', 2)];
      return [answerWith(block, [...tried, ...others.map((job) => observe(job, 'done'))])];
    },
    { attempts: 2 },
  );
  const ofFirst = observations.filter(({ id }) => id === jobs[0].id);
  expect(ofFirst.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
    [1, 'failed'],
    [2, 'done'],
  ]);
  expect([...settled].sort()).toEqual(jobs.map(({ id }) => id).sort());
});

test('what hosts answered to an earlier session counts if it is done', async () => {
  const before = /** @type {FleetBlock} */ ({
    blockId: 'earlier/serialize flat/0',
    jobs: [...jobs],
  });
  const unread = [answerBlock(before, 'failed'), answerBlock(before, 'done')];
  const { ended, observations } = await conduct(() => [], { unread });
  expect(ended).toBe('complete');
  expect(observations.every(({ outcome }) => outcome === 'done')).toBe(true);
  expect(observations).toHaveLength(jobs.length);
});

test('a job that failed in an earlier session is done when a host does it now', async () => {
  const earlier = [observe(jobs[0], 'failed')];
  const { ended, observations } = await conduct((block) => [answerBlock(block, 'done')], {
    earlier,
  });
  expect(ended).toBe('complete');
  expect(observations).toHaveLength(jobs.length + 1);
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
    const answer = { ...answerBlock(block, 'done'), kind: 'profiles' };
    return [/** @type {FleetMessage} */ (/** @type {unknown} */ (answer))];
  });
  expect({ ended, observations }).toEqual({ ended: 'failed', observations: [] });
  expect(notes[0]).toMatch(/^one did not answer for all jobs/);
});

test('two machines with one name are noted', async () => {
  const other = { ...environment, cpuModel: 'another' };
  const environments = [environment, { ...environment, loadAverage: 0.1 }, other];
  const { notes, hosts } = await conduct(
    (block, index) =>
      [
        ...environments.map((each) => ({
          ...{ kind: /** @type {const} */ ('host'), ...from, environment: each },
        })),
        answerBlock(block, 'done'),
      ].slice(index === 0 ? 0 : -1),
    { hosts: [] },
  );
  expect(hosts).toHaveLength(1);
  expect(notes).toEqual([
    'two hosts share the name one and count as one; tell them apart with --name',
  ]);
});

test('answers of a host that has not introduced itself do not count, and others get its blocks', async () => {
  const own = { kind: /** @type {const} */ ('host'), ...from, environment };
  const { ended, observations, notes, submitted } = await conduct(
    (block, index) =>
      index === 0 ? [answerBlock(block, 'done')] : [own, answerBlock(block, 'done')],
    { hosts: [] },
  );
  expect({ ended, notes }).toEqual({
    ended: 'complete',
    notes: ['answers of one do not count: it has not said what it is'],
  });
  expect(observations).toHaveLength(jobs.length);
  expect(submitted).toHaveLength(3);
  const stranger = await conduct((block) => [answerBlock(block, 'done')], { hosts: [] });
  expect(stranger).toMatchObject({ ended: 'failed', observations: [] });
  expect(stranger.submitted).toHaveLength(6);
});

test('a result that no process can have measured does not count', async () => {
  const { ended, observations, notes } = await conduct((block) => {
    const own = /** @type {PlannedJob[]} */ (block.jobs).map((job) => observe(job, 'done'));
    return [
      answerWith(
        block,
        own.map((each, index) => (index === 1 ? { ...each, workerMs: 1 } : each)),
      ),
    ];
  });
  expect(ended).toBe('failed');
  expect(observations).toHaveLength(jobs.length - 2);
  expect(notes[0]).toBe(
    'a result of one does not count: its batches took 120 ms, and the process lived for 1 ms',
  );
});

test.each([
  ['three hosts have', ['host-1', 'host-2', 'host-3'], 'host-1, host-2, host-3'],
  ['one host that is started again has', ['host-1', 'host-1', 'host-1'], 'host-1'],
])('a block that %s taken without an answer is given up', async (_, takers, names) => {
  /** @type {(sign: FleetSign) => void} */
  let tell = () => {};
  /** @type {unknown[]} */
  const withdrawn = [];
  const broken = {
    watch(/** @type {unknown} */ _, /** @type {typeof tell} */ onWorking) {
      tell = onWorking;
      return () => {};
    },
    withdraw: async (/** @type {string} */ _, /** @type {string} */ blockId) =>
      void withdrawn.push(blockId),
  };
  const { ended, observations, notes, submitted } = await conduct(
    (block, index) => {
      const { blockId } = block;
      if (index > 0) return [answerBlock(block, 'done')];
      for (const [place, host] of takers.entries()) {
        // Each tells so while it prepares the run, introduces itself, and measures.
        tell({ host, blockId, delivery: place + 1 });
        tell({ host, blockId, delivery: place + 1 });
      }
      return [];
    },
    { broken },
  );
  expect(ended).toBe('failed');
  expect(observations).toHaveLength(jobs.length / 2);
  const [{ blockId }] = submitted;
  expect(withdrawn).toContain(blockId);
  expect(notes).toEqual([
    `the block ${blockId} is given up: it was taken 3 times (${names}), and no host answered`,
  ]);
});

test('blocks that the broker has lost are submitted again, but not for ever', async () => {
  const broken = { hasBlocks: async () => false };
  const { ended, submitted, notes } = await conduct(
    (block, index) => (index === 2 ? [answerBlock(block, 'done')] : []),
    { broken },
  );
  expect(ended).toBe('failed');
  // The second block is answered when it is submitted again, the first one never.
  expect(submitted).toHaveLength(2 + 2 + 1);
  expect(notes.slice(0, 2)).toEqual([
    'the broker has lost 2 blocks for which no host has answered',
    'the broker has lost 1 block for which no host has answered',
  ]);
});

test('a run that the broker has lost is given to it again', async () => {
  let puts = 0;
  const broken = { putRun: async () => void puts++ };
  const reason = 'the broker does not have the run';
  const { ended } = await conduct(
    (block) => [{ kind: 'refusal', ...from, reason }, answerBlock(block, 'done')],
    { broken },
  );
  expect({ ended, puts }).toEqual({ ended: 'complete', puts: 3 });
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
