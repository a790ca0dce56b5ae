import { shortenFile } from '../profiles/shorten-file.js';

/** Parts of the project that run around the measured loop. */
const SURROUNDINGS = /^(?:harness|corpora)\//;

/**
 * @param {string} url of a script
 * @param {string} projectPath absolute
 * @returns {string | null} its short name; null for what is not measured: node's own scripts and
 *   the instrument
 */
export function nameMeasuredFile(url, projectPath) {
  if (url.startsWith('node:')) return null;
  const file = shortenFile(url, projectPath);
  return file === null || SURROUNDINGS.test(file) ? null : file;
}
