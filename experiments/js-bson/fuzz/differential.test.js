import { afterAll, describe, expect, test } from '@jest/globals';
import * as bson from 'bson';
import { isLong } from '../../../harness/testing/support/gates.js';
import { loadVariants } from '../codec/test-support/variants.js';
import { loadCases, OWN_CASES_PATH } from './pool.js';
import { makeExaminer } from './examine.js';
import { WRITE_OPTIONS } from './mutate.js';
import { runFuzz } from '../fuzz.js';

const variants = await loadVariants();

/** The source of NODE-7606 reports 33 832 checks: these are four times as many, ten times in CI. */
const LEAST_CHECKS = isLong ? 400_000 : 140_000;
const DOCUMENTS_EACH = Math.ceil(LEAST_CHECKS / variants.length);
const FIRST_SEED = 7608;
const UNTIMED_MS = 600_000;

let checks = 0;

describe('mutated documents', () => {
  test.each(variants)('%s reads and writes them like bson', (name, variant) => {
    const result = runFuzz(variant, {
      seed: FIRST_SEED + variants.findIndex(([other]) => other === name),
      firstDocument: 0,
      maxDocuments: DOCUMENTS_EACH,
      maxMs: UNTIMED_MS,
      casesPaths: [],
      isCareful: false,
    });
    checks += result.checks;
    expect(result.failures).toEqual([]);
    expect(result.documents).toBe(DOCUMENTS_EACH);
    expect(result.accepted).toBeGreaterThan(DOCUMENTS_EACH / 5);
    expect(result.refused).toBeGreaterThan(DOCUMENTS_EACH / 5);
  });

  test('are many', () => {
    expect(checks).toBeGreaterThan(LEAST_CHECKS);
  });

  afterAll(() => {
    process.stdout.write(`${checks} differential checks over ${variants.length} variants\n`);
  });
});

describe('cases found earlier', () => {
  test.each(variants)('%s reads and writes them like bson', (_name, variant) => {
    const { examine } = makeExaminer(variant, bson);
    const problems = loadCases(OWN_CASES_PATH).flatMap(({ name, bytes, options: readOptions }) =>
      WRITE_OPTIONS.map((writeOptions) => examine(bytes, { readOptions, writeOptions }))
        .filter((problem) => problem !== null)
        .map((problem) => ({ name, ...problem })),
    );
    expect(problems).toEqual([]);
  });
});
