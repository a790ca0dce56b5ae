import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @import { Recorder } from '../formats/types.ts' */

const folder = new URL('recorders/', import.meta.url);

/**
 * Every recorder that lies in `recorders/`, whether it can work here or not.
 *
 * @returns {Promise<Recorder[]>} by name
 */
export async function listRecorders() {
  const files = readdirSync(fileURLToPath(folder)).filter(
    (file) => file.endsWith('.js') && !file.endsWith('.test.js'),
  );
  /** @type {Recorder[]} */
  const recorders = [];
  // One after the other: several at once confuse the loader of the test runner.
  for (const file of files) {
    const { recorder } = await import(new URL(file, folder).href);
    recorders.push(recorder);
  }
  return recorders.sort((a, b) => (a.name < b.name ? -1 : 1));
}
