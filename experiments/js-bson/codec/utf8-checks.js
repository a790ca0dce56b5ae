import { BSONError } from './values.js';

/**
 * Reads the form of `validation.utf8` that names keys: `{ a: true, b: true }` checks only these,
 * `{ a: false }` all but these.
 * @type {(utf8: any) => { validate: boolean, keys: Set<unknown> }}
 * @throws {BSONError} if the values are not all true or all false
 */
export function readUtf8Checks(utf8) {
  const keys = Object.keys(utf8);
  if (keys.length === 0) {
    throw new BSONError('validation.utf8 names no key: give true, false or at least one key');
  }
  const validate = utf8[keys[0]];
  if (typeof validate !== 'boolean') {
    throw new BSONError(`validation.utf8 takes booleans, found ${typeof validate}`);
  }
  for (const key of keys) {
    if (utf8[key] !== validate) {
      throw new BSONError(`validation.utf8 takes all true or all false, '${key}' differs`);
    }
  }
  return { validate, keys: new Set(keys) };
}
