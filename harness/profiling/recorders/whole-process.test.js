import { FormatError } from '../../lib/errors.js';
import { testLong } from '../../testing/support/gates.js';
import { fakePrograms } from './test-support/fake-programs.js';
import { recordCell } from './test-support/record-cell.js';
import { probeHyperfine, readTimes, recorder } from './whole-process.js';

/** @type {ReturnType<typeof fakePrograms> | undefined} */
let fakes;
afterEach(() => fakes?.remove());

const host = { environment: process.env, toolsPath: '' };
const testWithTool = (await recorder.probe(host)).available ? testLong : test.skip;

test('times are converted to milliseconds', () => {
  const text = JSON.stringify({ results: [{ mean: 0.25, stddev: 0.05, times: [0.2, 0.3] }] });
  expect(readTimes(text)).toEqual({
    kind: 'whole-process',
    meanMs: 250,
    standardDeviationMs: 50,
    timesMs: [200, 300],
  });
});

test.each(['', '[]', '{}', '{"results":[{"mean":0.25}]}'])('%j is refused', (text) => {
  expect(() => readTimes(text)).toThrow(FormatError);
});

test('a hyperfine without --shell=none is too old', async () => {
  fakes = fakePrograms({ hyperfine: 'echo hyperfine 1.12.0' });
  expect(await probeHyperfine(fakes.host)).toMatchObject({
    available: false,
    reason: expect.stringContaining('hyperfine 1.12.0'),
  });
});

testWithTool('whole processes are timed, and the export is an artefact', async () => {
  const cell = { variant: 'recursive', operation: 'serialize', corpus: 'flat' };
  const { observation, remove } = await recordCell(recorder, cell);
  remove();
  const { figures, artefacts } = observation;
  expect(artefacts).toEqual([expect.stringMatching(/\.hyperfine\.json$/)]);
  if (figures?.kind !== 'whole-process') throw new Error('other figures');
  expect(figures.timesMs).toHaveLength(5);
  expect(figures.meanMs).toBeGreaterThanOrEqual(Math.min(...figures.timesMs));
  expect(figures.meanMs).toBeLessThanOrEqual(Math.max(...figures.timesMs));
});
