import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { FormatError, UsageError } from '../../harness/lib/errors.js';
import { makeCacheDirectory, writeAtomic } from '../../harness/lib/files.js';
import { PROGRAM } from '../../harness/lib/program.js';
import { didYouMean } from '../../harness/lib/words.js';
import { NAME_PATTERN } from './label.js';
import { findDefined, listImportedNames, makeRecord, readRecord, recordPath } from './registry.js';
import { openStoreFolder } from './store.js';
import { storeUserContent, storeUserFile } from './user-file.js';

/** @import { ImportRecord } from '../../harness/formats/types.ts' */

const MAX_NAME_LENGTH = 64;

/**
 * @typedef {object} ImportResult
 * @property {string} name
 * @property {string} format for messages
 * @property {number} documentCount
 * @property {number} sizeBytes of the canonical BSON
 * @property {string} digest `sha256:…` of the canonical BSON
 * @property {string[]} notes sentences about what was not taken as it is
 * @property {boolean} isUnchanged whether there was a corpus of this name with the same documents
 */

/**
 * @typedef {object} HowToImport
 * @property {string} directory absolute path of the folder for corpora
 * @property {boolean} [replace] allows replacing an earlier import
 * @property {boolean} [isStrict] refuses documents that change when the reference reads and writes them
 * @property {Buffer} [content] instead of that of the file, which is then a name for messages
 */

/**
 * Imports the user's documents as a corpus. Detects the format from the content; see `storeUserContent`.
 * @param {string} name of the new corpus
 * @param {string} file path
 * @param {HowToImport} how
 * @returns {Promise<ImportResult>}
 * @throws {UsageError} when the name or the file is not valid, or the name that of other documents
 * @throws {FormatError} when a document is corrupt, with its position
 */
export async function importCorpus(
  name,
  file,
  { directory, replace = false, isStrict = false, content },
) {
  await checkName(name, directory);
  const isTaken = listImportedNames({ directory }).includes(name);
  const earlier = findReadable(name, directory);
  let isUnchanged = false;
  const how = {
    isStrict,
    /** @param {{ digest: string, textDigest: string }} digests */
    accept({ digest, textDigest }) {
      isUnchanged = earlier?.digest === digest && earlier.textDigest === textDigest;
      if (!isTaken || replace || isUnchanged) return;
      throw new UsageError(`an imported corpus '${name}' already exists, with other documents`, {
        remedy: 'Choose another name, or use --replace to replace its documents.',
      });
    },
  };
  const { format, ...stored } =
    content === undefined
      ? storeUserFile(file, directory, how)
      : storeUserContent(file, content, directory, how);
  const record = makeRecord(name, `imported from ${basename(file)} (${format})`, stored);
  makeCacheDirectory(join(directory, 'imported'));
  writeAtomic(recordPath(directory, name), `${JSON.stringify(record, null, 2)}\n`);
  return { name, format, ...stored, isUnchanged };
}

/**
 * Removes an imported corpus, and its documents unless another one has the same.
 * @param {string} name
 * @param {{ directory: string }} place absolute path of the folder for corpora
 * @throws {UsageError} when none of this name was imported
 */
export function removeCorpus(name, { directory }) {
  const names = listImportedNames({ directory });
  if (!names.includes(name)) {
    throw new UsageError(`no corpus '${name}' was imported${didYouMean(name, names)}`, {
      remedy: `Only imported corpora can be removed; '${PROGRAM} corpora' lists them last.`,
    });
  }
  const removed = findReadable(name, directory);
  rmSync(recordPath(directory, name));
  if (removed === null) return;
  const { digest, textDigest } = removed;
  const others = listImportedNames({ directory }).map((other) => findReadable(other, directory));
  if (others.some((other) => other?.digest === digest && other.textDigest === textDigest)) return;
  rmSync(openStoreFolder(directory, digest, textDigest).folder, { recursive: true });
}

/** @type {(name: string, directory: string) => ImportRecord | null} null if there is none, or a broken one */
function findReadable(name, directory) {
  if (!listImportedNames({ directory }).includes(name)) return null;
  try {
    return readRecord(directory, name);
  } catch (error) {
    if (error instanceof FormatError) return null;
    throw error;
  }
}

/** @param {string} name @param {string} directory */
async function checkName(name, directory) {
  if (!NAME_PATTERN.test(name) || name.length > MAX_NAME_LENGTH) {
    throw new UsageError(`'${name}' is not a valid name of a corpus`, {
      remedy: `Use lower-case letters, digits and single hyphens, at most ${MAX_NAME_LENGTH}: my-orders.`,
    });
  }
  const defined = await findDefined(name, { directory });
  if (defined !== null) {
    const { isBuiltIn, path } = defined.module;
    const owner = isBuiltIn ? 'a built-in corpus' : `the corpus ${path}`;
    throw new UsageError(`'${name}' is the name of ${owner}`, {
      remedy: `Choose another, for example my-${name}.`,
    });
  }
}
