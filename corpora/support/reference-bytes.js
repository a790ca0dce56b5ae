import * as bson from 'bson';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../harness/lib/errors.js';
import { makeCacheDirectory } from '../../harness/lib/files.js';
import { streamDocuments } from './materialize.js';
import { ensureSealedFile } from './store.js';

/** @import { PreparedCorpus } from '../../harness/formats/types.ts' */

/**
 * Writes what the reference makes of the very objects that a job will hold. They are filed under
 * the version of the reference, whose bytes they are.
 *
 * @param {PreparedCorpus} prepared all but `files.bytes`
 * @param {string} storeFolder
 * @returns {string} path of the file: concatenated BSON
 * @throws {UsageError} when a document cannot come to be the way its provenance says
 */
export function storeReferenceBytes(prepared, storeFolder) {
  const folder = join(storeFolder, `bson-${readReferenceVersion()}`);
  makeCacheDirectory(folder);
  const path = join(folder, `${prepared.provenance}.bson`);
  ensureSealedFile(path, () => encodeMaterialized(prepared));
  return path;
}

/**
 * @param {PreparedCorpus} prepared
 * @returns {Generator<Uint8Array>}
 */
function* encodeMaterialized(prepared) {
  let index = 0;
  try {
    for (const document of streamDocuments(bson, prepared)) {
      yield bson.serialize(document);
      index++;
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(
      `document ${index + 1} of corpus '${prepared.name}' cannot be made as ` +
        `'${prepared.provenance}': ${reason}`,
      { remedy: `Choose another provenance: NAME@PROVENANCE.`, cause },
    );
  }
}

/** @returns {string} the exact version that Assay's own package.json pins */
function readReferenceVersion() {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return JSON.parse(manifest).dependencies.bson;
}
