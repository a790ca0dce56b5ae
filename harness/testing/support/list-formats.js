import { readdirSync } from 'node:fs';

/** @import { FileFormat } from './formats/types.ts' */

const FOLDER_URL = new URL('./formats/', import.meta.url);

/**
 * Every format that is fuzzed: what the modules in `formats/` export. Used by tests only.
 *
 * @returns {Promise<FileFormat[]>} by module, then in its order
 */
export async function listFormats() {
  const names = readdirSync(FOLDER_URL).filter((name) => name.endsWith('.js'));
  const formats = [];
  // One after the other: jest links modules that are imported at once in the wrong order.
  for (const name of names.sort()) {
    const module = await import(new URL(name, FOLDER_URL).href);
    formats.push(...module.formats);
  }
  return formats;
}
