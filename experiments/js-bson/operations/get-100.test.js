import * as bson from 'bson';
import * as linkedList from '../variants/linked-list.js';
import { operation } from './get-100.js';
import {
  countCalls,
  makeComments,
  storeTestCorpus,
  withoutIds,
} from './test-support/test-corpus.js';

const COUNT = 120;
const corpus = storeTestCorpus(makeComments(COUNT));

/** @param {object} module */
async function outputOf(module) {
  return operation.output(await operation.prepare(module, corpus));
}

describe('get-100', () => {
  test('reads every document once per pass and keeps the last response', async () => {
    const deserialize = countCalls((/** @type {Uint8Array} */ bytes) => bson.deserialize(bytes));
    const state = await operation.prepare({ deserialize: deserialize.call }, corpus);
    operation.run(state, 3);
    expect(deserialize.count).toBe(COUNT * 3);
    expect(withoutIds(state.last)).toEqual(
      withoutIds(JSON.stringify(makeComments(COUNT).slice(100))),
    );
  });

  test('the output is the JSON of each document, the same for a variant and the reference', async () => {
    const expected = makeComments(COUNT).map((comment) => Buffer.from(JSON.stringify(comment)));
    expect(await outputOf(bson)).toEqual(expected);
    expect(await outputOf(linkedList)).toEqual(expected);
  });

  test('a wrong deserialize or toJSON changes the output', async () => {
    const [expected] = await outputOf(bson);
    const wrongText = (/** @type {Uint8Array} */ bytes) => ({
      ...bson.deserialize(bytes),
      text: 'wrong',
    });
    const wrongId = (/** @type {Uint8Array} */ bytes) => {
      const document = bson.deserialize(bytes);
      return { ...document, _id: { toJSON: () => document['_id'].toHexString().toUpperCase() } };
    };
    for (const [deserialize, path] of /** @type {const} */ ([
      [wrongText, 'text'],
      [wrongId, '_id'],
    ])) {
      const [found] = await outputOf({ deserialize });
      expect(found).not.toEqual(expected);
      expect(await operation.explainDifference(expected, found)).toMatchObject({ path });
    }
  });

  test('a variant without deserialize is rejected', () => {
    expect(() => operation.prepare({}, corpus)).toThrow(/exports no deserialize/);
  });
});
