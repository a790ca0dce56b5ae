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
 * @throws {UsageError} where it exports no pair
 */
export async function openCodec(module, corpus) {
  const documents = (await materializeDocuments({}, corpus)).map(toJsonValues);
  return { ...findPair(module), documents, variations: new DocumentVariations(documents) };
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
 * @param {Pair} pair
 * @param {any} document
 * @returns {Message}
 * @throws {UsageError} where the pair does not write it, or writes something else than text or bytes
 */
export function writeDocument(pair, document) {
  let message;
  try {
    message = pair.encode(document);
  } catch (error) {
    return refuse(pair, `cannot write a document of JSON values: ${error}`, error);
  }
  if (typeof message === 'string' || isBytes(message)) return message;
  return refuse(pair, `gives ${describeKind(message)} instead of text or bytes`);
}

/**
 * Refuses functions that have the names of a pair, but are for something else: what does not read documents as it writes
 * them, such as an escaping of text, gives one result for all of them. It calls them, so that it comes after first calls
 * that are timed.
 *
 * @param {Codec} codec
 * @throws {UsageError}
 */
export function requireCodec(codec) {
  const { documents, variations } = codec;
  const [document] = documents;
  /** @type {(turn: number) => unknown[]} a message and what is read of it */
  const callPair = (turn) => {
    variations.apply(turn);
    const message = writeDocument(codec, document);
    // Before it is read, which may change it.
    const copy = takeBytes(message);
    return [copy, readMessage(codec, message)];
  };
  const [[message, value], [other, otherValue]] = [callPair(0), callPair(1)];
  variations.restore();
  if (Object.keys(document).length === 0) return;
  if (isSameFrame(message, other) || isSameFrame(value, otherValue)) {
    refuse(codec, 'gives the same for two documents that differ');
  }
}

/** @type {(pair: Pair, message: Message) => unknown} */
function readMessage(pair, message) {
  let value;
  try {
    value = pair.decode(message);
  } catch (error) {
    return refuse(pair, `cannot read what it has written: ${error}`, error);
  }
  return isPromise(value) ? refuse(pair, 'reads a promise instead of a value') : value;
}

/** @type {(pair: Pair, problem: string, cause?: unknown) => never} */
function refuse({ name }, problem, cause) {
  throw new UsageError(`${name} of the package ${problem}`, {
    cause,
    remedy: `choose other documents with --corpus, or ${OTHER_WAYS}`,
  });
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
