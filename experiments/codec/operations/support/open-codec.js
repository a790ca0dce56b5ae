import { materializeDocuments } from '../../../../corpora/support/materialize.js';
import { UsageError } from '../../../../harness/lib/errors.js';
import { describeValue } from '../../../../harness/worker/describe-value.js';
import { isBytes, takeBytes } from '../../../../harness/worker/bound.js';
import { isSameFrame } from '../../../../harness/worker/frames.js';
import { DocumentVariations } from '../../../support/variations.js';
import { OTHER_WAYS, findPair } from './find-pair.js';

/** @import { PreparedCorpus } from '../../../../harness/formats/types.ts' */
/** @import { Pair } from './find-pair.js' */

/** @typedef {string | Uint8Array} Message */

/**
 * @typedef {Pair & { documents: any[], variations: DocumentVariations }} Codec with documents of JSON values
 */

/**
 * @param {object} module namespace of the variant
 * @param {PreparedCorpus} corpus
 * @returns {Promise<Codec>}
 * @throws {UsageError} where it exports no pair, or one that is not for such documents
 */
export async function openCodec(module, corpus) {
  const pair = findPair(module);
  const documents = (await materializeDocuments({}, corpus)).map(toJsonValues);
  const codec = { ...pair, documents, variations: new DocumentVariations(documents) };
  requireCodec(codec);
  return codec;
}

/**
 * @param {any} document
 * @returns {any} the document itself where JSON can represent it, otherwise what JSON makes of it: dates are text
 */
function toJsonValues(document) {
  const copy = JSON.parse(JSON.stringify(document));
  return describeValue(copy) === describeValue(document) ? document : copy;
}

/**
 * Refuses functions that have the names of a pair, but are for something else: what does not read documents as it writes
 * them, such as an escaping of text, gives one result for all of them.
 *
 * @param {Codec} codec
 * @throws {UsageError}
 */
function requireCodec({ encode, decode, name, documents, variations }) {
  /** @type {(problem: string, cause?: unknown) => never} */
  const refuse = (problem, cause) => {
    throw new UsageError(`${name} of the package ${problem}`, {
      cause,
      remedy: `choose other documents with --corpus, or ${OTHER_WAYS}`,
    });
  };
  /** @type {(turn: number) => unknown[]} a message and what is read of it */
  const callPair = (turn) => {
    variations.apply(turn);
    let message;
    try {
      message = encode(documents[0]);
    } catch (error) {
      return refuse(`cannot write a document of JSON values: ${error}`, error);
    }
    if (typeof message !== 'string' && !isBytes(message)) {
      return refuse(`gives ${describeKind(message)} instead of text or bytes`);
    }
    const copy = takeBytes(message);
    let value;
    try {
      value = decode(message);
    } catch (error) {
      return refuse(`cannot read what it has written: ${error}`, error);
    }
    return isPromise(value) ? refuse('reads a promise instead of a value') : [copy, value];
  };
  const [[message, value], [other, otherValue]] = [callPair(0), callPair(1)];
  variations.restore();
  if (Object.keys(documents[0]).length === 0) return;
  if (isSameFrame(message, other) || isSameFrame(value, otherValue)) {
    refuse('gives the same for two documents that differ');
  }
}

/** @param {unknown} value */
function describeKind(value) {
  if (isPromise(value)) return 'a promise';
  return describeValue(value).split('\n', 1)[0].split('\t')[1];
}

/** @param {any} value */
function isPromise(value) {
  return typeof value?.then === 'function';
}
