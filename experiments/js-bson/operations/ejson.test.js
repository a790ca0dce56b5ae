import * as bson from 'bson';
import * as linkedList from '../variants/linked-list.js';
import * as packed from '../variants/packed-objectid.js';
import { operation as parseCanonical } from './ejson-parse-canonical.js';
import { operation as parse } from './ejson-parse.js';
import { operation as stringifyCanonical } from './ejson-stringify-canonical.js';
import { operation as stringify } from './ejson-stringify.js';
import { makeComments, storeTestCorpus } from './test-support/test-corpus.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */

const OPERATIONS = /** @type {Record<string, Operation<any>>} */ ({
  'ejson-stringify': stringify,
  'ejson-stringify-canonical': stringifyCanonical,
  'ejson-parse': parse,
  'ejson-parse-canonical': parseCanonical,
});
const corpus = storeTestCorpus([
  ...makeComments(3),
  { n: 5, long: bson.Long.fromNumber(7), half: 0.5, bytes: new bson.Binary(Buffer.from('abc')) },
]);

/** @param {Operation<any>} operation @param {object} module */
async function outputOf(operation, module, passes = 0) {
  const state = await operation.prepare(module, corpus);
  if (passes > 0) operation.run(state, passes);
  operation.keepSample?.(state);
  const frames = await operation.output(state);
  return frames.map((frame) => Buffer.from(frame).toString());
}

test('relaxed text has plain numbers, canonical text their types', async () => {
  expect((await outputOf(stringify, bson, 1))[3]).toContain('"n":5,"long":7,');
  expect((await outputOf(stringifyCanonical, bson, 1))[3]).toContain(
    '"n":{"$numberInt":"5"},"long":{"$numberInt":"7"}',
  );
});

describe.each(Object.entries(OPERATIONS))('%s', (_, operation) => {
  test.each([
    ['linked-list', linkedList],
    ['packed-objectid', packed],
  ])(
    'the output of %s is that of the reference, before and after timed calls',
    async (_name, module) => {
      const expected = await outputOf(operation, bson, 1);
      expect(expected).toHaveLength(4);
      expect(await outputOf(operation, module, 1)).toEqual(expected);
      expect(await outputOf(operation, module, 40)).toEqual(expected);
    },
  );

  test('a variant that remembers results gives another output', async () => {
    const known = new Map();
    /** @param {any} value @param {any} make */
    const remember = (value, make) => {
      const key = typeof value === 'string' ? value.length : value;
      if (!known.has(key)) known.set(key, make());
      return known.get(key);
    };
    const EJSON = {
      stringify: (/** @type {any} */ value, /** @type {any} */ form) =>
        remember(value, () => bson.EJSON.stringify(value, form)),
      parse: (/** @type {any} */ text, /** @type {any} */ form) =>
        remember(text, () => bson.EJSON.parse(text, form)),
    };
    // Documents are materialized by the package, since the variant would remember those, too.
    const module = { ...bson, EJSON: { ...EJSON, parse: bson.EJSON.parse } };
    const remembering = operation.summary.startsWith('documents') ? module : { ...bson, EJSON };
    expect(await outputOf(operation, remembering, 3)).not.toEqual(
      await outputOf(operation, bson, 3),
    );
  });

  test('spot checks of the reference find nothing', async () => {
    const state = await operation.prepare(bson, corpus);
    let seed = 1;
    const pick = (/** @type {number} */ count) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % count;
    };
    for (let count = 0; count < 60; count++) {
      const check = operation.spotCheck?.(state, { pick, maxPasses: 6 });
      let step = check?.next();
      while (step?.done === false) {
        operation.run(state, step.value);
        step = check?.next();
      }
      expect(step?.value).toBeNull();
    }
  });

  test('a variant without EJSON is refused', async () => {
    await expect(async () => operation.prepare({}, corpus)).rejects.toThrow('exports no EJSON');
  });
});
