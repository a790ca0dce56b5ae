/** What a user of each tool reads from its figures, most of which were recorded from real runs. */

import { describe, expect, test } from '@jest/globals';
import { FormatError, MachineError } from '../../../lib/errors.js';
import { readAssay } from './assay.js';
import { readBenchNode } from './bench-node.js';
import { readBenchmarkJs } from './benchmark-js.js';
import { readHyperfine } from './hyperfine.js';
import { readMitata } from './mitata.js';
import { readTinybench } from './tinybench.js';

/** @type {['baseline', 'candidate']} */
const BASELINE_FIRST = ['baseline', 'candidate'];
/** @type {['candidate', 'baseline']} */
const CANDIDATE_FIRST = ['candidate', 'baseline'];

describe('tinybench', () => {
  const recorded = {
    baseline: { meanMs: 0.03335017359855222, marginPercent: 9.269354797721203, samples: 67466 },
    candidate: { meanMs: 0.05215489239934328, marginPercent: 14.082221694343763, samples: 43141 },
  };
  /** @param {object} figures */
  const read = (figures) => readTinybench(JSON.stringify(figures));

  test('says slower where the ranges do not overlap', () => {
    expect(read(recorded)).toEqual({ said: 'slower', ratio: expect.closeTo(1.5639, 4) });
  });

  test('says faster where the candidate has the lower range', () => {
    const { baseline, candidate } = recorded;
    expect(read({ baseline: candidate, candidate: baseline }).said).toBe('faster');
  });

  test('sees no difference where they touch', () => {
    const candidate = { ...recorded.candidate, marginPercent: 31 };
    expect(read({ ...recorded, candidate }).said).toBe('no difference');
  });
});

describe('mitata', () => {
  /** @param {number} baseline  @param {number} candidate nanoseconds */
  const read = (baseline, candidate) =>
    readMitata(
      JSON.stringify({ baseline: { meanNs: baseline }, candidate: { meanNs: candidate } }),
    );

  test('says what its summary prints', () => {
    expect(read(67082.7832290852, 54588.56705654341)).toEqual({
      said: 'faster',
      ratio: expect.closeTo(0.8137, 4),
    });
    expect(read(46679.464771443214, 61037.03472842933).said).toBe('slower');
  });

  test('sees no difference where the summary prints 1x, on either side', () => {
    expect(read(1000, 1004).said).toBe('no difference');
    expect(read(1004, 1000).said).toBe('no difference');
    expect(read(1000, 1006).said).toBe('slower');
  });
});

describe('benchmark-js', () => {
  const sides = {
    baseline: { meanNs: 26194.627495037388, marginPercent: 16.756820322340822, samples: 34 },
    candidate: { meanNs: 30790.497833723235, marginPercent: 10.127077558470507, samples: 34 },
  };
  /** @param {string[]} fastest */
  const read = (fastest) => readBenchmarkJs(JSON.stringify({ fastest, ...sides }));

  test('goes by its list of the fastest', () => {
    expect(read(['baseline'])).toEqual({ said: 'slower', ratio: expect.closeTo(1.1755, 4) });
    expect(read(['candidate']).said).toBe('faster');
    expect(read(['candidate', 'baseline']).said).toBe('no difference');
  });

  test('refuses an empty list', () => {
    expect(() => read([])).toThrow(FormatError);
  });
});

describe('bench-node', () => {
  const recorded = {
    significant: true,
    pValue: 0.009266362971634745,
    baseline: { callsPerSecond: 21428.179508492325, runs: 30 },
    candidate: { callsPerSecond: 36109.10629658935, runs: 30 },
  };
  /** @param {object} figures */
  const read = (figures) => readBenchNode(JSON.stringify(figures));

  test('gives the direction where its test found something', () => {
    expect(read(recorded)).toEqual({ said: 'faster', ratio: expect.closeTo(0.5934, 4) });
    const { baseline, candidate } = recorded;
    expect(read({ ...recorded, baseline: candidate, candidate: baseline }).said).toBe('slower');
  });

  test('sees no difference without a star, whatever the ratio', () => {
    expect(read({ ...recorded, significant: false }).said).toBe('no difference');
  });
});

describe('hyperfine', () => {
  /** @param {number[]} means  @param {number} stddev seconds */
  const write = (means, stddev) =>
    JSON.stringify({ results: means.map((mean) => ({ command: 'node', mean, stddev })) });

  test('says slower where the factor lies above 1 with its deviation', () => {
    expect(readHyperfine(write([0.2, 0.21], 0.002), BASELINE_FIRST)).toEqual({
      said: 'slower',
      ratio: expect.closeTo(1.05, 6),
    });
  });

  test('knows the sides by the order in which they ran', () => {
    expect(readHyperfine(write([0.2, 0.21], 0.002), CANDIDATE_FIRST).said).toBe('faster');
  });

  test('sees no difference within one deviation of the factor', () => {
    // The factor is 1.05 ± 0.07.
    expect(readHyperfine(write([0.2, 0.21], 0.01), BASELINE_FIRST).said).toBe('no difference');
  });

  test('needs two results', () => {
    expect(() => readHyperfine(write([0.2], 0.01), BASELINE_FIRST)).toThrow(FormatError);
  });
});

describe('assay', () => {
  /** @param {string} verdict  @param {number | null} estimate */
  const write = (verdict, estimate) =>
    JSON.stringify({
      cells: [{ verdict, effect: estimate === null ? null : { ratio: { estimate } } }],
    });

  test('says its verdict', () => {
    expect(readAssay(write('slower', 1.05), BASELINE_FIRST)).toEqual({
      said: 'slower',
      ratio: 1.05,
    });
  });

  test.each(['equivalent', 'inconclusive', 'untrusted'])('sees no difference in %s', (verdict) => {
    expect(readAssay(write(verdict, 1.01), BASELINE_FIRST).said).toBe('no difference');
  });

  test('is turned round where the candidate was given as the baseline', () => {
    expect(readAssay(write('slower', 1.25), CANDIDATE_FIRST)).toEqual({
      said: 'faster',
      ratio: 0.8,
    });
  });

  test('failed where there is no ratio', () => {
    expect(() => readAssay(write('refused', null), BASELINE_FIRST)).toThrow(MachineError);
  });
});

test('figures without a number are refused by the name of the tool, the side and the number', () => {
  const text = JSON.stringify({ baseline: { meanNs: 1 }, candidate: { meanNs: null } });
  expect(() => readMitata(text)).toThrow(
    "the output of mitata has no number 'meanNs' of the candidate",
  );
});
