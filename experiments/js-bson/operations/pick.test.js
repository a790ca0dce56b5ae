import * as bson from 'bson';
import { openRandom } from '../../../harness/worker/random.js';
import { runSpotChecks } from '../../../harness/worker/finish-measured.js';
import * as fieldOffsets from '../variants/field-offsets.js';
import * as onDemand from '../variants/on-demand.js';
import * as skipFields from '../variants/skip-fields.js';
import { operation as pick1 } from './pick-1.js';
import { operation as pick4 } from './pick-4.js';
import { operation as pick8 } from './pick-8.js';
import { makeComments, storeTestCorpus } from './test-support/test-corpus.js';

const comments = makeComments(5).map((comment) => ({ ...comment, in: { deep: [1], last: 7 } }));
const corpus = storeTestCorpus(comments);
const VARIANTS = {
  bson,
  'skip-fields': skipFields,
  'field-offsets': fieldOffsets,
  'on-demand': onDemand,
};

/** @type {(operation: typeof pick1, module: object) => Promise<string[]>} after some timed calls */
async function outputOf(operation, module) {
  const state = await operation.prepare(module, corpus);
  operation.run(state, 3);
  operation.keepSample?.(state);
  operation.run(state, 40);
  return (await operation.output(state)).map(String);
}

describe.each(Object.entries(VARIANTS))('%s', (_, module) => {
  test('gives the last field, or fields evenly spread up to it', async () => {
    const [first] = await outputOf(pick1, module);
    expect(first).toBe(String((await outputOf(pick1, bson))[0]));
    expect(first).toContain('7');
    expect(await outputOf(pick4, module)).toEqual(await outputOf(pick4, bson));
  });

  test('spot checks find nothing', async () => {
    const state = await pick4.prepare(module, corpus);
    pick4.run(state, 3);
    for (let seed = 0; seed < 20; seed++) {
      expect(await runSpotChecks(pick4, state, 1_000, openRandom([seed, 2, 3, 4]))).toEqual([]);
    }
  });
});

test('what remembers results by identity is wrong', async () => {
  /** @param {string[][]} paths */
  const makePicker = (paths) => {
    const pick = skipFields.makePicker(paths);
    const known = new Map();
    return (/** @type {Uint8Array} */ bytes) => {
      if (!known.has(bytes)) known.set(bytes, pick(bytes));
      return known.get(bytes);
    };
  };
  expect(await outputOf(pick1, { makePicker })).not.toEqual(await outputOf(pick1, bson));
  expect(await outputOf(pick4, { makePicker })).not.toEqual(await outputOf(pick4, bson));
});

test('a corpus with too few fields does not fit', () => {
  const sample = { name: 'comments', firstDocument: comments[0] };
  expect(pick4.takesCorpus?.(sample)).toBe(true);
  expect(pick8.takesCorpus?.(sample)).toBe(false);
});
