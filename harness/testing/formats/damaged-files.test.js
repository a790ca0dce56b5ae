/** Every file that Assay reads, damaged: it is read or refused, and nothing else happens to it. */

import { mkdirSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { FORMATS } from '../../formats/registry.js';
import { describeMore, isLong, testLong } from '../support/gates.js';
import { DIRECTORIES } from './files.js';
import { FILE_FORMATS, tryFile, withstandsDamage } from './fuzz.js';

/** Damages of each file. */
const COUNTS = isLong ? { quick: 25, slow: 5 } : { quick: 2, slow: 1 };
const SEED = 1;
/** Formats that Assay writes for others and never reads. */
const NEVER_READ = ['bisection', 'following', 'replay-result', 'watch-line'];
/** Formats of messages that no file holds; `harness/studies/fleet/fleet.test.js` damages them. */
const MESSAGES = ['fleet-block', 'fleet-message', 'fleet-run', 'fleet-sign'];

test('every format of the registry that is read is damaged', () => {
  const damaged = DIRECTORIES.flatMap(({ kinds = [] }) => kinds);
  expect([...damaged, ...NEVER_READ, ...MESSAGES].sort()).toEqual(Object.keys(FORMATS).sort());
});

describeMore.each(FILE_FORMATS)('$name', (format) => {
  const { files, isSlow } = format.directory;

  const first = FILE_FORMATS.find(({ directory }) => directory === format.directory);
  // The other files of the directory are the same.
  const testWhole = isSlow === true && format !== first ? testLong : test;
  testWhole('is read when it is whole', async () => {
    for (const sample of files[format.path] ?? []) {
      const attempt = await tryFile(format, (path) => writeFileSync(path, sample));
      expect(attempt).toEqual({ outcome: 'accepted', problem: null });
    }
  });

  test('is read or refused with a remedy when it is damaged', async () => {
    const numRuns = isSlow === true ? COUNTS.slow : COUNTS.quick;
    await fc.assert(withstandsDamage(format), { seed: SEED, numRuns });
  });

  const testPlace = isSlow === true ? testLong : test;
  testPlace.each([
    ['empty', (/** @type {string} */ path) => writeFileSync(path, '')],
    ['a directory', (/** @type {string} */ path) => mkdirSync(path)],
  ])('is read or refused with a remedy when it is %s', async (_, place) => {
    const { problem } = await tryFile(format, place);
    expect(problem).toBeNull();
  });
});
