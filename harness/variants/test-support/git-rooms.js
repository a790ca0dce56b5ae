import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseVariantSpec } from '../spec.js';
import { resolveGit } from '../resolve.js';
import { makeRepository } from './make-repository.js';

/**
 * Makes rooms below a directory: each has an empty repository and a cache of its own.
 *
 * @param {string} path absolute
 * @returns {(name?: string) => { repository: ReturnType<typeof makeRepository>, workingPath: string }}
 *   takes the name of the repository's directory
 */
export function openRooms(path) {
  let count = 0;
  return (name = 'codec') => {
    const workingPath = join(path, String((count += 1)));
    return { repository: makeRepository(join(workingPath, name)), workingPath };
  };
}

/**
 * Resolves a spec of git with a cache in the working directory.
 *
 * @param {string} spec
 * @param {string} workingPath
 * @param {Partial<import('../build-checkout.js').BuildContext>} [more]
 */
export function resolveGitSpec(spec, workingPath, more = {}) {
  const parsed = parseVariantSpec(spec);
  if (parsed.kind !== 'git') throw new Error(`${spec} is not of git`);
  return resolveGit(parsed, { workingPath, cachePath: join(workingPath, 'cache'), ...more });
}

/**
 * @param {{ modulePath: string }} variant
 * @returns {Promise<string>} what its module exports as `text`
 */
export async function loadText({ modulePath }) {
  return (await import(pathToFileURL(modulePath).href)).text;
}
