/** Made-up comparisons of benchmark tools. Used by tests only. */

/** @import { PeersComparison, PeerTrial } from '../../../harness/formats/types.ts' */

import { drawNormal } from '../../../harness/studies/simulation/noise.js';
import { drawUniform, seedGenerator } from '../../../harness/stats/random.js';
import { makeCalibration } from './make-calibration.js';

const COSTS = [0.01, 0.02, 0.05, 0.1];
const SAME_COUNT = 40;
const COST_COUNT = 10;

/**
 * A tool as it behaves: standard deviation of its ratios, what the order does to them, and from which
 * difference on its rule says different. Log scale.
 *
 * @typedef {{ name: string, deviation: number, order: number, threshold: number }} ToolSketch
 */

/** @type {ToolSketch[]} */
const TOOLS = [
  { name: 'assay', deviation: 0.009, order: 0, threshold: 0.03 },
  { name: 'tinybench', deviation: 0.03, order: 0.02, threshold: 0.005 },
  { name: 'hyperfine', deviation: 0.012, order: 0.001, threshold: 0.04 },
];

/** @type {(changes?: Partial<PeersComparison>, seed?: number) => PeersComparison} */
export function makePeers(changes = {}, seed = 7) {
  const { formatVersion, assay, environment, costs, cells } = makeCalibration();
  const [cell] = cells;
  if (cell === undefined) throw new Error('the fixture has cells');
  return {
    formatVersion,
    id: '20260102-030405-peers-linked-list',
    createdAt: '2026-01-02T03:04:05.678Z',
    command: 'just calibrate --peers --for 2h --seed 7',
    ended: 'complete',
    wallMs: 7_200_000,
    assay,
    environment,
    variant: 'linked-list',
    cell,
    budgetSeconds: 5,
    seed: 7,
    costs: costs.filter(({ mode, cellId }) => mode === 'default' && cellId === cell.id),
    tools: [
      ...TOOLS.map(({ name }) => describeTool(name)),
      { ...describeTool('mitata'), cannotRun: 'it could not be installed: no network' },
    ],
    trials: makeTrials(seed),
    ...changes,
  };
}

/** @param {string} name */
function describeTool(name) {
  return {
    name,
    version: '1.2.3',
    rule: `its own figures do not overlap, as ${name} prints them`,
    command: `just calibrate --peers ${name} --for 5m`,
  };
}

/** @type {(seed: number) => PeerTrial[]} the tools in turns */
function makeTrials(seed) {
  const random = seedGenerator(seed);
  const costs = [
    ...Array.from({ length: SAME_COUNT }, () => 0),
    ...COSTS.flatMap((cost) => Array.from({ length: COST_COUNT }, () => cost)),
  ];
  return costs.flatMap((injected, round) =>
    TOOLS.map((sketch, index) => {
      const number = round * TOOLS.length + index;
      const first = drawUniform(random) < 0.5 ? /** @type {const} */ ('baseline') : 'candidate';
      const order = (first === 'baseline' ? 0.5 : -0.5) * sketch.order;
      const log = Math.log1p(injected) + order + sketch.deviation * drawNormal(random);
      return {
        tool: sketch.name,
        number,
        injected,
        first,
        conclusion: sayWord(log, sketch.threshold),
        ratio: Math.exp(log),
        wallMs: 5000 + 400 * drawUniform(random),
        startedAtMs: number * 5400,
      };
    }),
  );
}

/** @type {(log: number, threshold: number) => PeerTrial['conclusion']} */
function sayWord(log, threshold) {
  if (Math.abs(log) < threshold) return 'no difference';
  return log > 0 ? 'slower' : 'faster';
}
