import { FormatError } from '../../lib/errors.js';

/**
 * @param {unknown} json a parsed value, or its text
 * @param {string} what it should be: `a V8 CPU profile`
 * @param {string} remedy
 * @returns {Record<string, unknown>}
 * @throws {FormatError} when the text is not JSON or the value not an object
 */
export function readJson(json, what, remedy) {
  let value = json;
  if (typeof json === 'string') {
    try {
      value = JSON.parse(json);
    } catch (cause) {
      throw new FormatError(`${what} must be JSON: ${/** @type {Error} */ (cause).message}`, {
        cause,
        remedy,
      });
    }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new FormatError(`${what} must be a JSON object`, { remedy });
  }
  return /** @type {Record<string, unknown>} */ (value);
}
