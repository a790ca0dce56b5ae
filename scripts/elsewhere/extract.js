/** Which documents of a package a corpus consists of, by rules that are data. */

import { readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { serialize } from 'bson';
import { FormatError } from '../../harness/lib/errors.js';
import { parseJson } from '../../harness/lib/files.js';
import { isRecord } from '../../harness/lib/records.js';

/**
 * A corpus that is made of files of a package.
 * @typedef {object} Source
 * @property {string} name of the corpus
 * @property {string} package `NAME@VERSION`
 * @property {string} files of the package, relative to it; `*` is any part of a name, `**` any folders
 * @property {string[]} path from the root of a file to its documents, by key; `*` is every key or item
 */

/** A corpus has at most so many documents, and bytes of BSON. */
const MAX_DOCUMENTS = 400;
const MAX_BYTES = 4_000_000;

/**
 * @param {string} folder of the unpacked package
 * @param {Pick<Source, 'files' | 'path'>} source
 * @returns {Uint8Array[]} BSON: of all documents every n-th, where n is the least that keeps the limits
 * @throws {FormatError} when the rules find nothing, or a file is not JSON
 */
export function extractDocuments(folder, { files, path }) {
  const pattern = compilePattern(files);
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => pattern.test(file))
    .sort();
  const documents = paths.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const found = selectValues(parseJson(text, file, 'the package may be damaged'), path);
    return found.filter(isRecord).map((document) => serialize(document));
  });
  if (documents.length > 0) return thinOut(documents);
  throw new FormatError(`'${files}' has no object at '${path.join('.')}' in ${folder}`, {
    remedy: 'Correct the rule.',
  });
}

/** @param {string} files */
function compilePattern(files) {
  const escaped = files.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
  const expression = escaped.replaceAll(/\*\*\/|\*/g, (star) =>
    star === '*' ? '[^/]*' : '(?:.*/)?',
  );
  return new RegExp(`^${expression}$`);
}

/** @type {(value: any, path: string[]) => unknown[]} */
function selectValues(value, [step, ...rest]) {
  if (step === undefined) return [value];
  if (typeof value !== 'object' || value === null) return [];
  if (step === '*') return Object.values(value).flatMap((item) => selectValues(item, rest));
  return Object.hasOwn(value, step) ? selectValues(value[step], rest) : [];
}

/** @param {Uint8Array[]} documents */
function thinOut(documents) {
  for (let step = 1; ; step++) {
    const kept = documents.filter((_, index) => index % step === 0);
    const sizeBytes = kept.reduce((sum, { length }) => sum + length, 0);
    if (kept.length === 1 || (kept.length <= MAX_DOCUMENTS && sizeBytes <= MAX_BYTES)) return kept;
  }
}
