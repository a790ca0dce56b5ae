/**
 * The error of Node's own URL.
 *
 * @param {string} input
 * @returns {TypeError & { code: string, input: string }}
 */
export function makeInvalidUrlError(input) {
  return Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL', input });
}
