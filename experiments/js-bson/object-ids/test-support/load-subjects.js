import { readdir } from 'node:fs/promises';
import { composeVariant } from '../../compose.js';
import * as linkedList from '../../variants/linked-list.js';

const FOLDER = new URL('..', import.meta.url);
const CACHES = ['hex-string', 'buffer'];

/**
 * Codecs with every class of ObjectIds in the folder, without and with each of its caches.
 * @returns {Promise<[label: string, codec: any][]>}
 */
export async function loadSubjects() {
  const files = (await readdir(FOLDER)).filter(isClassFile).sort();
  /** @type {[string, any][]} */
  const subjects = [];
  // One after the other: jest does not link modules that are imported at the same time.
  for (const file of files) {
    const name = file.slice(0, -'.js'.length);
    subjects.push([name, await composeVariant(linkedList, { 'object-id': name })]);
    for (const cache of CACHES) {
      const codec = await composeVariant(linkedList, { 'object-id': name, cache }).catch(
        ignoreUsage,
      );
      if (codec !== null) subjects.push([`${name}, cache=${cache}`, codec]);
    }
  }
  return subjects;
}

/** @type {(file: string) => boolean} */
function isClassFile(file) {
  return file.endsWith('.js') && !file.endsWith('.test.js');
}

/** @type {(error: Error) => null} if the class has no such cache */
function ignoreUsage(error) {
  if (error.name === 'UsageError') return null;
  throw error;
}
