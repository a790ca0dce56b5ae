import { runSpotChecks } from '../../../harness/worker/finish-measured.js';
import { openRandom } from '../../../harness/worker/random.js';
import {
  makeComments,
  storeTestCorpus,
} from '../../js-bson/operations/test-support/test-corpus.js';
import { operation as decode } from './decode.js';
import { operation as encodeByValue } from './encode-by-value.js';
import { operation as encode } from './encode.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */

const COUNT = 4;
const comments = makeComments(COUNT);
const corpus = storeTestCorpus(comments);
// Dates and ids as JSON has them.
const documents = comments.map((comment) => JSON.parse(JSON.stringify(comment)));
const OPERATIONS = /** @type {[string, Operation<any>][]} */ (
  Object.entries({ encode, 'encode-by-value': encodeByValue, decode })
);

const text = { stringify: JSON.stringify, parse: JSON.parse };
const bytes = {
  /** @param {unknown} value */
  pack: (value) => new TextEncoder().encode(JSON.stringify(value)),
  /** @param {Uint8Array} message */
  unpack: (message) => JSON.parse(new TextDecoder().decode(message)),
};

/** @type {(operation: Operation<any>, module: object) => Promise<any[]>} after some timed calls */
async function outputOf(operation, module) {
  const state = await operation.prepare(module, corpus);
  operation.run(state, 3);
  operation.keepSample?.(state);
  operation.run(state, 40);
  return operation.output(state);
}

/** @type {(operation: Operation<any>, module: object) => Promise<string[]>} what spot checks find */
async function spotCheck(operation, module) {
  const state = await operation.prepare(module, corpus);
  operation.run(state, 3);
  return runSpotChecks(operation, state, 1_000, openRandom([1, 2, 3, 4]), () => 2_000);
}

describe('the output', () => {
  test('of encode is the message, of its type', async () => {
    expect(await outputOf(encode, text)).toEqual(documents.map((one) => JSON.stringify(one)));
    const packed = documents.map((one) => Buffer.from(JSON.stringify(one)));
    expect(await outputOf(encode, bytes)).toEqual(packed);
  });

  test.each([text, bytes])('of the others is what the package reads (%#)', async (module) => {
    expect(await outputOf(decode, module)).toEqual(documents);
    expect(await outputOf(encodeByValue, module)).toEqual(documents);
  });

  test('has the difference of two messages as text or bytes, and a way to allow it', async () => {
    const differ = (/** @type {string[]} */ ...messages) => {
      const [expected, found] = messages.map((message) => Buffer.from(message, 'latin1'));
      return encode.explainDifference(expected, found);
    };
    expect(await differ('{"a":1}', '{"a":21}')).toEqual({
      path: 'message',
      expected: String.raw`offset 5: "{\"a\":1}"`,
      found: expect.stringMatching(
        /^offset 5: "\{\\"a\\":21\}", 8 bytes, not 7; .*encode-by-value/,
      ),
    });
    expect((await differ('\xff\x01', '\xff\x02')).found).toMatch(/^offset 1: ff \[02\]; /);
  });
});

test('functions of an object that is exported by default keep it as this', async () => {
  const codec = {
    indent: 1,
    /** @param {unknown} value */
    dump(value) {
      return JSON.stringify(value, null, this.indent);
    },
    load: JSON.parse,
  };
  const expected = documents.map((one) => JSON.stringify(one, null, 1));
  expect(await outputOf(encode, { default: codec, version: '1.0.0' })).toEqual(expected);
});

test.each([
  [{ parse: JSON.parse, version: '' }, /no pair .*; it exports parse, version$/, /assay init/],
  [{ stringify: String, parse: String }, /gives the same for two documents/, /--corpus/],
  [{ ...text, stringify: async () => '' }, /gives a promise instead/, /assay init/],
  [{ ...text, parse: async () => ({}) }, /reads a promise/, /assay init/],
  [{ ...text, stringify: () => [] }, /gives array instead/, /assay init/],
  [{ ...text, parse: () => JSON.parse('') }, /cannot read what it has written: Synt/, /--corpus/],
  [{ encode: encodeURIComponent, decode: decodeURIComponent }, /gives the same/, /--corpus/],
])('what is no codec of documents is refused (%#)', async (module, message, remedy) => {
  for (const [, operation] of OPERATIONS) {
    const check = async () => operation.output(await operation.prepare(module, corpus));
    const error = await check().catch((thrown) => thrown);
    expect(error.message).toMatch(message);
    expect(error.remedy).toMatch(remedy);
  }
});

test('the measured function is not called before the loop, so that first calls can be timed', async () => {
  /** @type {string[]} */
  const calls = [];
  const module = {
    stringify: (/** @type {object} */ one) => (calls.push('encode'), JSON.stringify(one)),
    parse: (/** @type {string} */ one) => (calls.push('decode'), JSON.parse(one)),
  };
  await encode.prepare(module, corpus);
  expect(calls).toEqual([]);
  await decode.prepare(module, corpus);
  expect(calls).not.toContain('decode');
});

describe.each(OPERATIONS)('%s', (name, operation) => {
  test.each([text, bytes])('passes spot checks (%#)', async (module) => {
    expect(await spotCheck(operation, module)).toEqual([]);
  });

  test('what remembers results by the value that varies is found', async () => {
    /** @type {Map<unknown, any>} */
    const known = new Map();
    /** @type {(call: (key: any) => any, nameOf: (key: any) => unknown) => (key: any) => any} */
    const remember = (call, nameOf) => (key) => {
      const part = nameOf(key);
      if (!known.has(part)) known.set(part, call(key));
      return known.get(part);
    };
    const module =
      name === 'decode'
        ? { ...text, parse: remember(JSON.parse, (message) => JSON.parse(message)._id) }
        : { ...text, stringify: remember(JSON.stringify, ({ _id }) => _id) };
    expect(await spotCheck(operation, module)).toHaveLength(1);
  });

  test('a timed call that is wrong is found', async () => {
    let isTimed = false;
    const state = await operation.prepare(
      {
        stringify: (/** @type {object} */ one) =>
          JSON.stringify(isTimed && name !== 'decode' ? { ...one, text: '' } : one),
        parse: (/** @type {string} */ one) => (isTimed && name === 'decode' ? {} : JSON.parse(one)),
      },
      corpus,
    );
    isTimed = true;
    operation.run(state, 1);
    isTimed = false;
    operation.keepSample?.(state);
    expect((await operation.output(state)).length).toBeGreaterThan(COUNT);
  });
});

test('messages that differ have their sizes compared where they may', async () => {
  const state = await encodeByValue.prepare(text, corpus);
  expect((await encodeByValue.messages?.(state))?.map(String)).toEqual(
    await outputOf(encode, text),
  );
  expect(encode.messages).toBeUndefined();
});
