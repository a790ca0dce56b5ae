import { makeManifest } from '../../reports/fixtures/build.js';
import { simulateObservations } from '../testing/simulation/runs.js';
import { collectCells, sampleLooks } from './cell/samples.js';
import { compareRun } from './compare.js';
import { levelOfLook } from './multiplicity.js';
import { listAllLooks, withCandidates } from './plan.js';
import { seedGenerator } from './random.js';
import { compareWithBest, rankCells } from './ranking.js';

/** @import { Observation, ObservationDone, Question } from '../formats/types.ts' */

const DIGEST = 'sha256:right';
const LEVEL = 0.01;

/** Twelve values around a centre. @type {(centre: number, spread?: number) => number[]} */
function around(centre, spread = 0.01) {
  return Array.from({ length: 12 }, (_, index) => centre + spread * (((index * 5) % 12) / 5.5 - 1));
}

/** @param {ReturnType<typeof compareWithBest>} ranks */
const classesOf = (ranks) => ranks.map((rank) => rank.class);

describe('the best of several samples', () => {
  const apart = [around(2.1), around(2), around(2.3)];

  test('is alone where the others are slower', () => {
    const ranks = compareWithBest(apart, { level: LEVEL });
    expect(classesOf(ranks)).toEqual(['not-the-best', 'best', 'not-the-best']);
    const differences = [0.1, -0.1, 0.3];
    for (const [index, { interval }] of ranks.entries()) {
      expect(interval.estimate).toBeCloseTo(differences[index], 10);
      expect(interval.low).toBeLessThan(differences[index]);
      expect(interval.high).toBeGreaterThan(differences[index]);
      expect(Math.sign(interval.low)).toBe(Math.sign(interval.high));
    }
  });

  test('has company of those that cannot be told from it, each with a bound', () => {
    const ranks = compareWithBest([around(2.003), around(2), around(2.3)], { level: LEVEL });
    expect(classesOf(ranks)).toEqual(['among-the-best', 'among-the-best', 'not-the-best']);
    const [one, other, slow] = ranks.map(({ interval }) => interval);
    for (const { low, high } of [one, other]) {
      expect(low).toBeLessThan(0);
      expect(high).toBeGreaterThan(0);
    }

    expect(slow.low).toBeLessThan(0.3);
    expect(slow.high).toBeGreaterThan(0.3);
  });

  test('does not depend on the order of the variants', () => {
    const order = [2, 0, 1];
    const ranks = compareWithBest(apart, { level: LEVEL });
    const turned = compareWithBest(
      order.map((index) => apart[index]),
      { level: LEVEL },
    );
    expect(turned).toEqual(order.map((index) => ranks[index]));
  });

  test('excludes only what is slower by more than the margin', () => {
    const ranks = compareWithBest(apart, { level: LEVEL, margin: 0.15 });
    expect(classesOf(ranks)).toEqual(['among-the-best', 'among-the-best', 'not-the-best']);
    expect(ranks[0].interval.low).toBeGreaterThanOrEqual(0);
    expect(ranks[2].interval.low).toBeGreaterThan(0.15);
  });

  test('is less certain at a stricter level', () => {
    const [usual, strict] = [LEVEL, LEVEL / 100].map(
      (level) => compareWithBest(apart, { level })[2].interval,
    );
    expect(strict.low).toBeLessThan(usual.low);
    expect(strict.high).toBeGreaterThan(usual.high);
  });
});

const FLAT = { id: 'serialize flat', operation: 'serialize', corpus: 'flat' };
const DEEP = { id: 'serialize deep', operation: 'serialize', corpus: 'deep' };
const SPECS = ['a', 'b', 'c'];

/**
 * @typedef {object} World
 * @property {number[]} ratios of the times of the variants
 * @property {number} [processes]
 * @property {number} [spread]
 * @property {typeof FLAT[]} [workloads] of which the first is measured
 * @property {Partial<Question>} [question]
 */

/** @type {(world: World) => { question: Question, observations: Observation[] }} */
function measure({ ratios, processes = 16, spread = 0.01, workloads = [FLAT], question }) {
  const cells = withCandidates(workloads, SPECS);
  const simulated = ratios.map((ratio, index) => ({
    cell: cells[index],
    baselineNs: 12_000,
    ratio,
    processes,
  }));
  const settings = { noise: /** @type {const} */ ('normal'), spread, outputDigest: DIGEST };
  return {
    question: makeManifest({
      ...{ cells, baseline: SPECS[0], candidates: SPECS, rank: true, earlyLook: 8 },
      looks: [16, 32],
      ...question,
    }).question,
    observations: simulateObservations(simulated, { ...settings, rank: true }, seedGenerator(3)),
  };
}

/** @param {ReturnType<typeof compareRun>} compared */
const standingsOf = ({ cells }) => cells.map(({ standing }) => standing?.class);
/** @param {ReturnType<typeof compareRun>} compared */
const decidedOf = ({ decided }) => Object.values(decided);

describe('the ranking of a workload', () => {
  test('is settled when all but the best are excluded', () => {
    const compared = compareRun(measure({ ratios: [1.2, 1, 1.4] }));
    expect(standingsOf(compared)).toEqual(['not-the-best', 'best', 'not-the-best']);
    expect(compared.cells.map(({ verdict }) => verdict)).toEqual(['slower', 'faster', 'slower']);
    expect(decidedOf(compared)).toEqual([true, true, true]);
    const [, best] = compared.cells;
    expect(best.processes).toEqual({ baseline: 8, candidate: 16, control: 8 });
    expect(best.candidateNs).toBeCloseTo(12_000, -3);
    expect(best.effect).toBeNull();
  });

  test('is settled when the others are within the minimum effect of the best', () => {
    const compared = compareRun(measure({ ratios: [1.4, 1, 1], spread: 0.005 }));
    expect(standingsOf(compared)).toEqual(['not-the-best', 'among-the-best', 'among-the-best']);
    expect(compared.cells[1].verdict).toBe('equivalent');
    expect(decidedOf(compared)).toEqual([true, true, true]);
    expect(compared.cells[2].standing?.ratio.high).toBeLessThan(1.03);
  });

  test('measures all variants on while any is open', () => {
    const compared = compareRun(measure({ ratios: [1.4, 1, 1], spread: 0.05 }));
    expect(standingsOf(compared)).toEqual(['not-the-best', 'among-the-best', 'among-the-best']);
    expect(compared.cells[1].verdict).toBe('inconclusive');
    expect(compared.cells[1].processesNeeded).toBeGreaterThan(16);
    expect(decidedOf(compared)).toEqual([false, false, false]);
  });

  test('ends at the last look', () => {
    const compared = compareRun(measure({ ratios: [1, 1, 1], spread: 0.05, processes: 32 }));
    expect(compared.cells[0].verdict).toBe('inconclusive');
    expect(decidedOf(compared)).toEqual([true, true, true]);
  });

  test('excludes at the early look only what is slower beyond the minimum effect', () => {
    const clear = compareRun(measure({ ratios: [1.4, 1, 1.5], processes: 8 }));
    expect(standingsOf(clear)).toEqual(['not-the-best', 'best', 'not-the-best']);
    expect(decidedOf(clear)).toEqual([true, true, true]);
    const near = measure({ ratios: [1.4, 1, 1.02], processes: 8, spread: 0.0005 });
    const compared = compareRun(near);
    expect(standingsOf(compared)).toEqual(['not-the-best', 'among-the-best', 'among-the-best']);
    expect(decidedOf(compared)).toEqual([false, false, false]);
  });

  test('brings several hosts to a common level, and says what its intervals leave out', () => {
    const world = measure({ ratios: [1.2, 1, 1.4] });
    const observations = world.observations.map((observation) => {
      const isSlow = observation.block % 2 === 1;
      const { measurement } = /** @type {ObservationDone} */ (observation);
      const batchNsPerDocument = measurement.batchNsPerDocument.map((ns) => ns * (isSlow ? 3 : 1));
      const host = isSlow ? 'slow' : 'fast';
      return { ...observation, host, measurement: { ...measurement, batchNsPerDocument } };
    });
    const { cells, warnings } = compareRun({
      ...world,
      observations: /** @type {Observation[]} */ (observations),
    });
    expect(cells.map(({ standing }) => standing?.class)).toEqual([
      'not-the-best',
      'best',
      'not-the-best',
    ]);
    expect(cells.every(({ hosts }) => hosts === undefined)).toBe(true);
    expect(warnings.find(({ kind }) => kind === 'ranked-on-hosts')?.text).toMatch(
      /^Ranked on several hosts: serialize flat .*\(2 hosts\)/,
    );
  });

  test('is less certain among several workloads', () => {
    const widths = [[FLAT], [FLAT, DEEP]].map((workloads) => {
      const { standing } = compareRun(measure({ ratios: [1.4, 1, 1.2], workloads })).cells[0];
      return (standing?.ratio.high ?? NaN) - (standing?.ratio.low ?? NaN);
    });
    expect(widths[1]).toBeGreaterThan(widths[0]);
  });

  test('compares each pair of variants at its share of the level', () => {
    const { question, observations } = measure({ ratios: [1.4, 1, 1.2] });
    const inputs = collectCells(question, observations, {}).map((record) => ({
      samples: sampleLooks(record, question),
      refused: false,
    }));
    const levels = rankCells(inputs, question).map(({ standing }) => standing?.level);
    const plan = { looks: listAllLooks(question), hasRough: question.earlyLook !== undefined };
    expect(levels).toEqual(Array(3).fill(levelOfLook(question.alpha / 3, plan)));
  });

  test('waits for a variant without data', () => {
    const { question, observations } = measure({ ratios: [1.4, 1, 1.2] });
    const compared = compareRun({
      question,
      observations: observations.filter(({ cellId }) => cellId !== 'serialize flat c'),
    });
    expect(standingsOf(compared)).toEqual(['not-the-best', 'best', undefined]);
    expect(decidedOf(compared)).toEqual([false, false, false]);
  });

  test('leaves out a variant whose output is wrong', () => {
    const { question, observations } = measure({ ratios: [1.4, 1, 0.5] });
    const compared = compareRun({
      question,
      observations: observations.map((observation) =>
        observation.cellId === 'serialize flat c'
          ? { ...observation, outputDigest: 'sha256:wrong' }
          : observation,
      ),
      expectedDigests: { 'serialize flat': DIGEST },
    });
    expect(compared.cells[2].verdict).toBe('refused');
    expect(standingsOf(compared)).toEqual(['not-the-best', 'best', undefined]);
    expect(decidedOf(compared)).toEqual([true, true, true]);
    expect(compared.warnings.map(({ text }) => text).join()).toContain('serialize flat c');
  });

  test('does not trust a variant whose halves differ', () => {
    const { question, observations } = measure({ ratios: [1.04, 1, 1.4], spread: 0.002 });
    let count = 0;
    const compared = compareRun({
      question,
      observations: observations.map((observation) => {
        if (observation.cellId !== 'serialize flat a' || observation.outcome !== 'done') {
          return observation;
        }
        const isInner = [1, 2].includes(count++ % 4);
        const { measurement } = observation;
        const batchNsPerDocument = measurement.batchNsPerDocument.map(
          (ns) => ns * (isInner ? 1.03 : 1),
        );
        return { ...observation, measurement: { ...measurement, batchNsPerDocument } };
      }),
    });
    expect(compared.cells.map(({ verdict }) => verdict)).toEqual(['untrusted', 'faster', 'slower']);
    expect(compared.warnings.map(({ kind }) => kind)).toContain('control-differs');
    expect(decidedOf(compared)).toEqual([false, false, false]);
  });

  test('does not depend on the order of the variants', () => {
    const { question, observations } = measure({ ratios: [1.1, 1, 1.2] });
    const cells = question.cells.toReversed();
    const [one, other] = [question, { ...question, cells }].map((asked) =>
      compareRun({ question: asked, observations }),
    );
    expect(other.cells.toReversed()).toEqual(one.cells);
  });
});
