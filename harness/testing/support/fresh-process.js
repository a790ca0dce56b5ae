import { execFileSync } from 'node:child_process';

/**
 * Evaluates a module in a process of its own: how V8 keeps objects depends on what ran before.
 *
 * @param {string} script ECMAScript module with the arguments as `process.argv.slice(1)`; it prints one value as JSON
 * @param {string[]} [args]
 * @returns {any} the value
 * @throws {Error} when the process fails, with what it said
 */
export function evaluateFresh(script, args = []) {
  const flags = ['--input-type=module', '--eval', script, ...args];
  return JSON.parse(execFileSync(process.execPath, flags, { encoding: 'utf8', stdio: 'pipe' }));
}
