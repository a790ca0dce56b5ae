import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of the cache with the families of benchmark files. */
export const BENCHES = 'benches';

/** @param {{ cachePath: string }} places @returns {{ name: string, path: string }[]} families that were generated here */
export function listBenchFolders({ cachePath }) {
  const path = join(cachePath, BENCHES);
  if (!existsSync(path)) return [];
  const names = readdirSync(path).filter((name) => existsSync(join(path, name, 'family.js')));
  return names.map((name) => ({ name, path: join(path, name) }));
}
