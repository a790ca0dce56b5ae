import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { removeLeft } from './temporary.js';

/**
 * Makes a temporary directory that is removed after all tests of the file, or of the `describe` that calls it.
 * @type {(name: string) => string} absolute path
 */
export function makeTestDirectory(name) {
  const path = mkdtempSync(join(tmpdir(), `assay-${name}-`));
  afterAll(() => removeLeft(path));
  return path;
}

/**
 * Writes files, and the folders that they are in.
 *
 * @param {string} directory
 * @param {Record<string, string | object>} files contents by path within the directory; objects are written as JSON
 */
export function writeFiles(directory, files) {
  for (const [name, content] of Object.entries(files)) {
    const file = join(directory, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
}
