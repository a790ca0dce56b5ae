import { makeManifest } from '../../../reports/fixtures/build.js';
import { simulateObservations } from '../../testing/simulation/runs.js';
import { compareRun } from '../compare.js';
import { seedGenerator } from '../random.js';

/** @import { Measurement, Question, ResourceComparison } from '../../formats/types.ts' */

const CELL = {
  id: 'find-many comments',
  operation: 'find-many',
  corpus: 'comments',
  figure: 'CPU time of the client thread per operation',
};

/**
 * Resources of a run in which the candidate takes 0.8 times the CPU time, and what `change` makes of its measurements.
 *
 * @param {(measurement: Measurement, arm: string) => Partial<Measurement>} change
 * @param {object} [settings]
 * @param {Partial<Question>} [settings.question]
 * @param {typeof CELL} [settings.cell]
 * @returns {Record<string, ResourceComparison> | undefined} by name
 */
function compareResources(change, { question: changes = {}, cell = CELL } = {}) {
  const { question } = makeManifest({ cells: [cell], ...changes });
  const run = { cell, baselineNs: 1e6, ratio: 0.8, processes: 16 };
  const observations = simulateObservations(
    [run],
    { noise: 'normal', spread: 0.01, outputDigest: 'sha256:right' },
    seedGenerator(1),
  ).map((observation) => {
    if (observation.outcome !== 'done') return observation;
    const { measurement, arm } = observation;
    return { ...observation, measurement: { ...measurement, ...change(measurement, arm) } };
  });
  const [{ resources }] = compareRun({ question, observations }).cells;
  return resources && Object.fromEntries(resources.map((each) => [each.name, each]));
}

describe('what calls take besides the figure', () => {
  test('is compared by the estimates of the figure, per call', () => {
    const found = compareResources(({ batchNsPerDocument, documentsPerBatch }, arm) => {
      const calls = batchNsPerDocument.length * documentsPerBatch;
      // Equal figures would have no ratio.
      const noise = 1 + batchNsPerDocument[0] * 1e-13;
      const factor = (arm === 'candidate' ? 0.5 : 1) * noise;
      return {
        cpuUserMs: (2 * calls * factor) / 1e3,
        cpuSystemMs: (1 * calls * factor) / 1e3,
        wallMs: (7 * calls * noise) / 1e3,
        gcMs: 0,
        residentBytes: (arm === 'candidate' ? 60e6 : 90e6) * noise,
      };
    });
    expect(found?.['process-cpu'].values.baseline).toBeCloseTo(3_000, 2);
    expect(found?.['process-cpu'].ratio?.estimate).toBeCloseTo(0.5, 6);
    expect(found?.elapsed.values.candidate).toBeCloseTo(7_000, 2);
    expect(found?.elapsed.ratio?.estimate).toBeCloseTo(1, 6);
    expect(found?.resident.ratio?.estimate).toBeCloseTo(2 / 3, 6);
    // No process collected garbage, so there is nothing to compare.
    expect(found).not.toHaveProperty('collections');
  });

  test('has no ratio where only one arm has figures', () => {
    const found = compareResources((_, arm) => ({ gcMs: arm === 'candidate' ? 0 : 3 }));
    expect(found?.collections).toMatchObject({ values: { candidate: null }, ratio: null });
  });

  test('is absent where the figure is a time, and where the worker does not report it', () => {
    const { figure, ...loop } = CELL;
    expect(figure).toMatch(/CPU time/);
    expect(compareResources(() => ({}), { cell: /** @type {any} */ (loop) })).toBeUndefined();
    expect(compareResources(() => ({}))).not.toHaveProperty('resident');
  });
});
