import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../../lib/errors.js';
import { validate } from '../../formats/schemas.js';
import { expectStatus } from '../support/expect-status.js';
import { testLong } from '../support/gates.js';
import { listFaults } from './faults.js';
import { compareArgs, openComparisons, readObservations } from '../support/comparisons.js';
import { expectNoProcesses } from '../support/project.js';

/** @import { Comparison } from '../support/comparisons.js' */

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
  await expectNoProcesses(comparison.listProcesses);
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
  const resumed = await comparison.call(['compare', '--resume', path, '--budget', '0.1']);
  expectStatus(resumed, EXIT.done);
  expect(readFileSync(join(path, 'observations.ndjson'), 'utf8').slice(0, before.length)).toBe(
    before,
  );
  await expectSound(comparison);
}

/** The faults that leave something behind: a signal, a flood and a process that has to be killed. */
const FAILING = ['segfaults', 'floods-stdout', 'hangs-deaf'];

describe('a comparison whose candidate fails on one cell', () => {
  test('in its check, by exiting before it reads: one message, and nothing is left', async () => {
    const comparison = comparisons.open();
    const args = compareArgs('program', 'plain+behaviour=never-reads', ['--out', comparison.out]);
    const { status, stderr } = await comparison.call(args);
    expect(stderr).toMatch(/error: the check of plain\+behaviour=never-reads .* wrote no report/);
    expect(status).toBe(EXIT.failed);
    expect(existsSync(comparison.findRun()) && readdirSync(comparison.out)).toEqual([]);
  });
});

testLong(
  'several kinds of failure in one comparison: each ends its own cell, and the others are measured',
  async () => {
    const failing = listFaults('script').filter(({ behaviour }) => FAILING.includes(behaviour));
    expect(failing).toHaveLength(FAILING.length);
    const specOf = (/** @type {string} */ behaviour) => `plain+behaviour=${behaviour}+when=timed`;
    const harmless = specOf('leaves-detached-child');
    const hangsOnce = 'plain+behaviour=hangs+when=once';
    const candidates = [...FAILING.map(specOf), harmless, '--mei', '100'];
    const comparison = comparisons.open();
    const args = compareArgs('script', hangsOnce, candidates);
    const { status, stdout, stderr } = await comparison.run(args, { as: 'impatient' });
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stdout).toContain('SIGSEGV');
    expect(status).toBe(EXIT.failed);

    const observations = await expectSound(comparison);
    const listFailed = (/** @type {string} */ spec) =>
      observations.filter(
        ({ cellId, outcome }) => cellId.endsWith(` ${spec}`) && outcome === 'failed',
      );
    for (const { behaviour, reason } of failing) {
      // A job that hangs is tried as often as any other.
      expect(listFailed(specOf(behaviour))).toMatchObject(
        [1, 2, 3].map((attempt) => ({ attempt, failure: { reason } })),
      );
    }
    expect(listFailed(specOf('segfaults'))[0]).toMatchObject({
      failure: { lastLines: expect.arrayContaining(['about to read from nowhere']) },
    });
    expect(listFailed(harmless)).toEqual([]);
    const [tried, ...others] = listFailed(hangsOnce);
    expect([tried, others]).toMatchObject([{ attempt: 1, failure: { reason: 'timeout' } }, []]);
    const done = observations.filter(({ outcome }) => outcome === 'done');
    expect(done).toContainEqual(expect.objectContaining({ id: tried.id, attempt: 2 }));
    const measured = new Set(done.map(({ cellId }) => cellId));
    expect(measured).toEqual(
      new Set(['', ` ${hangsOnce}`, ` ${harmless}`].map((spec) => `reverse deep${spec}`)),
    );
    await expectResumes(comparison);
  },
);

testLong(
  'other bytes in a timed job alone: its cell is refused, and the other one is measured',
  async () => {
    const comparison = comparisons.open();
    const candidate = 'plain+behaviour=wrong-digest+when=timed+where=deep';
    const limits = ['--corpus', 'deep,flat', '--mei', '100'];
    const { status } = await comparison.run(compareArgs('program', candidate, limits));
    expect(status).toBe(EXIT.wrongBytes);
    const done = await expectSound(comparison);
    expect(done.filter(({ outcome }) => outcome !== 'done')).toEqual([]);
    for (const arm of ['baseline', 'control', 'candidate']) {
      expect(done).toContainEqual(expect.objectContaining({ cellId: 'reverse flat', arm }));
    }
  },
);
