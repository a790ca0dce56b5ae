import { makeCell, makeEmptyCell, makeManifest } from '../../reports/fixtures/build.js';
import { addThroughput } from './throughput.js';

const CORPUS = { label: 'flat', sizeBytes: 3000, documentCount: 2 };

/** @param {object} [cell] @param {object} [more] @param {object} [question] */
function throughputOf(cell = {}, more = {}, question = {}) {
  const made = makeCell({
    ...{ operation: 'serialize', corpus: 'flat', verdict: 'faster' },
    ...{ ratio: /** @type {[number, number, number]} */ ([0.4, 0.5, 0.6]), baselineNs: 1000 },
  });
  const manifest = { ...makeManifest(question), corpora: /** @type {any[]} */ ([CORPUS]) };
  const comparison = { ...made, cell: { ...made.cell, ...cell }, ...more };
  return addThroughput([comparison], manifest)[0].throughput;
}

test('documents per second are the time in another unit', () => {
  expect(throughputOf()).toEqual({
    baseline: { documentsPerSecond: 1e6 },
    candidate: { documentsPerSecond: 2e6 },
  });
});

test('bytes are those of the canonical BSON where the operation codes it', () => {
  expect(throughputOf({ codesCanonical: true })).toMatchObject({
    baseline: { bytesPerSecond: 1500 * 1e6 },
    candidate: { bytesPerSecond: 1500 * 2e6 },
  });
});

test('bytes of messages are those of each variant', () => {
  const bytes = { baseline: 100, candidate: 40 };
  const sizes = [{ compression: 'raw', verdict: 'smaller', bytes, ratio: 0.4 }];
  expect(throughputOf({}, { sizes })).toMatchObject({
    baseline: { bytesPerSecond: 100 * 1e6 },
    candidate: { bytesPerSecond: 40 * 2e6 },
  });
});

test('a ranking has no baseline', () => {
  expect(throughputOf({}, {}, { rank: true })).toEqual({ candidate: { documentsPerSecond: 2e6 } });
});

test.each([
  ['a figure of its own', { figure: 'CPU time of the server' }],
  ['first calls', { cold: { calls: 10, withLoad: false } }],
])('a cell with %s has none', (_, cell) => {
  expect(throughputOf(cell)).toBeUndefined();
});

test('a cell that was not measured has none', () => {
  const cells = [makeEmptyCell('serialize', 'flat', 'inconclusive')];
  expect(addThroughput(cells, makeManifest())).toEqual(cells);
});
