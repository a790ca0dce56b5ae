import { FormatError } from '../../lib/errors.js';

/**
 * @param {unknown} json a parsed value, or its text
 * @param {string} what it claims to be: `a V8 CPU profile`
 * @param {string} remedy
 * @returns {Record<string, unknown>}
 * @throws {FormatError} when the text is no JSON or the value no object
 */
export function readJson(json, what, remedy) {
  let value = json;
  if (typeof json === 'string') {
    try {
      value = JSON.parse(json);
    } catch (cause) {
      throw new FormatError(`${what} that is not JSON: ${/** @type {Error} */ (cause).message}`, {
        cause,
        remedy,
      });
    }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new FormatError(`${what} is a JSON object; this is not`, { remedy });
  }
  return /** @type {Record<string, unknown>} */ (value);
}
