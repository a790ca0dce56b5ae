import { UsageError } from '../../../../harness/lib/errors.js';

/**
 * The functions and classes that an operation calls.
 *
 * @param {object} module namespace object of the variant
 * @param {string[]} names
 * @returns {any} an object with these exports
 * @throws {UsageError} when the variant lacks one
 */
export function takeExports(module, names) {
  const taken = names.map((name) => [name, Reflect.get(module, name)]);
  const missing = taken.filter(([, value]) => typeof value !== 'function').map(([name]) => name);
  if (missing.length > 0) {
    throw new UsageError(`the variant exports no ${missing.join(' and no ')}`, {
      remedy: 'choose another operation or another variant',
    });
  }
  return Object.fromEntries(taken);
}
