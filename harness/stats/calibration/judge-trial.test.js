import { expect, test } from '@jest/globals';
import { compareRun } from '../compare.js';
import { seedGenerator } from '../random.js';
import { simulateObservations } from '../simulate-observations.js';
import { judgeTrial } from './judge-trial.js';

/** @import { Cell, Question } from '../../formats/types.ts' */

const CELL = /** @type {Cell} */ ({
  id: 'serialize flat',
  operation: 'serialize',
  corpus: 'flat',
});
/** @type {Question} */
const QUESTION = {
  family: 'js-bson',
  baseline: 'linked-list',
  candidate: 'linked-list',
  cells: [CELL],
  minimumEffect: 0.03,
  alpha: 0.05,
  looks: [12, 24, 48, 96],
  budgetSeconds: 20,
  seed: 1,
  mode: 'default',
  nodeFlags: [],
  memory: 'none',
  acceptedRows: [],
  explain: 'none',
  recorders: [],
};

/**
 * @param {number} ratio
 * @param {{ processes: number, spread: number }} world
 */
function simulate(ratio, { processes, spread }) {
  return simulateObservations(
    [{ cell: CELL, baselineNs: 1000, ratio, processes }],
    { noise: 'normal', spread, outputDigest: '' },
    seedGenerator(5),
  );
}

test('is judged at the look at which compare would have stopped, although it went on', () => {
  const observations = simulate(1.2, { processes: 96, spread: 0.01 });
  const trial = judgeTrial(QUESTION, observations, {});
  const early = compareRun({
    question: QUESTION,
    observations: observations.filter(({ block }) => block < 6),
  });
  expect(trial.verdict).toBe('slower');
  expect(trial.processes).toBe(12);
  expect(trial.ratio).toEqual(early.cells[0].effect?.ratio);
  expect(trial.processed).toHaveLength(3 * 96);
});

test('is judged by all there is where nothing was decided before its budget ended', () => {
  const observations = simulate(1.02, { processes: 30, spread: 0.1 });
  const trial = judgeTrial(QUESTION, observations, {});
  expect(trial.verdict).toBe('inconclusive');
  expect(trial.processes).toBe(30);
});

test('is not judged at a look that its jobs did not reach', () => {
  const observations = simulate(1.5, { processes: 12, spread: 0.01 }).slice(0, -1);
  expect(judgeTrial(QUESTION, observations, {}).processes).toBeLessThanOrEqual(12);
  expect(judgeTrial(QUESTION, observations, {}).verdict).toBe('slower');
});

test('tells when each process began, since the trial did', () => {
  const observations = simulate(1, { processes: 4, spread: 0.01 }).map((one) => ({
    ...one,
    startedAtMs: one.startedAtMs + 5000,
  }));
  const { processed } = judgeTrial(QUESTION, observations, {});
  expect(processed[0].startedAtMs).toBe(0);
  expect(processed.every(({ ns }) => ns > 900 && ns < 1100)).toBe(true);
});

test('wrong output is refused', () => {
  const observations = simulate(1, { processes: 12, spread: 0.01 });
  const digest = `sha256:${'0'.repeat(64)}`;
  expect(judgeTrial(QUESTION, observations, { [CELL.id]: digest }).verdict).toBe('refused');
});
