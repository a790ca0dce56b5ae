import { UsageError } from '../errors.js';

/** @import { VariantSpec } from '../types.ts' */

const BUILT_IN = /^(?:([a-z][a-z0-9-]*):)?([a-z0-9][a-z0-9.-]*)$/;
const NPM = /^((?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*)@(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)$/;

const SETTING = /^([a-z][a-z0-9-]*)=([A-Za-z0-9][\w.-]*)$/;

const FORMS = "a built-in name (see 'just variants'), npm:PACKAGE@1.2.3 or path:DIRECTORY";

/**
 * Reads a variant spec: `generator`, `js-bson:generator`, `linked-list+object-id=packed`,
 * `npm:bson@7.2.0`, `path:../js-bson`. Nothing is looked up.
 *
 * @param {string} text
 * @returns {VariantSpec}
 * @throws {UsageError} when it has none of the forms
 */
export function parseVariantSpec(text) {
  if (text.startsWith('npm:')) return parseNpm(text);
  if (text.startsWith('path:')) return parsePath(text);
  const [base, ...settings] = text.split('+');
  const match = BUILT_IN.exec(base);
  if (match === null) {
    throw new UsageError(`'${text}' is not a variant`, { remedy: `a variant is ${FORMS}` });
  }
  return {
    kind: 'built-in',
    text,
    family: match[1] ?? null,
    name: match[2],
    settings: parseSettings(text, settings),
  };
}

/**
 * @param {string} text
 * @param {string[]} parts `object-id=packed`
 * @returns {Record<string, string>}
 */
function parseSettings(text, parts) {
  /** @type {Record<string, string>} */
  const settings = {};
  for (const part of parts) {
    const match = SETTING.exec(part);
    if (match === null || Object.hasOwn(settings, match[1])) {
      throw new UsageError(`'${text}' sets '${part}', which is no AXIS=VALUE or comes twice`, {
        remedy: 'write for example linked-list+object-id=packed',
      });
    }
    settings[match[1]] = match[2];
  }
  return settings;
}

/**
 * @param {string} text
 * @returns {VariantSpec}
 */
function parseNpm(text) {
  const match = NPM.exec(text.slice('npm:'.length));
  if (match === null) {
    throw new UsageError(`'${text}' does not name one exact version of a package`, {
      remedy:
        'write npm:PACKAGE@1.2.3; a range or a tag means something else tomorrow (npm view PACKAGE version prints the newest)',
    });
  }
  return { kind: 'npm', text, packageName: match[1], version: match[2] };
}

/**
 * @param {string} text
 * @returns {VariantSpec}
 */
function parsePath(text) {
  const path = text.slice('path:'.length);
  if (path === '') {
    throw new UsageError(`'${text}' names no directory`, {
      remedy: 'write path:../js-bson for a built checkout, or path:./codec.js for a module',
    });
  }
  return { kind: 'path', text, path };
}
