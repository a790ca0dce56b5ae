/** Every file that Assay reads, damaged: it is read or refused, and nothing else happens to it. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { FORMATS } from '../../formats/registry.js';
import { seedGenerator } from '../../stats/random.js';
import { describeMore, isLong } from '../support/gates.js';
import { damageBytes } from './damage.js';
import { DIRECTORIES } from './files.js';
import { FILE_FORMATS, tryDamaged, tryFile } from './fuzz.js';

/** Damages of each file. */
const COUNTS = isLong ? { quick: 25, slow: 5 } : { quick: 4, slow: 1 };
/** Formats that Assay writes for others and never reads. */
const NEVER_READ = ['bisection', 'replay-result'];
/** Formats of messages that no file holds; `harness/studies/fleet/fleet.test.js` damages them. */
const MESSAGES = ['fleet-block', 'fleet-message', 'fleet-run'];

test('every format of the registry that is read is damaged', () => {
  const damaged = DIRECTORIES.flatMap(({ kinds = [] }) => kinds);
  expect([...damaged, ...NEVER_READ, ...MESSAGES].sort()).toEqual(Object.keys(FORMATS).sort());
});

describeMore.each(FILE_FORMATS)('$name', (format) => {
  const { files, isSlow } = format.directory;

  test('is read when it is whole', async () => {
    for (const sample of files[format.path] ?? []) {
      const attempt = await tryFile(format, (path) => writeFileSync(path, sample));
      expect(attempt).toEqual({ outcome: 'accepted', problem: null });
    }
  });

  test('is read or refused with a remedy when it is damaged', async () => {
    const count = isSlow === true ? COUNTS.slow : COUNTS.quick;
    for (let seed = 1; seed <= count; seed++) {
      const { problem } = await tryDamaged(format, seed);
      expect({ seed, problem }).toEqual({ seed, problem: null });
    }
  });

  test.each([
    ['empty', (/** @type {string} */ path) => writeFileSync(path, '')],
    ['a directory', (/** @type {string} */ path) => mkdirSync(path)],
  ])('is read or refused with a remedy when it is %s', async (_, place) => {
    const { problem } = await tryFile(format, place);
    expect(problem).toBeNull();
  });
});

test('equal seeds give equal damage', () => {
  const bytes = Buffer.from('{"a":[1,2,{"b":"text"}]}');
  const texts = [1, 2, 3, 4, 1, 2, 3, 4].map((seed) =>
    damageBytes(bytes, seedGenerator(seed)).toString('latin1'),
  );
  expect(texts.slice(4)).toEqual(texts.slice(0, 4));
  expect(new Set(texts).size).toBeGreaterThan(2);
});
