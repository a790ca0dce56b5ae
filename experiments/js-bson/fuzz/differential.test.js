import * as bson from 'bson';
import { describeMore, isLong, testMore } from '../../../harness/testing/support/gates.js';
import { loadVariants } from '../codec/test-support/variants.js';
import { loadCases, OWN_CASES_PATH } from './pool.js';
import { makeExaminer } from './examine.js';
import { WRITE_OPTIONS } from './mutate.js';
import { gatherPool, runFuzz } from '../fuzz.js';

const variants = await loadVariants({ again: true });

/** The source of NODE-7606 reports 33 832 checks: CI makes more. */
const MIN_CHECKS = isLong ? 34_000 : 2_000;
const DOCUMENTS_EACH = Math.ceil(MIN_CHECKS / variants.length);
const JOB = { seed: 7608, maxMs: 600_000, casesPaths: [], isCareful: false };
const pool = gatherPool(JOB);

let checks = 0;

describeMore('mutated documents', () => {
  test.each(variants)('%s reads and writes them like bson', (name, variant) => {
    const index = variants.findIndex(([other]) => other === name);
    const range = { firstDocument: index * DOCUMENTS_EACH, maxDocuments: DOCUMENTS_EACH };
    const result = runFuzz(variant, { ...JOB, ...range }, pool);
    checks += result.checks;
    expect(result.failures).toEqual([]);
    expect(result.documents).toBe(DOCUMENTS_EACH);
    expect(result.accepted).toBeGreaterThan(DOCUMENTS_EACH / 5);
    expect(result.refused).toBeGreaterThan(DOCUMENTS_EACH / 5);
  });

  test('are many', () => {
    expect(checks).toBeGreaterThan(MIN_CHECKS);
  });

  afterAll(() => {
    process.stdout.write(`${checks} differential checks over ${variants.length} variants\n`);
  });
});

describe('cases found earlier', () => {
  testMore.each(variants)('%s reads and writes them like bson', (_name, variant) => {
    const { examine } = makeExaminer(variant, bson);
    const problems = loadCases(OWN_CASES_PATH).flatMap(
      ({ name, bytes, options: readOptions, writeOptions: own }) =>
        [...WRITE_OPTIONS, own]
          .map((writeOptions) => examine(bytes, { readOptions, writeOptions }))
          .filter((problem) => problem !== null)
          .map((problem) => ({ name, ...problem })),
    );
    expect(problems).toEqual([]);
  });
});
