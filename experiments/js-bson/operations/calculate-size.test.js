import * as bson from 'bson';
import { calculateObjectSize } from '../codec/calculate-size.js';
import { operation } from './calculate-size.js';
import { countCalls, makeComments, storeTestCorpus } from './test-support/test-corpus.js';

const COUNT = 7;
const comments = makeComments(COUNT);
const corpus = storeTestCorpus(comments);

const sizes = comments.map((comment) => bson.serialize(comment).length);

/** @param {(document: any) => number} calculate */
async function outputOf(calculate) {
  const module = { ...bson, calculateObjectSize: calculate };
  return operation.output(await operation.prepare(module, corpus));
}

describe('calculate-size', () => {
  test('calculates the size of every document once per pass and keeps the sum', async () => {
    const counted = countCalls(calculateObjectSize);
    const module = { ...bson, calculateObjectSize: counted.call };
    const state = await operation.prepare(module, corpus);
    operation.run(state, 5);
    expect(counted.count).toBe(COUNT * 5);
    const sum = sizes.reduce((total, size) => total + size, 0);
    expect(state).toMatchObject({ total: sum * 5 });
  });

  test('the output is the size of each document, the same for the codec and bson', async () => {
    const expected = sizes.map((size) => Buffer.from(`${size} bytes`));
    expect(await outputOf(calculateObjectSize)).toEqual(expected);
    expect(await outputOf(bson.calculateObjectSize)).toEqual(expected);
  });

  test('a wrong size changes the output', async () => {
    const [expected] = await outputOf(calculateObjectSize);
    const [found] = await outputOf((document) => calculateObjectSize(document) + 1);
    expect(await operation.explainDifference(expected, found)).toEqual({
      path: '(whole document)',
      expected: `${sizes[0]} bytes`,
      found: `${sizes[0] + 1} bytes`,
    });
  });

  test('a variant without the function is rejected', async () => {
    await expect(operation.prepare({}, corpus)).rejects.toThrow(/exports no calculateObjectSize/);
  });
});
