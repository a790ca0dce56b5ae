import { readFileSync } from 'node:fs';
import { stringify, takeExports } from './support/operation.js';
import { spotCheckPages } from '../../support/spot-check.js';
import { ByteVariations, collectOutput, findWrongResults } from '../../support/variations.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */
/** @import { Sample } from '../../support/variations.js' */

/**
 * @typedef {object} State
 * @property {(bytes: Uint8Array) => Uint8Array} bsonToJson
 * @property {ByteVariations} variations
 * @property {Uint8Array[][]} pages the documents of `variations`, one on each
 * @property {number} turn of the next pass
 * @property {Uint8Array} last result of the latest call, kept to prevent dead-code elimination
 * @property {Sample<Uint8Array> | null} sample
 */

/**
 * What a server does that answers with documents: it sends bytes. A variant that makes them otherwise than by an object and
 * `JSON.stringify` exports `bsonToJson`.
 * @type {Operation<State>}
 */
export const operation = {
  summary: 'BSON bytes to the JSON text of the document, as bytes',
  defaultCorpora: ['flat', 'tweet', 'comments', 'movies'],

  prepare(module, corpus) {
    const variations = new ByteVariations(readFileSync(corpus.files.bytes));
    const pages = variations.documents.map((document) => [document]);
    const last = Buffer.alloc(0);
    return { bsonToJson: chooseWriter(module), variations, pages, turn: 0, last, sample: null };
  },

  run(state, passes) {
    const { bsonToJson, variations, pages } = state;
    for (let pass = 0; pass < passes; pass++) {
      variations.apply(state.turn++);
      for (let index = 0; index < pages.length; index++) {
        state.last = bsonToJson(pages[index][0]);
      }
    }
  },

  keepSample(state) {
    const { last, turn } = state;
    // The result itself shows whether later calls overwrite it, the copy whether it was complete.
    state.sample = { turn: turn - 1, results: [last, Buffer.from(last)] };
  },

  spotCheck(state, chance) {
    return spotCheckPages(state, chance, ([document]) => state.bsonToJson(document));
  },

  output({ bsonToJson, variations, sample }) {
    const { documents } = variations;
    const copy = (/** @type {Uint8Array} */ json) => Buffer.from(json);
    /** @param {number} index */
    const writeOnce = (index) => bsonToJson(documents[index]);
    const writeLast = () => writeOnce(documents.length - 1);
    const wrong = findWrongResults(sample, variations, writeLast, copy);
    return [...collectOutput(variations, documents.length, writeOnce, copy), ...wrong];
  },

  // By bytes, because what is found may be no JSON.
  async explainDifference(expected, found) {
    let at = 0;
    while (at < expected.length && expected[at] === found[at]) at++;
    const [wanted, got] = [expected, found].map((json) =>
      Buffer.from(json.subarray(Math.max(0, at - 20), at + 20)).toString(),
    );
    return { path: `byte ${at}`, expected: wanted, found: got };
  },
};

/**
 * @param {object} module namespace of the variant
 * @returns {State['bsonToJson']}
 */
export function chooseWriter(module) {
  if ('bsonToJson' in module) return takeExports(module, ['bsonToJson']).bsonToJson;
  const { deserialize } = takeExports(module, ['deserialize']);
  return (bytes) => Buffer.from(stringify(deserialize(bytes)));
}
