/** The only variables that a worker sees. Anything else, NODE_OPTIONS above all, would change what
 * is measured or hand credentials to other people's code. */
const PASSED_VARIABLES = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'TZ', 'SystemRoot'];

/**
 * @param {Record<string, string | undefined>} environment
 * @returns {Record<string, string>} the variables that a process which measures may see
 */
export function pickVariables(environment) {
  /** @type {Record<string, string>} */
  const picked = {};
  for (const name of PASSED_VARIABLES) {
    const value = environment[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}
