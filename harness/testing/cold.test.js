import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from '../formats/schemas.js';
import { EXIT } from '../lib/errors.js';
import { openComparisons, readObservations, waitFor } from './support/comparisons.js';
import { expectStatus } from './support/expect-status.js';
import { waitForObservations } from './support/fleet.js';
import { testLong } from './support/gates.js';
import { scriptFakeFamily } from './support/scripted-jobs.js';

/** @import { Verdict } from '../formats/types.ts' */

const comparisons = openComparisons();
afterAll(() => comparisons.remove());

const FIGURES = ['start', '1', '10', '100'];
const OPTIONS = '--family fake-script --cold --seed 3 --processes 16'.split(' ');
const SPECS = ['plain', 'slower', 'plain+rounds=3'];

/** @param {string} path of a run  @returns {Verdict} */
function readVerdict(path) {
  return JSON.parse(readFileSync(join(path, 'verdict.json'), 'utf8'));
}

describe('a comparison of cold calls', () => {
  const comparison = comparisons.open();
  const candidates = SPECS.slice(1);

  test('judges each figure of each candidate by processes of its own', async () => {
    const args = ['compare', ...SPECS, ...OPTIONS, '--out', comparison.out];
    const { status, stdout, stderr } = await comparison.call(args, scriptFakeFamily());
    expectStatus({ status, stderr }, EXIT.done);
    const path = comparison.findRun();
    const { cells, timing, ...verdict } = readVerdict(path);
    validate('verdict', { cells, timing, ...verdict });
    expect(cells.map(({ cell }) => cell.id)).toEqual(
      FIGURES.flatMap((figure) => candidates.map((spec) => `reverse deep cold ${figure} ${spec}`)),
    );
    const observations = readObservations(path);
    for (const observation of observations) validate('observation', observation);
    expect(timing.observations).toBe(observations.length);
    const baselines = observations.filter(({ arm }) => arm !== 'candidate');
    expect(new Set(baselines.map(({ cellId }) => cellId))).toEqual(
      new Set(FIGURES.map((figure) => `reverse deep cold ${figure}`)),
    );
    expect(stdout).toMatch(/^First calls of new processes: /m);
  });

  test('is resumed like any other', async () => {
    const path = comparison.findRun();
    const file = join(path, 'observations.ndjson');
    const lines = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, `${lines.slice(0, -10).join('\n')}\n`);
    // A session that is killed has no end, and no seal of its lines.
    const sessions = join(path, 'sessions.ndjson');
    writeFileSync(sessions, `${readFileSync(sessions, 'utf8').split('\n')[0]}\n`);
    rmSync(join(path, 'verdict.json'));
    const { status } = await comparison.call(['compare', '--resume', path], scriptFakeFamily());
    expect(status).toBe(EXIT.done);
    expect(readVerdict(path).ended).toBe('complete');
    const jobs = readObservations(path).map(({ id }) => id);
    expect(new Set(jobs).size).toBe(jobs.length);
  });
});

testLong('real processes time their first calls', async () => {
  const comparison = comparisons.open();
  const child = comparison.start(['compare', 'plain', 'slower', ...OPTIONS, '--mei', '0.1']);
  const ended = waitFor(child);
  // One block of each figure.
  await waitForObservations(comparison, 8 * FIGURES.length, ended);
  child.kill('SIGINT');
  expect((await ended).status).toBe(EXIT.interrupted);
  const observations = readObservations(comparison.findRun());
  for (const observation of observations) {
    validate('observation', observation);
    expect(observation.outcome).toBe('done');
  }
  expect(new Set(observations.map(({ cellId }) => cellId)).size).toBe(FIGURES.length);
});

testLong('wrong output refuses all figures of an operation', async () => {
  const comparison = comparisons.open();
  const specs = ['plain', 'plain+behaviour=wrong-bytes'];
  const { status } = await comparison.call([
    ...['compare', ...specs, ...OPTIONS, '--out', comparison.out],
  ]);
  expect(status).toBe(EXIT.wrongBytes);
  const { cells } = readVerdict(comparison.findRun());
  expect(cells.map(({ verdict }) => verdict)).toEqual(FIGURES.map(() => 'refused'));
});

test.each([
  ['--memory', "option '--cold' cannot be used with option '--memory'"],
  ['--corpus=comments:3', "corpus 'comments:3' has 3 documents, and --cold times calls on one"],
])('%s is refused beside --cold', async (option, message) => {
  const args = ['compare', 'plain', 'plain', ...OPTIONS, option];
  const { status, stderr } = await comparisons.open().call(args);
  expect(status).toBe(EXIT.usage);
  expect(stderr).toContain(message);
});
