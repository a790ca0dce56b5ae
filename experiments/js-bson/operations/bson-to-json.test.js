import * as bson from 'bson';
import { openRandom } from '../../../harness/worker/random.js';
import { runSpotChecks } from '../../../harness/worker/finish-measured.js';
import * as jsonBytes from '../variants/json-bytes.js';
import * as jsonText from '../variants/json-text.js';
import { operation } from './bson-to-json.js';
import { makeComments, storeTestCorpus } from './test-support/test-corpus.js';

const COUNT = 5;
const comments = makeComments(COUNT);
const corpus = storeTestCorpus(comments);
const VARIANTS = { bson, 'json-text': jsonText, 'json-bytes': jsonBytes };

/** @type {(module: object) => Promise<any[]>} after some timed calls */
async function outputOf(module) {
  const state = await operation.prepare(module, corpus);
  operation.run(state, 3);
  operation.keepSample?.(state);
  operation.run(state, 40);
  return operation.output(state);
}

/** @type {(call: (bytes: Uint8Array) => Buffer) => (bytes: Uint8Array) => Buffer} */
function rememberByIdentity(call) {
  const known = new Map();
  return (bytes) => {
    if (!known.has(bytes)) known.set(bytes, call(bytes));
    return known.get(bytes);
  };
}

test.each(Object.entries(VARIANTS))('%s writes the JSON of each document', async (_, module) => {
  const expected = comments.map((comment) => Buffer.from(JSON.stringify(comment)));
  expect(await outputOf(module)).toEqual(expected);
});

test('remembered, overwritten and wrong text is found', async () => {
  const expected = await outputOf(bson);
  const remembering = { bsonToJson: rememberByIdentity(jsonBytes.bsonToJson) };
  expect(await outputOf(remembering)).not.toEqual(expected);
  const place = Buffer.alloc(1000);
  const reusing = (/** @type {Uint8Array} */ bytes) =>
    place.subarray(0, jsonBytes.bsonToJson(bytes).copy(place));
  expect((await outputOf({ bsonToJson: reusing })).length).toBeGreaterThan(COUNT);
  const [found] = await outputOf({
    bsonToJson: (/** @type {Uint8Array} */ bytes) =>
      Buffer.from(JSON.stringify({ ...bson.deserialize(bytes), text: 'wrong' })),
  });
  expect(await operation.explainDifference(expected[0], found)).toMatchObject({
    path: 'byte 129',
    expected: expect.stringContaining('"text":"Text 0'),
    found: expect.stringContaining('"text":"wrong"'),
  });
});

test('spot checks find what looks at the value alone that varies', async () => {
  const known = new Map();
  const byId = (/** @type {Uint8Array} */ bytes) => {
    const id = String(bson.deserialize(bytes)['_id']);
    if (!known.has(id)) known.set(id, jsonBytes.bsonToJson(bytes));
    return known.get(id);
  };
  const find = async (/** @type {object} */ module) => {
    const state = await operation.prepare(module, corpus);
    operation.run(state, 3);
    return runSpotChecks(operation, state, 1_000, openRandom([1, 2, 3, 4]), () => 2_000);
  };
  expect(await find(jsonBytes)).toEqual([]);
  expect(await find({ bsonToJson: byId })).toHaveLength(1);
});

test('a variant without deserialize is refused', () => {
  expect(() => operation.prepare({}, corpus)).toThrow('exports no deserialize');
});
