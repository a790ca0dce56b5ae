import { EJSON, Long, deserialize, serialize } from 'bson';
import {
  makeComments,
  storeTestCorpus,
} from '../../js-bson/operations/test-support/test-corpus.js';
import { describeValue } from '../../../harness/worker/describe-value.js';
import { openRandom } from '../../../harness/worker/random.js';
import { runSpotChecks } from '../../../harness/worker/finish-measured.js';
import * as bson from '../variants/bson.js';
import * as json from '../variants/json.js';
import * as v8 from '../variants/v8.js';
import { operation as decodeOperation } from './decode.js';
import { operation as encodeOperation } from './encode.js';
import { MessageVariations } from './support/message-variations.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */
/** @import { Format } from '../codec/types.ts' */

const COUNT = 5;
const comments = makeComments(COUNT);
const corpus = storeTestCorpus(comments);
const large = storeTestCorpus([{ a: Long.fromString('9007199254740993') }]);

const parsed = comments.map((comment) => EJSON.parse(EJSON.stringify(comment)));
const expected = parsed.map((document) => describeValue(document));
const OPERATIONS = /** @type {[string, Operation<any>][]} */ ([
  ['encode', encodeOperation],
  ['decode', decodeOperation],
]);

/** @type {(operation: Operation<any>, module: object) => Promise<string[]>} after some timed calls */
async function outputOf(operation, module) {
  const state = await operation.prepare(module, corpus);
  operation.run(state, 3);
  operation.keepSample?.(state);
  operation.run(state, 40);
  return (await operation.output(state)).map((frame) => Buffer.from(frame).toString());
}

/** @type {(changes: Partial<Format>) => object} */
function changedBson(changes) {
  return { ...bson, openFormat: () => ({ encode: serialize, decode: deserialize, ...changes }) };
}

describe.each(OPERATIONS)('%s', (name, operation) => {
  test.each(Object.entries({ bson, json, v8 }))('%s returns the documents', async (_, module) => {
    expect(await outputOf(operation, module)).toEqual(expected);
  });

  test('a loss that is not declared is in the output', async () => {
    const undeclared = { ...json, variant: { ...json.variant, breaks: {} } };
    const [found] = await outputOf(operation, undeclared);
    const difference = await operation.explainDifference(
      Buffer.from(expected[0]),
      Buffer.from(found),
    );
    expect(difference).toMatchObject({ path: '_id', found: expect.stringContaining('string') });
  });

  test('what remembers results by identity is wrong', async () => {
    /** @type {Map<unknown, any>} */
    const known = new Map();
    /** @type {<Key, Result>(call: (key: Key) => Result) => (key: Key) => Result} */
    const remember = (call) => (key) => {
      if (!known.has(key)) known.set(key, call(key));
      return known.get(key);
    };
    const call =
      name === 'encode' ? { encode: remember(serialize) } : { decode: remember(deserialize) };
    expect(await outputOf(operation, changedBson(call))).not.toEqual(expected);
  });

  test('a timed call that is wrong is found', async () => {
    let calls = 0;
    const isTimed = () => ++calls > COUNT * 40 && calls < COUNT * 60;
    const changed = changedBson({
      encode: (document) => serialize(name === 'encode' && isTimed() ? {} : document),
      decode: (message) => (name === 'decode' && isTimed() ? {} : deserialize(message)),
    });
    const state = await operation.prepare(changed, corpus);
    calls = COUNT * 40;
    operation.run(state, 1);
    operation.keepSample?.(state);
    calls = COUNT * 60;
    expect(await operation.output(state)).toHaveLength(COUNT + (name === 'encode' ? 2 : 1));
  });

  test('what looks at the value alone that varies is found by spot checks', async () => {
    /** @type {Map<unknown, any>} */
    const known = new Map();
    /** @type {<Key, Result>(call: (key: Key) => Result, nameOf: (key: Key) => unknown) => (key: Key) => Result} */
    const remember = (call, nameOf) => (key) => {
      const name = nameOf(key);
      if (!known.has(name)) known.set(name, call(key));
      return known.get(name);
    };
    const encode = remember(serialize, ({ name }) => name);
    const decode = remember(
      (/** @type {Buffer} */ bytes) => deserialize(Buffer.from(bytes)),
      (bytes) => deserialize(bytes).name,
    );
    const find = async (/** @type {object} */ module) => {
      const state = await operation.prepare(module, corpus);
      operation.run(state, 3);
      return runSpotChecks(operation, state, 1_000, openRandom([1, 2, 3, 4]), () => 2_000);
    };
    expect(await find(bson)).toEqual([]);
    expect(await find(changedBson(name === 'encode' ? { encode } : { decode }))).toHaveLength(1);
  });

  test('a document that not all formats carry is named', async () => {
    const exact = { ...large, provenance: /** @type {const} */ ('deserialized') };
    await expect(operation.prepare(bson, exact)).rejects.toThrow(
      /document 0 of test-documents has a value that not all formats carry/,
    );
  });
});

test('the messages are those of the documents as they are', async () => {
  const state = await encodeOperation.prepare(json, corpus);
  encodeOperation.run(state, 2);
  await encodeOperation.output(state);
  expect((await encodeOperation.messages?.(state))?.map(String)).toEqual(
    parsed.map((document) => JSON.stringify(document)),
  );
});

describe('variations of messages', () => {
  test('differ by turn, have one size, and end', () => {
    const { encode, decode } = json.openFormat([]);
    const documents = structuredClone([{ n: 7, text: 'abcdefgh' }, { list: [{ deep: 'xyz' }] }]);
    const variations = new MessageVariations(documents, encode);
    const read = () => variations.current.map((message) => JSON.stringify(decode(message)));
    const before = read();
    expect(before).toEqual(documents.map((document) => JSON.stringify(document)));
    const seen = Array.from({ length: 31 }, (_, turn) => {
      variations.apply(turn);
      return read().join();
    });
    expect(new Set(seen).size).toBe(31);
    expect(new Set(seen.map(({ length }) => length)).size).toBe(1);
    variations.restore();
    expect(read()).toEqual(before);
  });

  test('are left out where a format gives them several sizes', () => {
    let size = 0;
    const variations = new MessageVariations([{ n: 1 }], () => Buffer.alloc(++size));
    expect(variations.patches[0].every(({ length }) => length === 0)).toBe(true);
  });
});
