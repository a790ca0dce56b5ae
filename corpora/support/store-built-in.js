import { countOf } from '../../harness/lib/numbers.js';
import { serialize } from 'bson';
import { createHash } from 'node:crypto';
import { FormatError, UsageError } from '../../harness/lib/errors.js';
import { ensureSealedFile } from './sealed-file.js';
import { DERIVED_TEXT, openStoreFolder } from './store.js';

/** @import { Corpus } from '../../harness/formats/types.ts' */
/** @import { CorpusModule } from './registry.js' */
/** @import { StoredPaths } from './store.js' */

/** Of the canonical BSON of one corpus: 4 GiB. */
const MAX_STORED_BYTES = 4 * 2 ** 30;

/**
 * Generates a built-in corpus on disk, one document at a time, unless it is there and whole.
 *
 * Only the default number of documents has a pinned digest. Any other number is held to the pin as
 * far as both go, and its own digest is the seal of its file.
 *
 * @param {{ module: CorpusModule, corpus: Corpus }} found
 * @param {number | null} count of documents; null for the default
 * @param {string} directory of all corpora
 * @returns {{ digest: string, paths: StoredPaths }} `digest` is `sha256:…` of the canonical BSON
 * @throws {FormatError} when the documents are not those that were pinned
 * @throws {UsageError} when there are too many
 */
export function storeBuiltIn({ module, corpus }, count, directory) {
  const isDefault = count === null || count === corpus.defaultCount;
  const key = isDefault ? corpus.digest : `${corpus.digest}, ${count} documents`;
  const paths = openStoreFolder(directory, key, DERIVED_TEXT);
  const hex = ensureSealedFile(paths.canonical, () =>
    encodeDocuments(corpus, count ?? corpus.defaultCount, module.path),
  );
  return { digest: `sha256:${hex}`, paths };
}

/**
 * Generates up to the pinned number in any case, since fewer could not be held to the pin.
 *
 * @param {Corpus} corpus
 * @param {number | undefined} count of documents to yield; all where the corpus takes no count
 * @param {string} path of its file
 * @returns {Generator<Uint8Array>}
 */
function* encodeDocuments(corpus, count = Infinity, path) {
  const { name, defaultCount: pinnedCount = Infinity } = corpus;
  const hash = createHash('sha256');
  let index = 0;
  let sizeBytes = 0;
  for (const document of generateAtLeast(corpus, count)) {
    const bytes = serialize(document);
    if (index < pinnedCount) hash.update(bytes);
    if (index < count) {
      sizeBytes += bytes.length;
      if (sizeBytes > MAX_STORED_BYTES) throw tooLarge(name, index);
      yield bytes;
    }
    index++;
    if (index === pinnedCount) requirePinned(hash.copy().digest('hex'), corpus, path);
  }
  if (pinnedCount === Infinity) requirePinned(hash.digest('hex'), corpus, path);
  else if (index < count) {
    throw new FormatError(`corpus '${name}' ends after ${index} of ${countOf(count, 'document')}`, {
      remedy: `Let documents() in ${path} yield as many as it is asked for.`,
    });
  }
}

/**
 * @param {Corpus} corpus
 * @param {number} count Infinity where it takes none
 */
function generateAtLeast({ documents, defaultCount }, count) {
  return defaultCount === undefined ? documents() : documents(Math.max(count, defaultCount));
}

/**
 * @param {string} hex
 * @param {Corpus} corpus
 * @param {string} path
 */
function requirePinned(hex, { name, digest: pinned }, path) {
  const digest = `sha256:${hex}`;
  if (digest === pinned) return;
  throw new FormatError(
    `corpus '${name}' generates ${digest}, but its pinned digest is '${pinned}'`,
    {
      remedy:
        'Other documents give results that do not compare with earlier ones. ' +
        `If the change is meant, pin the new digest in ${path}.`,
    },
  );
}

/**
 * @param {string} name
 * @param {number} index
 */
function tooLarge(name, index) {
  return new UsageError(
    `corpus '${name}' reaches the limit of ${MAX_STORED_BYTES} bytes after ${countOf(index, 'document')}`,
    { remedy: `Ask for fewer: ${name}:${index}.` },
  );
}
