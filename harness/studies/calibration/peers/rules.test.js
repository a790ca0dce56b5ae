/** What a user of each tool concludes from its figures. Long numbers are from real runs. */

import { FormatError, MachineError } from '../../../lib/errors.js';
import { readAssay } from './assay.js';
import { readBenchNode } from './bench-node.js';
import { readBenchmarkJs } from './benchmark-js.js';
import { readHyperfine } from './hyperfine.js';
import { readMitata } from './mitata.js';
import { readTinybench } from './tinybench.js';

/** @import { PeerFinding, PeerTask } from './types.ts' */

/** @type {PeerTask['order']} */
const BASELINE_FIRST = ['baseline', 'candidate'];
/** @type {PeerTask['order']} */
const CANDIDATE_FIRST = ['candidate', 'baseline'];

const TINYBENCH = {
  baseline: { meanMs: 0.03335017359855222, marginPercent: 9.269354797721203, samples: 67466 },
  candidate: { meanMs: 0.05215489239934328, marginPercent: 14.082221694343763, samples: 43141 },
};
const BENCHMARK_JS = {
  baseline: { meanNs: 26194.627495037388, marginPercent: 16.756820322340822, samples: 34 },
  candidate: { meanNs: 30790.497833723235, marginPercent: 10.127077558470507, samples: 34 },
};
const BENCH_NODE = {
  significant: true,
  pValue: 0.009266362971634745,
  baseline: { callsPerSecond: 21428.179508492325, runs: 30 },
  candidate: { callsPerSecond: 36109.10629658935, runs: 30 },
};

/** @template T @param {{ baseline: T, candidate: T }} figures */
const swap = (figures) => ({
  ...figures,
  baseline: figures.candidate,
  candidate: figures.baseline,
});
/** @param {object} figures */
const tinybench = (figures) => () => readTinybench(JSON.stringify(figures));
/** @param {number} baseline @param {number | null} candidate nanoseconds */
const mitata = (baseline, candidate) => () =>
  readMitata(JSON.stringify({ baseline: { meanNs: baseline }, candidate: { meanNs: candidate } }));
/** @param {string[]} fastest */
const benchmarkJs = (fastest) => () =>
  readBenchmarkJs(JSON.stringify({ fastest, ...BENCHMARK_JS }));
/** @param {object} figures */
const benchNode = (figures) => () => readBenchNode(JSON.stringify(figures));
/** @param {number[]} means @param {number} stddev seconds */
const hyperfine =
  (means, stddev, order = BASELINE_FIRST) =>
  () => {
    const results = means.map((mean) => ({ command: 'node', mean, stddev }));
    return readHyperfine(JSON.stringify({ results }), order);
  };
/** @param {string} verdict @param {number | null} estimate */
const assay =
  (verdict, estimate, order = BASELINE_FIRST) =>
  () => {
    const effect = estimate === null ? null : { ratio: { estimate } };
    return readAssay(JSON.stringify({ cells: [{ verdict, effect }] }), order);
  };

test.each(
  /** @type {[string, () => PeerFinding, PeerFinding['conclusion'], number][]} */ ([
    ['tinybench: ranges apart', tinybench(TINYBENCH), 'slower', 1.5639],
    ['tinybench: the candidate below', tinybench(swap(TINYBENCH)), 'faster', 0.6394],
    [
      'tinybench: ranges overlap',
      tinybench({ ...TINYBENCH, candidate: { ...TINYBENCH.candidate, marginPercent: 31 } }),
      'no difference',
      1.5639,
    ],
    ['mitata: a lower mean', mitata(67082.7832290852, 54588.56705654341), 'faster', 0.8137],
    ['mitata: a higher mean', mitata(46679.464771443214, 61037.03472842933), 'slower', 1.3076],
    ['mitata: prints 1x', mitata(1000, 1004), 'no difference', 1.004],
    ['mitata: prints 1x, reversed', mitata(1004, 1000), 'no difference', 0.996],
    ['mitata: prints 1.01x', mitata(1000, 1006), 'slower', 1.006],
    ['benchmark-js: the baseline is fastest', benchmarkJs(['baseline']), 'slower', 1.1755],
    ['benchmark-js: the candidate is fastest', benchmarkJs(['candidate']), 'faster', 1.1755],
    [
      'benchmark-js: both are fastest',
      benchmarkJs(['candidate', 'baseline']),
      'no difference',
      1.1755,
    ],
    ['bench-node: a star', benchNode(BENCH_NODE), 'faster', 0.5934],
    ['bench-node: a star, reversed', benchNode(swap(BENCH_NODE)), 'slower', 1.6851],
    [
      'bench-node: no star',
      benchNode({ ...BENCH_NODE, significant: false }),
      'no difference',
      0.5934,
    ],
    ['hyperfine: 1.05 ± 0.01', hyperfine([0.2, 0.21], 0.002), 'slower', 1.05],
    [
      'hyperfine: the candidate ran first',
      hyperfine([0.2, 0.21], 0.002, CANDIDATE_FIRST),
      'faster',
      0.9524,
    ],
    ['hyperfine: 1.05 ± 0.07', hyperfine([0.2, 0.21], 0.01), 'no difference', 1.05],
    ['assay: slower', assay('slower', 1.05), 'slower', 1.05],
    ['assay: the candidate as baseline', assay('slower', 1.25, CANDIDATE_FIRST), 'faster', 0.8],
    ['assay: equivalent', assay('equivalent', 1.01), 'no difference', 1.01],
    ['assay: inconclusive', assay('inconclusive', 1.01), 'no difference', 1.01],
    ['assay: untrusted', assay('untrusted', 1.01), 'no difference', 1.01],
  ]),
)('%s', (_, read, conclusion, ratio) => {
  expect(read()).toEqual({ conclusion, ratio: expect.closeTo(ratio, 4) });
});

test.each(
  /** @type {[string, () => PeerFinding, Function, RegExp][]} */ ([
    ['benchmark-js: nothing is fastest', benchmarkJs([]), FormatError, /names no fastest arm/],
    ['hyperfine: one result', hyperfine([0.2], 0.01), FormatError, /of two commands/],
    ['assay: no ratio', assay('refused', null), MachineError, /measured no ratio: refused/],
    [
      'a missing figure, by its tool, arm and name',
      mitata(1, null),
      FormatError,
      /^the output of mitata has no number 'meanNs' of the candidate$/,
    ],
  ]),
)('refuses %s', (_, read, kind, message) => {
  expect(read).toThrow(kind);
  expect(read).toThrow(message);
});
