import { afterAll, describe, expect, test } from '@jest/globals';
import * as bson from 'bson';
import { isLong } from '../../../harness/testing/support/gates.js';
import { loadVariants } from '../codec/test-support/load-variants.js';
import { loadCases, OWN_CASES_PATH } from './cases.js';
import { makeExaminer } from './examine.js';
import { WRITE_OPTIONS } from './options.js';
import { runFuzz } from './run-fuzz.js';

const variants = await loadVariants();

/** The source of NODE-7606 reports 33 832 differential checks: this is four times that, and in CI more
 * than ten times. */
const LEAST_CHECKS = isLong ? 400_000 : 140_000;
const DOCUMENTS_EACH = Math.ceil(LEAST_CHECKS / variants.length);
const FIRST_SEED = 7608;
const UNTIMED_MS = 600_000;

let checks = 0;

describe('mutated documents', () => {
  test.each(variants)('%s does with them what bson does', (name, variant) => {
    const result = runFuzz(variant, bson, {
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
  test.each(variants)('%s does with them what bson does', (_name, variant) => {
    const { examine } = makeExaminer(variant, bson);
    const problems = loadCases(OWN_CASES_PATH).flatMap(({ name, bytes, options: readOptions }) =>
      WRITE_OPTIONS.map((writeOptions) => examine(bytes, { readOptions, writeOptions }))
        .filter((problem) => problem !== null)
        .map((problem) => ({ name, ...problem })),
    );
    expect(problems).toEqual([]);
  });
});
