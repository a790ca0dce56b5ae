import { materializeDocuments } from '../../../../corpora/support/materialize.js';
import { UsageError } from '../../../../harness/lib/errors.js';
import { describeValue } from '../../../../harness/worker/describe-value.js';
import { explainTextDifference } from '../../../support/explain-difference.js';
import { describeNewId } from './generated-ids.js';
import { takeExports } from './operation.js';

/** @import { Chance, Operation, PreparedCorpus, SpotCheck } from '../../../../harness/formats/types.ts' */

/** Parts of an operation on new ObjectIds. */
export const ON_NEW_IDS = {
  defaultCorpora: ['object-id:1000'],
  /** @type {Operation['explainDifference']} */
  async explainDifference(expected, found) {
    return explainTextDifference(expected, found);
  },
};

/**
 * Parts of an operation on the ObjectIds of a corpus. It reads one id per document, so nanoseconds per document are
 * nanoseconds per id. Its state has the result of the latest call (`last`), or counts what the calls do, so that no
 * compiler can eliminate them.
 */
export const ON_OBJECT_IDS = {
  ...ON_NEW_IDS,
  /** @type {NonNullable<Operation['takesCorpus']>} */
  takesCorpus: ({ firstDocument: { _id } }) => _id?._bsontype === 'ObjectId',
};

export const ID_BYTES = 12;

/**
 * The ObjectId class of a variant, and the `_id` of every document of a corpus as the variant creates
 * it.
 * @param {object} module namespace object of the variant
 * @param {PreparedCorpus} corpus
 * @returns {Promise<{ ObjectId: any, ids: any[] }>}
 * @throws {UsageError} when an `_id` is not an instance of that class
 */
export async function readObjectIds(module, corpus) {
  const { ObjectId } = takeExports(module, ['ObjectId']);
  const documents = await materializeDocuments(module, corpus);
  const ids = documents.map(function takeId({ _id }, index) {
    if (_id instanceof ObjectId) return _id;
    throw new UsageError(
      `document ${index} of ${corpus.label} has no ObjectId of the variant's own class as its _id`,
      { remedy: 'choose a corpus with such documents, for example object-id:1000' },
    );
  });
  return { ObjectId, ids };
}

/**
 * The hex texts of the ids of a corpus as flat, separate strings, which no id stores or caches.
 * @param {object} module namespace object of the variant
 * @param {PreparedCorpus} corpus
 * @returns {Promise<{ ObjectId: any, texts: string[] }>}
 */
export async function readHexTexts(module, corpus) {
  const { ObjectId, ids } = await readObjectIds(module, corpus);
  return { ObjectId, texts: ids.map(copyHexText) };
}

/** @type {(id: any) => string} */
export function copyHexText(id) {
  return Buffer.from(id.toHexString()).toString('latin1');
}

/**
 * @param {any} id
 * @returns {string[]} hex texts that differ from that of the id in one digit, at every position
 */
export function listUnequalTexts(id) {
  const text = id.toHexString();
  return Array.from(text, function changeDigit(digit, at) {
    return replaceAt(text, at, digit === '0' ? '1' : '0');
  });
}

/**
 * Replaces one character by one that is not hex, at a position that depends on the index.
 * @type {(text: string, index: number) => string} flat
 */
export function spoilText(text, index) {
  const spoilt = replaceAt(text, index % text.length, 'g');
  return Buffer.from(spoilt).toString('latin1');
}

/** @type {(text: string, at: number, character: string) => string} */
function replaceAt(text, at, character) {
  return `${text.slice(0, at)}${character}${text.slice(at + 1)}`;
}

/**
 * Checks an operation whose loop reads `ids` and keeps its last result: an id gets other bytes between two calls.
 *
 * @template {{ ids: any[], last: any }} State
 * @param {State} state
 * @param {Chance} chance
 * @param {(id: any) => unknown} call what the loop does with an id
 * @returns {SpotCheck}
 */
export function* spotCheckIds(state, { pick, maxPasses }, call) {
  const { ids } = state;
  const id = ids[pick(ids.length)];
  const old = Buffer.from(id.id);
  const other = Buffer.from(old.map((byte) => byte ^ (1 + pick(255))));
  state.ids = [id];
  try {
    yield maxPasses;
    id.id = Buffer.from(other);
    yield 1;
    const [found, expected, unchanged] = [
      state.last,
      call(new id.constructor(Buffer.from(other))),
      call(new id.constructor(Buffer.from(old))),
    ].map((value) => describeValue(value));
    return found === expected && found !== unchanged
      ? null
      : 'after a change of the bytes of an id the result is not that for a new id';
  } finally {
    id.id = old;
    state.ids = ids;
  }
}

/**
 * The output of an operation.
 * @template T
 * @param {T[]} items one per document
 * @param {(item: T, index: number) => unknown} describeItem returns a value that is the same for every
 *   correct variant
 * @returns {Uint8Array[]}
 */
export function describeEach(items, describeItem) {
  return items.map(function describeOne(item, index) {
    return Buffer.from(describeValue(describeItem(item, index)));
  });
}

/**
 * The bytes of an id, read in two independent ways.
 * @type {(id: any) => { hex: string, bytes: string }}
 */
export function describeId(id) {
  return { hex: id.toHexString(), bytes: Buffer.from(id.id).toString('hex') };
}

/**
 * Describes ids that are generated now.
 * @param {number} count
 * @param {() => Uint8Array} makeBytes of a new id
 * @returns {Uint8Array[]} one description per id, the same for every correct variant
 */
export function describeNewIds(count, makeBytes) {
  const earliest = Math.floor(Date.now() / 1000);
  // There is one more, because each id is compared with the one before it.
  const ids = Array.from({ length: count + 1 }, function copyNext() {
    return Buffer.from(makeBytes());
  });
  const latest = Math.floor(Date.now() / 1000);
  return describeEach(ids.slice(1), function describeNew(id, index) {
    const sizeBytes = Math.min(id.length, ids[index].length);
    if (sizeBytes !== ID_BYTES) return { sizeBytes };
    return { sizeBytes, ...describeNewId(id, ids[index], { earliest, latest }) };
  });
}
