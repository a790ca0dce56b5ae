import { describe, expect, test } from '@jest/globals';
import { makeManifest } from '../../reports/support/fixtures.js';
import { makeQuestion } from './question.js';
import { PROJECT } from '../lib/project.js';
import { requireKnownRows } from './gate.js';
import { listFamilies } from '../variants/families.js';
import { checkCorrectness } from './run.js';

/** @import { FoundFamily } from '../variants/families.js' */
/** @import { Job } from '../formats/types.ts' */
/** @import { WorkerOutcome } from './run-worker.js' */

const FAMILY = /** @type {FoundFamily} */ ({ name: 'soup', path: '/soup', hasContract: true });
const ROWS = ['deep-equality', 'json'].map((name) => ({
  theme: 'Equality',
  name,
  promise: '',
  outcome: /** @type {const} */ ('fails'),
  detail: null,
}));

describe('an accepted row', () => {
  test.each([[[]], [['json']], [['json', 'deep-equality']]])(
    'of the contract: %j',
    (acceptedRows) => {
      expect(() =>
        requireKnownRows({ family: 'soup', acceptedRows }, { a: [], b: ROWS }),
      ).not.toThrow();
    },
  );

  test('that there is not is a mistake of usage, with the nearest name and all names', () => {
    const question = { family: 'soup', acceptedRows: ['json', 'deep-equalty'] };
    expect(() => requireKnownRows(question, { a: ROWS })).toThrow(
      expect.objectContaining({
        name: 'UsageError',
        message:
          "the behaviour contract of soup has no row 'deep-equalty'; did you mean 'deep-equality'?",
        remedy: 'it has deep-equality, json',
      }),
    );
  });

  test('that there is not ends the gate, before anything is timed', async () => {
    const { question, variants } = makeManifest();
    const cells = [{ id: 'boil leek', operation: 'boil', corpus: 'leek' }];
    const gate = checkCorrectness(
      {
        question: { ...question, cells, acceptedRows: ['no-such-row'] },
        family: FAMILY,
        variants,
        correctnessCorpora: [],
      },
      '/nowhere',
      async (job) => answer(job),
    );
    await expect(gate).rejects.toThrow("has no row 'no-such-row'");
  });

  test('of a family without a contract is refused at once', async () => {
    const families = await listFamilies(PROJECT.experimentsPath);
    const family = families.find(({ hasContract }) => !hasContract);
    if (family === undefined) throw new Error('every family has a contract');
    const [name] = family.variants;
    const explain = /** @type {const} */ ('none');
    const options = { mei: 0.03, processes: 96, layouts: 4, explain, accept: ['json'] };
    await expect(makeQuestion([name, name], family, options)).rejects.toThrow(
      `the family ${family.name} has no behaviour contract`,
    );
  });
});

/**
 * @param {Job} job
 * @returns {WorkerOutcome}
 */
function answer(job) {
  const report = job.kind === 'conformance' ? { contract: ROWS } : { outputDigest: 'same' };
  return /** @type {WorkerOutcome} */ (/** @type {unknown} */ ({ workerMs: 1, report }));
}
