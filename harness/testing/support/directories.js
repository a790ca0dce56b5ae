import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes a temporary directory that is removed after all tests of the file, or of the `describe` that calls it.
 * @type {(name: string) => string} absolute path
 */
export function makeTestDirectory(name) {
  const path = mkdtempSync(join(tmpdir(), `assay-${name}-`));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
