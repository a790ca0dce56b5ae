/** Checks what crosses a border against the published JSON Schemas in `schemas/`. */

import { readdirSync, readFileSync } from 'node:fs';
import { FormatError } from '../lib/errors.js';
import { FORMAT_VERSION } from './format-version.js';
import { FORMATS } from './registry.js';
import { describeProblems, showValue } from './schemas/describe-problems.js';

/** @import { ValidateFunction } from 'ajv/dist/2020.js' */
/** @import { FormatKind } from './registry.js' */

const SCHEMAS_URL = new URL('./schemas/', import.meta.url);
const REMEDY = 'restore the document as it was written';

/** @type {Promise<(kind: FormatKind) => ValidateFunction> | undefined} */
let compiling;

/**
 * Refuses a value that is not a document of the named format.
 *
 * @param {FormatKind} kind
 * @param {unknown} value parsed JSON
 * @param {string} [subject] how a message names the document: a file name, a line
 * @returns {Promise<void>}
 * @throws {FormatError} naming both format versions where these differ, otherwise the first few
 *   places that do not fit
 */
export async function validate(kind, value, subject = FORMATS[kind].subject) {
  checkFormatVersion(value, subject);
  // Loading and compiling takes longer than `--help` may, so it waits for the first document.
  compiling ??= compileSchemas();
  const check = (await compiling)(kind);
  if (check(value)) return;
  const problems = describeProblems(check.errors ?? [], value);
  throw new FormatError(`${subject} is not of format ${FORMAT_VERSION}: ${problems}`, {
    remedy: REMEDY,
  });
}

/**
 * @param {unknown} value
 * @param {string} subject
 */
function checkFormatVersion(value, subject) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new FormatError(`${subject} is not a JSON object but ${showValue(value)}`, {
      remedy: REMEDY,
    });
  }
  if (!('formatVersion' in value)) {
    throw new FormatError(
      `${subject} names no format version, this Assay reads format ${FORMAT_VERSION}`,
      { remedy: 'give a document that Assay wrote' },
    );
  }
  if (value.formatVersion !== FORMAT_VERSION) {
    const found = showValue(value.formatVersion);
    throw new FormatError(
      `${subject} has format ${found}, this Assay reads format ${FORMAT_VERSION}`,
      { remedy: 'use the version that wrote it' },
    );
  }
}

/**
 * @returns {Promise<(kind: FormatKind) => ValidateFunction>}
 */
async function compileSchemas() {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, discriminator: true });
  for (const fileName of readdirSync(SCHEMAS_URL)) {
    if (!fileName.endsWith('.schema.json')) continue;
    ajv.addSchema(JSON.parse(readFileSync(new URL(fileName, SCHEMAS_URL), 'utf8')));
  }
  return function findCheck(kind) {
    const check = ajv.getSchema(`urn:assay:schema:${kind}:${FORMAT_VERSION}`);
    if (check === undefined) throw new Error(`no schema '${kind}'`);
    return check;
  };
}
