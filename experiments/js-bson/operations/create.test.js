import * as bson from 'bson';
import * as linkedList from '../variants/linked-list.js';
import { operation } from './create.js';
import { countCalls, makeComments, storeTestCorpus } from './test-support/test-corpus.js';

const COUNT = 12;
const corpus = storeTestCorpus(makeComments(COUNT));
const otherCorpus = storeTestCorpus([{ a: 1 }]);

/** @param {object} changes to bson */
async function outputWith(changes) {
  return operation.output(await operation.prepare({ ...bson, ...changes }, corpus));
}

describe('create', () => {
  test('creates one comment for every document and pass, with a new id', async () => {
    const serialize = countCalls((/** @type {any} */ document) => bson.serialize(document));
    const made = countCalls((/** @type {any} */ hex) => new bson.ObjectId(hex));
    /** @this {unknown}  @param {any} hex */
    function ObjectId(hex) {
      return made.call(hex);
    }
    const module = { ...bson, ObjectId, serialize: serialize.call };
    const state = /** @type {any} */ (await operation.prepare(module, corpus));
    operation.run(state, 4);
    expect(serialize.count).toBe(COUNT * 4);
    expect(made.count).toBe(COUNT * 4 * 2);

    const { _id: firstId, ...firstRest } = bson.deserialize(state.last);
    operation.run(state, 1);
    const { _id: secondId, ...secondRest } = bson.deserialize(state.last);
    const { name, email, movie_id, text, date } = makeComments(COUNT)[COUNT - 1];
    const expectedRest = { name, email, movie_id, text, date };
    expect(firstRest).toEqual(expectedRest);
    expect(secondRest).toEqual(expectedRest);
    expect(firstId).not.toEqual(secondId);
  });

  test('the output is the comments without the generated ids, the same for every variant', async () => {
    const blank = new bson.ObjectId(Buffer.alloc(12));
    const expected = makeComments(COUNT).map((comment) =>
      Buffer.from(bson.serialize({ ...comment, _id: blank })),
    );
    expect(await outputWith({})).toEqual(expected);
    expect(await outputWith({})).toEqual(expected);
    const state = await operation.prepare(linkedList, corpus);
    expect(await operation.output(state)).toEqual(expected);
  });

  test('a wrong serialize or ObjectId changes the output', async () => {
    const [expected] = await outputWith({});
    const wrongs = {
      text: {
        serialize: (/** @type {any} */ document) => bson.serialize({ ...document, text: 'wrong' }),
      },
      movie_id: {
        ObjectId: class extends bson.ObjectId {
          constructor(/** @type {any} */ hex) {
            super(typeof hex === 'string' ? hex.replace('7', '8') : hex);
          }
        },
      },
    };
    for (const [path, changes] of Object.entries(wrongs)) {
      const [found] = await outputWith(changes);
      expect(found).not.toEqual(expected);
      expect(await operation.explainDifference(expected, found)).toMatchObject({ path });
    }
  });

  test('an ObjectId whose counter stands still is rejected', async () => {
    /** Made by the first call, so that it is of the second of the test. @type {Uint8Array | undefined} */
    let fixed;
    const ObjectId = class extends bson.ObjectId {
      constructor(/** @type {any} */ hex) {
        super(hex ?? (fixed ??= new bson.ObjectId().id));
      }
    };
    await expect(outputWith({ ObjectId })).rejects.toThrow(/_id of document 1, .* counter/);
  });

  test('a document that is not a comment is rejected with its index and the expected fields', async () => {
    await expect(operation.prepare(bson, otherCorpus)).rejects.toThrow(
      /document 0 of test-documents is not a comment with name/,
    );
  });
});
