import { join } from 'node:path';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { MachineError } from '../../lib/errors.js';
import { omitUndefined } from '../../lib/records.js';
import { PROJECT } from '../../lib/project.js';
import { openFleet } from '../../studies/fleet/submit.js';
import { isPlanned, performBlock, work } from '../../studies/fleet/work.js';
import { planJobs } from '../../stats/plan.js';
import { mergeRuns } from '../../studies/shards/merge.js';
import { openMemoryBroker } from '../../testing/support/memory-broker.js';
import { SCRIPTED_DIGEST, scriptJobs } from '../../testing/support/scripted-jobs.js';
import { findFamily, listFamilies } from '../../variants/families.js';
import { prepareComparison } from '../prepare.js';
import { makeQuestion } from '../question.js';
import { openCodeWatch } from '../code.js';
import { describeExperiment, executeRun } from '../run.js';
import { createRunDirectory, makeEmptyJournals, readRun, writeManifest } from '../store.js';
import { analyzeRun } from '../verdict.js';
import { makeTestDirectory } from '../../testing/support/directories.js';

/** @import { FleetMessage, Job, Manifest, PlanPart } from '../../formats/types.ts' */
/** @import { Broker } from '../../studies/fleet/broker.js' */
/** @import { Elsewhere } from '../run.js' */
/** @import { StoredRun } from '../store.js' */

const FLEET_ID = '00000000-0000-4000-8000-000000000000';
const runsPath = makeTestDirectory('executors');

const { signal } = new AbortController();
const families = await listFamilies(PROJECT.experimentsPath);
const family = findFamily(families, 'js-bson');

/** Of two cells, one differs clearly and the other does not. */
const factor = (/** @type {Job} */ { id, variant }) => {
  if (!id.includes('serialize flat') || variant.spec === 'recursive') return 1;
  return variant.spec === 'linked-list' ? 1.05 : 1.3;
};
const runScripted = scriptJobs({ factor, spread: 0.003 });
const outside = { environment: process.env, workingPath: '/', signal };
const io = /** @type {any} */ ({ ...outside, runJob: runScripted });

/** @param {[string, ...string[]]} specs  @param {object} options */
async function prepare(specs, options) {
  const usual = {
    op: ['serialize'],
    corpus: ['flat', 'deep'],
    explain: 'none',
    seed: 3,
    mei: 0.03,
  };
  const question = await makeQuestion(specs, family, /** @type {any} */ ({ ...usual, ...options }));
  return prepareComparison(question, { families, family, io });
}

/** @typedef {Awaited<ReturnType<typeof prepare>>} PreparedQuestion */

/** Of each question; a host is examined slowly. @type {WeakMap<PreparedQuestion, ReturnType<typeof describeExperiment>>} */
const experiments = new WeakMap();

/** @type {(prepared: PreparedQuestion, more?: Partial<Manifest>) => StoredRun} */
function create(prepared, more = {}) {
  const experiment = experiments.get(prepared) ?? describeExperiment(prepared, io.environment);
  experiments.set(prepared, experiment);
  const { runId, path } = createRunDirectory(runsPath, 'run');
  const { question } = prepared;
  const ids = question.cells.map(({ id, sharedId = id }) => sharedId);
  const manifest = {
    ...{ formatVersion: FORMAT_VERSION, runId, createdAt: new Date().toISOString() },
    command: 'just compare a b --seed 3',
    ...experiment,
    expectedDigests: Object.fromEntries(ids.map((id) => [id, SCRIPTED_DIGEST])),
    ...{ contracts: {}, packages: prepared.packages, recorders: [] },
    ...more,
  };
  const gate = { formatVersion: FORMAT_VERSION, workerMs: 10, differences: [] };
  const run = { path, manifest, gate, ...makeEmptyJournals() };
  writeManifest(run);
  return run;
}

/** @type {(run: StoredRun, elsewhere?: Elsewhere) => ReturnType<typeof executeRun>} */
function measure(run, elsewhere) {
  const session = {
    ...{ environment: process.env, signal, onProgress() {}, recorders: [] },
    host: { environment: process.env, toolsPath: runsPath },
    publish: async () => {},
    runJob: runScripted,
    ...omitUndefined({ elsewhere }),
  };
  return executeRun(run, { familyPath: family.path, code: openCodeWatch() }, session, {
    startedAtMs: 0,
    budgetSeconds: null,
  });
}

/** @type {(run: StoredRun) => string[]} every job of every pass, in alphabetical order */
function listJobs(run) {
  const { observations, memoryObservations, placementObservations } = run;
  return [observations, memoryObservations, placementObservations]
    .flat()
    .map(({ id, attempt }) => `${id} ${attempt}`)
    .sort();
}

/** @type {(prepared: PreparedQuestion, count: number) => Promise<StoredRun>} */
async function measureInParts(prepared, count) {
  const parts = [];
  for (let index = 1; index <= count; index++) {
    /** @type {PlanPart} */
    const part = { index, count };
    const { path } = await measure(create(prepared, { part, runId: `part-${index}` }));
    parts.push({ name: `part ${index}`, run: await readRun(path) });
  }
  return mergeRuns(parts.reverse(), {
    runsPath,
    createdAt: new Date(),
    formatCommand: () => 'just compare a b --seed 3',
    session: {
      ...{ environment: process.env, signal, onProgress() {}, publish: async () => {} },
      host: { environment: process.env, toolsPath: runsPath },
    },
  });
}

/**
 * A broker in this process whose two hosts measure the blocks by turns.
 * @type {(prepared: PreparedQuestion, run: StoredRun) => Broker}
 */
function openOwnBroker(prepared, run) {
  const { manifest } = run;
  const fleetRun = { ...manifest, node: process.versions.node };
  let count = 0;
  const from = (/** @type {number} */ number) => ({
    formatVersion: FORMAT_VERSION,
    fleetId: FLEET_ID,
    host: ['one', 'two'][number % 2],
  });
  return openMemoryBroker(async (block, answer) => {
    const { question } = manifest;
    expect(isPlanned(block, { question, corpora: prepared.corpora })).toBe(true);
    const number = count++;
    const experiment = { run: fleetRun, prepared, recorders: [], here: /** @type {any} */ (null) };
    const found = await performBlock(block, experiment, {
      ...{ environment: process.env, signal, onProgress() {}, publish: async () => {} },
      host: { environment: process.env, toolsPath: runsPath },
      path: join(run.path, 'artefacts'),
      runJob: runScripted,
    });
    const { environment } = manifest;
    answer({ kind: 'host', ...from(number), environment });
    const place = { kind: block.pass, ...from(number), blockId: block.blockId, files: [] };
    answer(/** @type {FleetMessage} */ ({ ...place, ...found }));
  });
}

/** @type {(prepared: PreparedQuestion) => Promise<StoredRun>} */
async function measureByFleet(prepared) {
  const run = create(prepared, { fleet: FLEET_ID });
  const fleet = openFleet(openOwnBroker(prepared, run), FLEET_ID, (note) => {
    throw new Error(note);
  });
  return measure(run, fleet);
}

/** @type {[string, string]} */
const PAIR = ['recursive', 'linked-list'];

test.each(
  /** @type {[string, [string, ...string[]], object][]} */ ([
    ['times', PAIR, {}],
    ['an early look', PAIR, { hasTwoCores: true, schedule: 'sequential' }],
    ['times and memory', PAIR, { memory: true }],
    ['memory alone', PAIR, { memoryOnly: true }],
    ['several candidates', [...PAIR, 'generator'], {}],
    ['a ranking', [...PAIR, 'generator'], { rank: true }],
    ['first calls', PAIR, { cold: true }],
    ['placements', PAIR, { placements: 1 }],
  ]),
)('jobs are the same here, over files and over two hosts: %s', async (name, specs, options) => {
  const prepared = await prepare(specs, { placements: 0, processes: 32, ...options });
  const whole = await measure(create(prepared));
  const here = listJobs(whole);
  expect(whole.placementObservations.length > 0).toBe(name === 'placements');
  expect(here.length).toBeGreaterThan(10);
  expect(new Set(here).size).toBe(here.length);
  expect(listJobs(await measureInParts(prepared, 2))).toEqual(here);
  expect(listJobs(await measureByFleet(prepared))).toEqual(here);
});

test('a run of parts or of hosts is judged again from its files alone', async () => {
  const prepared = await prepare(PAIR, { placements: 0, processes: 16, memory: true });
  for (const run of [await measureInParts(prepared, 2), await measureByFleet(prepared)]) {
    const { verdict } = /** @type {Awaited<ReturnType<typeof measure>>} */ (run);
    expect((await analyzeRun(await readRun(run.path))).verdict).toEqual(verdict);
    expect(verdict.hosts?.map(({ observations }) => observations > 0)).toEqual([true, true]);
  }
});

/**
 * A host that takes one block of a run until it is given back or done with.
 *
 * @param {Manifest} manifest of the run
 * @param {Partial<Record<'answer' | 'runJob', (...args: any[]) => any>>} own
 * @param {Partial<Manifest>} [changed] what the submitter says instead
 */
async function workOnce(manifest, own, changed = {}) {
  const { answer = async () => {}, runJob = scriptJobs({ factor }) } = own;
  const { question } = manifest;
  const jobs = planJobs(question, question.cells.slice(0, 1), { from: 0, to: 4 });
  const interrupts = new AbortController();
  /** @type {string[]} */
  const ends = [];
  /** @type {string[]} */
  const reasons = [];
  const end = (/** @type {string} */ how) => {
    ends.push(how);
    interrupts.abort();
  };
  const taken = {
    block: { formatVersion: FORMAT_VERSION, fleetId: FLEET_ID, blockId: 'b', pass: 'timing', jobs },
    delivery: 1,
    stillWorking() {},
    done: () => end('done'),
    giveBack: () => end('given back'),
  };
  const broker = {
    takeBlock: async () => taken,
    getRun: async () => ({ ...manifest, node: process.versions.node, ...changed }),
    async answer(/** @type {FleetMessage} */ message) {
      if (message.kind === 'refusal') reasons.push(message.reason);
      await answer(message);
    },
    tellWorking() {},
    isClosed: () => false,
  };
  const session = {
    ...{ environment: process.env, signal, onProgress() {}, publish: async () => {} },
    host: { environment: process.env, toolsPath: runsPath },
    runJob,
  };
  const environment = { ...process.env, ASSAY_LOCK_DIRECTORY: runsPath };
  const stderr = { write: () => undefined };
  const error = await work({
    ...{
      broker: /** @type {any} */ (broker),
      host: 'one',
      allowed: [],
      isTrusting: false,
      session,
    },
    io: { ...io, environment, stderr, signal: interrupts.signal },
  }).catch((thrown) => thrown.message);
  return { ends, reasons, error };
}

test('a host keeps a block that it has measured until the broker has stored the answer', async () => {
  const { manifest } = create(await prepare(PAIR, { placements: 0, processes: 16 }));
  const answer = async (/** @type {FleetMessage} */ { kind }) => {
    if (kind === 'timing') throw new MachineError('the broker is full');
  };
  const { ends } = await workOnce(manifest, { answer });
  expect(ends).toEqual(['given back']);
});

test('whatever goes wrong while a host prepares or measures a run is a refusal, and does not end the host', async () => {
  const { manifest } = create(await prepare(PAIR, { placements: 0, processes: 16 }));
  const { question, settings } = manifest;
  const given = { ends: ['given back'], error: undefined };
  /** @type {[Partial<Manifest>, RegExp][]} */
  const asked = [
    [{ question: { ...question, server: 'x' } }, /^the family js-bson has no server 'x'$/],
    [{ question: /** @type {any} */ ({ ...question, cells: null }) }, /defect of Assay/],
    [{ settings: { ...settings, batchMs: 1e12 } }, /^batchMs is 1000000000000, and must be/],
    [{ question: { ...question, budgetSeconds: 1e9 } }, /^budgetSeconds is 1000000000/],
    [{ question: { ...question, looks: [16, 40_000] } }, /^a look is 40000/],
  ];
  for (const [changed, reason] of asked) {
    const found = await workOnce(manifest, {}, changed);
    expect(found).toEqual({ ...given, reasons: [expect.stringMatching(reason)] });
  }
  const runJob = () => {
    throw new TypeError('not a function');
  };
  expect(await workOnce(manifest, { runJob })).toEqual({
    ...given,
    reasons: ['the host fails with a defect of Assay: not a function'],
  });
});
