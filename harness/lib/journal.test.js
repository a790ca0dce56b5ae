import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openJournal } from './journal.js';

/** @import { Journal } from './journal.js' */

let file = '';
/** @type {Journal<{ n: number }>} */
let journal;

beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'assay-journal-')), 'values.ndjson');
  journal = openJournal(file, {
    owner: { name: 'the run', resume: 'resume it' },
    remedy: 'restore the file',
    validate(value, where) {
      if (typeof (/** @type {any} */ (value).n) !== 'number') throw new Error(`${where}: no n`);
    },
  });
});
afterEach(() => rmSync(join(file, '..'), { recursive: true, force: true }));

test('values are read in the order in which they were appended', async () => {
  journal.append({ n: 1 });
  journal.append({ n: 2 }, { n: 3 });
  await expect(journal.read()).resolves.toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test('a journal without a file is empty, and appending nothing creates none', async () => {
  journal.append();
  await expect(journal.read()).resolves.toEqual([]);
  expect(existsSync(file)).toBe(false);
});

test('a partial last line is ignored, and truncated before appending continues', async () => {
  journal.append({ n: 1 });
  appendFileSync(file, '{"n":');
  await expect(journal.read()).resolves.toEqual([{ n: 1 }]);
  journal.truncatePartialLine();
  journal.append({ n: 2 });
  expect(readFileSync(file, 'utf8')).toBe('{"n":1}\n{"n":2}\n');
});

test('a journal is read in pieces, whatever they cut', async () => {
  const values = Array.from({ length: 40_000 }, (_, n) => ({ n, text: '→'.repeat(17) }));
  journal.append(...values);
  await expect(journal.read()).resolves.toEqual(values);
});

test('an invalid line is named', async () => {
  journal.append({ n: 1 });
  appendFileSync(file, '{"m":1}\n');
  await expect(journal.read()).rejects.toThrow(/values\.ndjson line 2 of/);
});

test('a journal that cannot be written says what to do', () => {
  rmSync(join(file, '..'), { recursive: true });
  expect(() => journal.append({ n: 1 })).toThrow(/cannot write 'values.ndjson' of the run/);
});
