import { readFileSync } from 'node:fs';
import TestSequencer from '@jest/test-sequencer';

/** The package's types describe its CommonJS build. @type {typeof TestSequencer.default} */
const Sequencer = /** @type {any} */ (TestSequencer);

const LIMIT = /jest\.setTimeout\(([\d_]+)\)/;

/**
 * Runs test files with the longest time limits first, so that no slow one is left at the end. The order of those with
 * the same limit is jest's, by their last duration or their size.
 */
export default class SlowestFirst extends Sequencer {
  /** @param {Parameters<InstanceType<typeof Sequencer>['sort']>[0]} tests */
  async sort(tests) {
    const limits = new Map(tests.map(({ path }) => [path, readLimit(path)]));
    const limitOf = (/** @type {{ path: string }} */ { path }) => limits.get(path) ?? 0;
    return [...(await super.sort(tests))].sort((a, b) => limitOf(b) - limitOf(a));
  }
}

/** @param {string} path  @returns {number} milliseconds, 0 for the limit of all files */
function readLimit(path) {
  const [, limit = '0'] = LIMIT.exec(readFileSync(path, 'utf8')) ?? [];
  return Number(limit.replaceAll('_', ''));
}
