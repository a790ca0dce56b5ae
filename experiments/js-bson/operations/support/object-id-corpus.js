import { UsageError } from '../../../../harness/lib/errors.js';
import { materializeDocuments } from '../../../../corpora/support/materialize.js';
import { takeExports } from './app-exports.js';

/** @import { Operation, PreparedCorpus } from '../../../../harness/formats/types.ts' */

/**
 * What the operations on ObjectIds read: as many ids as documents, so that nanoseconds per document are
 * nanoseconds per id.
 *
 * @type {Required<Pick<Operation, 'defaultCorpora' | 'takesCorpus'>>}
 */
export const ON_OBJECT_IDS = {
  defaultCorpora: ['object-id:1000'],
  takesCorpus: ({ firstDocument: { _id } }) => _id?._bsontype === 'ObjectId',
};

/** Bytes of an ObjectId. */
export const ID_BYTES = 12;

/**
 * The class of a variant and the ObjectIds that are the `_id` of a corpus's documents, as the
 * variant itself makes them.
 *
 * @param {object} module namespace object of the variant
 * @param {PreparedCorpus} corpus
 * @returns {Promise<{ ObjectId: any, ids: any[] }>}
 * @throws {UsageError} when a document has no ObjectId there, or one of another class
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
 * The hex texts of a corpus's ids as flat, separate strings, so that ids that store or cache text
 * do not share them.
 *
 * @param {object} module namespace object of the variant
 * @param {PreparedCorpus} corpus
 * @returns {Promise<{ ObjectId: any, texts: string[] }>}
 */
export async function readHexTexts(module, corpus) {
  const { ObjectId, ids } = await readObjectIds(module, corpus);
  return { ObjectId, texts: ids.map(copyHexText) };
}

/**
 * @param {any} id
 * @returns {string}
 */
export function copyHexText(id) {
  return Buffer.from(id.toHexString()).toString('latin1');
}
