import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../../lib/make-directory.js';

/** @import { FuzzFailure } from '../../formats/types.ts' */

/**
 * Keeps a document that was found, for tests and later runs. The same document has the same file.
 *
 * @param {FuzzFailure} failure
 * @param {{ directory: string, spec: string, reference: string, seed: number }} origin
 * @returns {string} path of the file
 */
export function writeCase(failure, { directory, spec, reference, seed }) {
  const { hex, options, writeOptions, expected, found, kind, document } = failure;
  const content = {
    hex,
    options,
    writeOptions,
    expected: `${reference}: ${expected}`,
    note: `${kind}: ${spec} came to '${found}' (seed ${seed}, document ${document})`,
  };
  const identity = JSON.stringify([hex, options, writeOptions]);
  const digest = createHash('sha256').update(identity).digest('hex').slice(0, 8);
  const path = join(directory, `${kind}-${digest}.json`);
  makeDirectory(directory, 'name another directory with --corpus-dir');
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`);
  return path;
}
