import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../../lib/errors.js';
import { validate } from '../../formats/schemas.js';
import { describeLong, testLong } from '../support/gates.js';
import { listFaults } from './faults.js';
import { compareArgs, openComparisons, readObservations } from '../support/comparisons.js';

/** @import { WorkerKind } from '../support/project.js' */
/** @import { Fault } from './faults.js' */
/** @import { Comparison } from '../support/comparisons.js' */

/** A job that hangs is tried as often as any other. */
const ATTEMPTS = [1, 2, 3];

/** @type {ReturnType<typeof openComparisons>} */
let comparisons;
beforeAll(() => {
  comparisons = openComparisons();
});
afterAll(() => comparisons.remove());

/** @param {string} path  @returns {string[]} of all files below it */
function listFiles(path) {
  return readdirSync(path, { recursive: true }).map(String);
}

/**
 * Checks what holds after any fault.
 *
 * @param {Comparison} comparison
 */
async function expectSound(comparison) {
  const path = comparison.findRun();
  for (const name of ['manifest', 'verdict']) {
    validate(
      /** @type {'manifest' | 'verdict'} */ (name),
      JSON.parse(readFileSync(join(path, `${name}.json`), 'utf8')),
    );
  }
  const observations = readObservations(path);
  for (const observation of observations) validate('observation', observation);
  const done = observations.filter(({ outcome }) => outcome === 'done');
  expect(new Set(done.map(({ id }) => id)).size).toBe(done.length);
  expect(listFiles(path).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  expect(comparison.listProcesses()).toEqual([]);
  expect((await comparison.call(['report', path])).status).toBe(EXIT.done);
  return observations;
}

/**
 * Ends the misbehaviour of the candidate and resumes the run.
 *
 * @param {Comparison} comparison
 */
async function expectResumes(comparison) {
  const path = comparison.findRun();
  const before = readFileSync(join(path, 'observations.ndjson'), 'utf8');
  comparison.repair();
  const resumed = await comparison.call(['compare', '--resume', path]);
  expect(resumed).toMatchObject({ status: EXIT.done });
  expect(readFileSync(join(path, 'observations.ndjson'), 'utf8').slice(0, before.length)).toBe(
    before,
  );
  await expectSound(comparison);
}

/** @param {WorkerKind} kind  @param {Fault} fault */
async function expectFaultInOneCell(kind, { behaviour, reason, status, isEndless }) {
  const comparison = comparisons.open();
  const candidate = `plain+behaviour=${behaviour}+when=timed+where=deep`;
  const flags = kind === 'script' ? ['--node-flag=--max-old-space-size=32'] : [];
  const args = compareArgs(kind, candidate, ['--corpus', 'deep,flat', ...flags]);
  const ended = await comparison.run(args, isEndless === true ? { as: 'impatient' } : {});
  expect(ended.stderr).not.toMatch(/^\s+at /m);
  expect(ended.status).toBe(status);

  const observations = await expectSound(comparison);
  const failed = observations.filter(({ outcome }) => outcome === 'failed');
  expect(failed.map(({ attempt }) => attempt)).toEqual(reason === null ? [] : ATTEMPTS);
  expect(new Set(failed.map(({ cellId }) => cellId))).toEqual(
    new Set(reason === null ? [] : ['reverse deep']),
  );
  for (const arm of ['baseline', 'control', 'candidate']) {
    expect(observations).toContainEqual(
      expect.objectContaining({ cellId: 'reverse flat', arm, outcome: 'done' }),
    );
  }
  if (status === EXIT.failed) await expectResumes(comparison);
}

/**
 * Picks one fault of each kind that the harness distinguishes, of either worker.
 * @returns {{ kind: WorkerKind, fault: Fault }[]}
 */
function pickFaults() {
  const faults = /** @type {WorkerKind[]} */ (['program', 'script']).flatMap((kind) =>
    listFaults(kind)
      .filter(({ when, child }) => when === undefined && !child)
      .map((fault) => ({ kind, fault })),
  );
  const byKind = faults.map(
    (each) => /** @type {const} */ ([each.fault.reason ?? each.fault.status, each]),
  );
  return [...new Map(byKind).values()];
}

describe('a comparison whose candidate fails on one cell', () => {
  testLong('once, by hanging: the job is tried again and nothing is missing', async () => {
    const comparison = comparisons.open();
    const args = compareArgs('program', 'plain+behaviour=hangs+when=once');
    const { status } = await comparison.run(args, { as: 'impatient' });
    expect(status).toBe(EXIT.done);
    const observations = await expectSound(comparison);
    const failed = observations.filter(({ outcome }) => outcome === 'failed');
    expect(failed).toMatchObject([{ attempt: 1, failure: { reason: 'timeout' } }]);
    expect(observations).toContainEqual(
      expect.objectContaining({ id: failed[0]?.id, attempt: 2, outcome: 'done' }),
    );
  });

  test('in its check, by exiting before it reads: one message, and nothing is left', async () => {
    const comparison = comparisons.open();
    const args = compareArgs('program', 'plain+behaviour=never-reads');
    const { status, stderr } = await comparison.run(args);
    expect(stderr).toMatch(/error: the check of plain\+behaviour=never-reads .* wrote no report/);
    expect(status).toBe(EXIT.failed);
    expect(existsSync(comparison.findRun()) && readdirSync(comparison.out)).toEqual([]);
  });
});

describeLong('every kind of failure, in a comparison of two cells', () => {
  for (const { kind, fault } of pickFaults()) {
    test(`${kind}: ${fault.what}`, () => expectFaultInOneCell(kind, fault));
  }
});
