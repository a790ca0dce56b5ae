/** Operations on Extended JSON text, relaxed and canonical: what a variant exports as `EJSON`. */

import { EJSON as referenceEjson } from 'bson';
import { materializeDocuments } from '../../../../corpora/support/materialize.js';
import { UsageError } from '../../../../harness/lib/errors.js';
import { describeValue } from '../../../../harness/worker/describe-value.js';
import { spotCheckTurns, spotCheckWriter } from '../../../support/spot-check.js';
import {
  DocumentVariations,
  VALUE_COUNT,
  collectOutput,
  findWrongResults,
} from '../../../support/variations.js';
import { encodeText } from './operation.js';

/** @import { Operation } from '../../../../harness/formats/types.ts' */
/** @import { Sample } from '../../../support/variations.js' */

/** @typedef {{ relaxed: boolean }} Form */

/**
 * @param {object} module namespace object of the variant
 * @returns {typeof referenceEjson}
 * @throws {UsageError} when it exports no EJSON
 */
function takeEjson(module) {
  const { EJSON } = /** @type {{ EJSON?: typeof referenceEjson }} */ (module);
  if (typeof EJSON?.stringify === 'function' && typeof EJSON.parse === 'function') return EJSON;
  throw new UsageError('the variant exports no EJSON with stringify and parse', {
    remedy: 'choose another operation or another variant',
  });
}

/**
 * @typedef {object} WritingState
 * @property {(document: object) => string} stringify
 * @property {object[]} documents
 * @property {DocumentVariations} variations of `documents`
 * @property {number} turn of the next pass
 * @property {string} last result of the latest call, kept to prevent dead-code elimination
 * @property {Sample<string> | null} sample
 */

/** @type {(summary: string, form: Form) => Operation<WritingState>} */
export function writeEjson(summary, form) {
  return {
    summary,

    async prepare(module, corpus) {
      const EJSON = takeEjson(module);
      const documents = await materializeDocuments(module, corpus);
      return {
        stringify: (document) => EJSON.stringify(document, form),
        ...{ documents, variations: new DocumentVariations(documents) },
        ...{ turn: 0, last: '', sample: null },
      };
    },

    run(state, passes) {
      const { stringify, documents } = state;
      const { holders, keys, values } = state.variations;
      for (let pass = 0; pass < passes; pass++) {
        const turn = state.turn++ % VALUE_COUNT;
        for (let index = 0; index < documents.length; index++) {
          holders[index][keys[index]] = values[index][turn];
          state.last = stringify(documents[index]);
        }
      }
    },

    keepSample(state) {
      state.sample = { turn: state.turn - 1, results: [state.last] };
    },

    spotCheck(state, chance) {
      return spotCheckWriter(state, chance, {
        call: state.stringify,
        takeLast: ({ last }) => last,
      });
    },

    values: ({ documents }) => documents,

    output({ stringify, documents, variations, sample }) {
      const writeOnce = (/** @type {number} */ index) => stringify(documents[index]);
      const writeLast = () => writeOnce(documents.length - 1);
      const wrong = findWrongResults(sample, variations, writeLast, encodeText);
      return [...collectOutput(variations, documents.length, writeOnce, encodeText), ...wrong];
    },

    explainDifference,
  };
}

/**
 * @typedef {object} ReadingState
 * @property {(text: string) => object} parse
 * @property {object[]} documents from which the texts are made
 * @property {string[][]} messages texts of each document, one for each of its variations
 * @property {string[]} current those to read outside of the loop
 * @property {number} turn of the next pass
 * @property {object | null} last result of the latest call, kept to prevent dead-code elimination
 * @property {Sample<object> | null} sample
 */

/** Reads what the package bson writes, whatever the variant. @type {(summary: string, form: Form) => Operation<ReadingState>} */
export function readEjson(summary, form) {
  const encode = (/** @type {object} */ document) =>
    flatten(referenceEjson.stringify(document, form));
  return {
    summary,

    async prepare(module, corpus) {
      const EJSON = takeEjson(module);
      const documents = await materializeDocuments({}, corpus);
      const variations = new DocumentVariations(documents);
      const current = documents.map(encode);
      const turns = Array.from({ length: VALUE_COUNT }, function writeTurn(_, turn) {
        variations.apply(turn);
        return documents.map(encode);
      });
      variations.restore();
      return {
        parse: (text) => EJSON.parse(text, form),
        documents,
        messages: documents.map((_, index) => turns.map((texts) => texts[index])),
        ...{ current, turn: 0, last: null, sample: null },
      };
    },

    run(state, passes) {
      const { parse, messages } = state;
      for (let pass = 0; pass < passes; pass++) {
        const turn = state.turn++ % VALUE_COUNT;
        for (let index = 0; index < messages.length; index++) {
          state.last = parse(messages[index][turn]);
        }
      }
    },

    keepSample(state) {
      const { last, turn } = state;
      if (last !== null) state.sample = { turn: turn - 1, results: [last] };
    },

    spotCheck(state, chance) {
      return spotCheckTurns(state, chance, {
        encode,
        call: state.parse,
        takeLast: ({ last }) => last,
      });
    },

    values: ({ parse, current }) => current.map((text) => parse(text)),

    output(state) {
      const { parse, messages, current, sample } = state;
      const variations = {
        apply(/** @type {number} */ turn) {
          state.current = messages.map((ofTurns) => ofTurns[turn % VALUE_COUNT]);
        },
        restore() {
          state.current = current;
        },
      };
      const describe = (/** @type {object} */ value) => encodeText(describeValue(value));
      const readOnce = (/** @type {number} */ index) => parse(state.current[index]);
      // From a copy, which a reader that remembers results by text does not know.
      const readLast = () => parse(flatten(`${state.current[messages.length - 1]} `));
      const wrong = findWrongResults(sample, variations, readLast, describe);
      return [...collectOutput(variations, messages.length, readOnce, describe), ...wrong];
    },

    explainDifference,
  };
}

/** @type {(text: string) => string} in one piece, as it comes from a file or a socket */
function flatten(text) {
  return JSON.parse(JSON.stringify(text));
}

/** @type {Operation['explainDifference']} */
async function explainDifference(expected, found) {
  const { explainTextDifference } = await import('../../../support/explain-difference.js');
  return explainTextDifference(expected, found);
}
