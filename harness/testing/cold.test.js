import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from '../formats/schemas.js';
import { EXIT } from '../lib/errors.js';
import { openComparisons, readObservations } from './support/comparisons.js';
import { describeLong } from './support/gates.js';

/** @import { Verdict } from '../formats/types.ts' */

const comparisons = openComparisons();
afterAll(() => comparisons.remove());

const FIGURES = ['start', '1', '10', '100'];
const OPTIONS = '--family fake-script --cold --seed 3 --processes 16'.split(' ');
/** Work of the first call; the baseline's comes first. */
const WORK = [5, 20, 40];

/**
 * Writes a variant whose first call takes much longer than all others together.
 *
 * @param {number} work of the first call
 * @returns {string} spec
 */
function writeVariant(work) {
  const path = join(comparisons.directory, `first-${work}.mjs`);
  // Work rather than waiting: a wait for the processor is not part of a figure.
  const source = `
let isFirst = true;
export function openReverser() {
  return (document) => {
    let sum = 0;
    for (let round = 0; isFirst && round < ${work}e5; round++) sum = (sum * 31 + round) | 0;
    isFirst = Number.isNaN(sum);
    return Uint8Array.from(document).reverse();
  };
}
`;
  writeFileSync(path, source);
  return `path:${path}`;
}

/** @param {string} path of a run  @returns {Verdict} */
function readVerdict(path) {
  return JSON.parse(readFileSync(join(path, 'verdict.json'), 'utf8'));
}

describeLong('a comparison of cold calls', () => {
  const comparison = comparisons.open();
  const specs = WORK.map(writeVariant);
  const candidates = specs.slice(1);

  test('judges each figure of each candidate by processes of its own', async () => {
    const args = ['compare', ...specs, ...OPTIONS, '--out', comparison.out];
    const { status, stdout, stderr } = await comparison.call(args);
    expect({ status, stderr }).toMatchObject({ status: EXIT.done });
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
    writeFileSync(file, `${lines.slice(0, -30).join('\n')}\n`);
    rmSync(join(path, 'verdict.json'));
    const { status } = await comparison.call(['compare', '--resume', path]);
    expect(status).toBe(EXIT.done);
    expect(readVerdict(path).ended).toBe('complete');
    const jobs = readObservations(path).map(({ id }) => id);
    expect(new Set(jobs).size).toBe(jobs.length);
  });
});

test('wrong output refuses all figures of an operation', async () => {
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
