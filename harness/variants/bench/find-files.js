import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { STAND_INS, findUnit, listTree } from './tree.js';

const SOURCE = /\.[cm]?[jt]sx?$/;
const MAX_BYTES = 1_000_000;
const IMPORT = new RegExp(`(?:from|import|require\\()\\s*\\(?['"](${STAND_INS.join('|')})['"]`);

/**
 * @param {string} top absolute path of a tree
 * @param {string} under a folder of it, or empty
 * @returns {{ file: string, uses: string | null }[]} files that import a package which stand-ins take the place of, and
 *   other sources that are named as benchmarks, without a package; paths are relative to the tree
 */
export function findBenchmarks(top, under) {
  return listTree(top, under)
    .files.filter(([path, bytes]) => SOURCE.test(path) && bytes <= MAX_BYTES)
    .flatMap(([path]) => {
      const [, uses] = IMPORT.exec(readFileSync(join(top, path), 'utf8')) ?? [];
      const isNamed = /(^|[.-])(bench|benchmarks?|perf)([.-]|$)/i.test(basename(path));
      const isWanted =
        uses === 'vitest' ? isNamed : uses !== undefined || (isNamed && findUnit(path));
      return isWanted ? [{ file: path, uses: uses ?? null }] : [];
    })
    .sort((a, b) => (a.file < b.file ? -1 : 1));
}
