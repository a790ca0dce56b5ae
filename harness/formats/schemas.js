/** Checks what is read or received against the schemas generated from the types (`schemas.json`). */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { FormatError } from '../lib/errors.js';
import { parseJson, readText } from '../lib/files.js';
import { describeProblems, showValue } from './describe-problems.js';
import { FORMATS } from './registry.js';

/** @import { ValidateFunction } from 'ajv/dist/2020.js' */
/** @import { FormatKind, Formats } from './types.ts' */

const SCHEMAS_URL = new URL('./schemas.json', import.meta.url);
const REMEDY = 'restore the document as it was written';

/**
 * Refuses a value that is not of the named format.
 *
 * @param {FormatKind} kind
 * @param {unknown} value parsed JSON
 * @param {string} [subject] how a message names the value: a file name, a line
 * @param {string} [remedy] for a value that does not fit
 * @throws {FormatError} naming both format versions if these differ, otherwise the first few
 *   places that do not fit
 */
export function validate(kind, value, subject = FORMATS[kind].subject, remedy = REMEDY) {
  const { version } = FORMATS[kind];
  checkFormatVersion(value, version, subject);
  const problem = findProblem(kind, value);
  if (problem === null) return;
  const format = version === null ? 'its format' : `format ${version}`;
  throw new FormatError(`${subject} is not of ${format}: ${problem}`, { remedy });
}

/**
 * Reads a JSON file of a format.
 *
 * @template {FormatKind} K
 * @param {string} file absolute path
 * @param {K} kind
 * @param {string} remedy for a broken file
 * @returns {Formats[K]}
 * @throws {FormatError} when the file cannot be read, is broken or of another format version
 */
export function readDocument(file, kind, remedy) {
  const value = parseJson(readText(file, `'${file}'`, remedy), `'${file}'`, remedy);
  validate(kind, value, `'${file}'`, remedy);
  return /** @type {Formats[K]} */ (value);
}

/**
 * @param {FormatKind} kind
 * @param {unknown} value parsed JSON
 * @returns {string | null} what is wrong with a value of that format: `question.seed is missing`
 */
export function findProblem(kind, value) {
  const check = findCheck(kind);
  return check(value) ? null : describeProblems(check.errors ?? [], value);
}

/**
 * @template {FormatKind} K
 * @param {K} kind
 * @param {unknown} value parsed JSON
 * @returns {value is Formats[K]}
 */
export function isOfFormat(kind, value) {
  return findCheck(kind)(value);
}

/**
 * @param {unknown} value
 * @param {number | null} version
 * @param {string} subject
 */
function checkFormatVersion(value, version, subject) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new FormatError(`${subject} is not a JSON object but ${showValue(value)}`, {
      remedy: REMEDY,
    });
  }
  if (version === null) return;
  if (!('formatVersion' in value)) {
    throw new FormatError(
      `${subject} names no format version, this Assay reads format ${version}`,
      { remedy: 'give a document that Assay wrote' },
    );
  }
  if (value.formatVersion !== version) {
    const found = showValue(value.formatVersion);
    throw new FormatError(`${subject} has format ${found}, this Assay reads format ${version}`, {
      remedy: 'use the version that wrote it',
    });
  }
}

/** @type {Map<boolean, import('ajv/dist/2020.js').Ajv2020>} */
const validators = new Map();

/** @type {(kind: FormatKind) => ValidateFunction} */
function findCheck(kind) {
  // What another program sends may be hostile: listing all problems of a megabyte takes hours, the first one none.
  const allErrors = FORMATS[kind].stored !== 'message';
  // Loading a validator takes longer than `--help` may, so it waits for the first value.
  const ajv = validators.get(allErrors) ?? loadSchemas(allErrors);
  validators.set(allErrors, ajv);
  const check = ajv.getSchema(`schemas.json#/$defs/Formats/properties/${kind}`);
  if (check === undefined) throw new Error(`no schema '${kind}'`);
  return check;
}

/** @type {(allErrors: boolean) => import('ajv/dist/2020.js').Ajv2020} */
function loadSchemas(allErrors) {
  const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js');
  const options = { allErrors, allowUnionTypes: true, discriminator: true };
  // Compiling takes longer than all that a command validates, and without these steps half as long.
  const quickly = { inlineRefs: false, code: { optimize: false } };
  const validator = new Ajv2020({ ...options, ...quickly, validateSchema: false });
  return validator.addSchema(JSON.parse(readFileSync(SCHEMAS_URL, 'utf8')), 'schemas.json');
}
