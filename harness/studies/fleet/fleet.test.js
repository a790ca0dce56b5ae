import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { makeManifest } from '../../../reports/fixtures/build.js';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { openUnits } from '../../run/passes/timing.js';
import { planJobs } from '../../stats/plan.js';
import { parseAddress, readMessage } from './broker.js';
import { groupIntoBlocks, openLedger } from './submit.js';
import { requireAllowed } from './work.js';

/** @import { Observation, PlannedJob, PlannedProfileJob, ProfileObservation } from '../../formats/types.ts' */
/** @import { TimingContext, TimingPass } from '../../run/passes/timing.js' */

const cells = ['flat', 'deep'].flatMap((corpus) =>
  [0, 1].map((candidate) => ({
    id: `serialize ${corpus} ${candidate}`,
    sharedId: `serialize ${corpus}`,
    operation: 'serialize',
    corpus,
    candidate,
  })),
);
const manifest = makeManifest({ cells, candidates: ['b', 'c'] });
const jobs = planJobs(manifest.question, cells, { from: 0, to: 8 });

test('all variants of a block of a cell are for one host, in the order of the plan', () => {
  const blocks = groupIntoBlocks(jobs, openUnits(manifest.question), 'session');
  expect(blocks.map(({ blockId }) => blockId).sort()).toEqual([
    'session/serialize deep/0',
    'session/serialize deep/1',
    'session/serialize flat/0',
    'session/serialize flat/1',
  ]);
  for (const { jobs: own } of blocks) {
    expect(new Set(own.map(({ arm }) => arm))).toEqual(
      new Set(['baseline', 'candidate', 'control']),
    );
    expect(own.map(({ position }) => position)).toEqual(own.map((_, index) => index));
  }
  expect(blocks.flatMap((block) => block.jobs)).toHaveLength(jobs.length);
});

/** @type {(job: PlannedJob, attempt: number, outcome: 'done' | 'failed') => Observation} */
function observe({ id: jobId, cellId, arm, block, position }, attempt, outcome) {
  const place = { jobId, cellId, arm, block, position };
  const common = { formatVersion: FORMAT_VERSION, ...place, attempt, startedAtMs: 5, workerMs: 1 };
  return /** @type {Observation} */ (/** @type {unknown} */ ({ ...common, outcome }));
}

/**
 * A run whose host took 100 ms, at 1000 ms of the run.
 *
 * @param {Observation[]} [earlier]
 */
function openRun(earlier = []) {
  const observations = [...earlier];
  /** @type {string[]} */
  const settled = [];
  const pass = /** @type {TimingPass} */ (
    /** @type {unknown} */ ({
      attempts: 2,
      doneId: (/** @type {Observation} */ { outcome, jobId }) =>
        outcome === 'done' ? jobId : null,
      settle: (/** @type {PlannedJob} */ { id }) => settled.push(id),
    })
  );
  const clock = { elapsedMs: () => 1000 };
  const context = /** @type {TimingContext} */ (
    /** @type {unknown} */ ({ observations, append() {}, clock })
  );
  const ledger = openLedger(pass, context);
  const take = (/** @type {Observation[]} */ found) =>
    ledger.absorb(
      {
        kind: 'result',
        formatVersion: FORMAT_VERSION,
        fleetId: randomUUID(),
        host: 'h',
        blockId: 'b',
        observations: found,
        wallMs: 100,
      },
      jobs.slice(0, 2),
    );
  return { observations, settled, take };
}

test('an observation counts once, at the time of the run, with its host', () => {
  const { observations, settled, take } = openRun();
  const [one, two, stranger] = jobs;
  expect(take([observe(one, 1, 'done')])).toBe(false);
  expect(take([observe(one, 1, 'done'), observe(one, 2, 'done'), observe(two, 1, 'done')])).toBe(
    false,
  );
  expect(take([observe(stranger, 1, 'done')])).toBe(false);
  expect(observations.map(({ jobId }) => jobId)).toEqual([one.id, two.id]);
  expect(observations[0]).toMatchObject({ host: 'h', startedAtMs: 905 });
  expect(settled).toEqual([one.id, two.id]);
});

test('a job that failed at every attempt is settled, and the pass has failed', () => {
  const { observations, settled, take } = openRun();
  expect(take([observe(jobs[0], 1, 'failed')])).toBe(false);
  expect(settled).toEqual([]);
  expect(take([observe(jobs[0], 2, 'failed')])).toBe(true);
  expect(observations).toHaveLength(2);
  expect(settled).toEqual([jobs[0].id]);
});

test('a job that failed in an earlier session is done when a host does it now', () => {
  const failed = observe(jobs[0], 1, 'failed');
  const { observations, take } = openRun([failed]);
  expect(take([observe(jobs[0], 1, 'failed')])).toBe(false);
  expect(observations).toEqual([failed]);
  take([observe(jobs[0], 1, 'done')]);
  expect(observations[1]).toMatchObject({ jobId: jobs[0].id, outcome: 'done' });
});

test('the place of an observation is that of the plan, whatever the host says', () => {
  const { observations, take } = openRun();
  take([{ ...observe(jobs[1], 1, 'done'), cellId: 'another', arm: 'control', block: 7 }]);
  const { cellId, arm, block } = jobs[1];
  expect(observations).toMatchObject([{ cellId, arm, block }]);
});

test('profiles count once each, and one that failed has no other attempt', () => {
  /** @type {PlannedProfileJob[]} */
  const planned = /** @type {const} */ (['baseline', 'candidate']).map((arm) => ({
    ...{ id: `perf/serialize flat/0/${arm}`, recorder: 'perf' },
    ...{ cellId: 'serialize flat', arm, process: 0 },
  }));
  const common = { formatVersion: FORMAT_VERSION, startedAtMs: 5, workerMs: 1 };
  /** @type {ProfileObservation[]} */
  const found = [
    { ...common, ...planned[0], outcome: 'done', exercise: null, artefacts: [] },
    { ...common, ...planned[1], outcome: 'failed', detail: 'no' },
  ];
  /** @type {ProfileObservation[]} */
  const observations = [];
  const ledger = openLedger(
    { doneId: ({ id, outcome }) => (outcome === 'done' ? id : null) },
    {
      observations,
      append() {},
      clock: { elapsedMs: () => 1000, sessionMs: () => 1000 },
    },
  );
  const from = { formatVersion: FORMAT_VERSION, fleetId: randomUUID(), host: 'h', blockId: 'b' };
  const answer = { kind: /** @type {const} */ ('profiles'), ...from, files: [], wallMs: 100 };
  expect(planned.map(ledger.isSettled)).toEqual([false, false]);
  for (let times = 0; times < 2; times++)
    ledger.absorb({ ...answer, observations: found }, planned);
  expect(observations).toEqual(found.map((one) => ({ ...one, host: 'h', startedAtMs: 905 })));
  expect(planned.map(ledger.isSettled)).toEqual([true, true]);
  expect(planned.map(ledger.isDone)).toEqual([true, false]);
});

test('a message is read, or it is said what is wrong with it', () => {
  const block = {
    formatVersion: FORMAT_VERSION,
    fleetId: randomUUID(),
    blockId: 'b',
    pass: 'timing',
    jobs: jobs.slice(0, 1),
  };
  const text = JSON.stringify(block);
  const read = (/** @type {string} */ sent) =>
    readMessage('fleet-block', new TextEncoder().encode(sent));
  expect(read(text)).toEqual(block);
  for (let length = 0; length < text.length; length += 7) {
    expect(read(text.slice(0, length))).toBe('it is not JSON');
  }
  expect(read(text.replace('"fleetId"', '"fleetID"'))).toMatch(
    /the block is not of format \d+: .*fleetI/,
  );
  expect(read(text.replace(/:\d+/, ':1'))).toMatch(/format/);
  expect(read(JSON.stringify({ ...block, fleetId: 'a.*' }))).toMatch(/fleetId/);
  expect(read(JSON.stringify({ ...block, blockId: 'b'.repeat(301) }))).toMatch(/blockId/);
  expect(read('null')).toMatch(/the block/);
});

test('a host measures what is built in and what is allowed', () => {
  const asks = (/** @type {string} */ candidate) =>
    makeManifest({ candidates: [candidate] }).question;
  const check = (/** @type {string} */ candidate, /** @type {string[]} */ allowed) =>
    requireAllowed(asks(candidate), allowed);
  check('npm:bson@7.2.0', []);
  check('npm:bson@7.2.0', ['npm:left-pad@1.0.0', 'npm:bson@*']);
  check('linked-list', ['npm:bson@7.2.0']);
  expect(() => check('npm:bson@7.2.0', ['npm:bson@7.1.0'])).toThrow(
    'npm:bson@7.2.0 is not allowed here',
  );
  expect(() => check('git:.@main', ['npm:*'])).toThrow('git:.@main is not allowed here');
});

test('an address has credentials in it', () => {
  expect(parseAddress('tls://me:a%40b@broker.example:4222')).toEqual({
    host: 'broker.example:4222',
    isEncrypted: true,
    user: 'me',
    password: 'a@b',
  });
  expect(parseAddress('nats://localhost:4222').isEncrypted).toBe(false);
  expect(() => parseAddress('tls://broker.example')).toThrow(
    /must have encryption and credentials/,
  );
});
