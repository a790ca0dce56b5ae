import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { serialize } from 'bson';
import { FormatError, UsageError } from '../../harness/lib/errors.js';
import { importCorpus } from './import.js';
import { storeDefined } from './store.js';
import { findCorpus, listCorpusNames } from './registry.js';

/** @type {{ directory: string, projectPath: string }} */
let place;

beforeEach(() => {
  const projectPath = mkdtempSync(join(tmpdir(), 'assay-registry-'));
  place = { projectPath, directory: join(projectPath, 'store') };
  write('package.json', '{ "type": "module" }');
  write('assay/codec/family.js', '');
});
afterEach(() => rmSync(place.projectPath, { recursive: true }));

/** @param {string} name @param {string | Uint8Array} content */
function write(name, content) {
  const file = join(place.projectPath, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

const NUMBERS = `export const corpus = {
  name: 'numbers', stresses: '', defaultCount: 3,
  *documents(count) { for (let value = 0; value < count; value++) yield { value }; },
};`;

describe('corpora of a project', () => {
  it('are found before those of Assay, in its folder and in its families', async () => {
    write('assay/corpora/numbers.js', NUMBERS);
    write('assay/codec/corpora/orders.jsonl', '{"a":1}\n{"a":2}');
    write('assay/codec/corpora/events.bson', serialize({ a: 1 }));
    write('assay/codec/corpora/README.md', '');
    const names = await listCorpusNames(place);
    expect(names.slice(0, 3)).toEqual(['numbers', 'orders', 'events']);
    expect(names).toContain('flat');
  });

  it('that are files have the documents of the file now', async () => {
    write('assay/corpora/orders.json', '[{"a":1},{"a":2}]');
    const { origin, corpus } = await findCorpus('orders', place);
    expect({ origin, stresses: corpus.stresses }).toEqual({
      origin: 'file',
      stresses: 'the documents of assay/corpora/orders.json (Extended JSON)',
    });
    write('assay/corpora/orders.json', '[{"a":1},{"a":2},{"a":3}]');
    expect((await findCorpus('orders', place)).corpus.digest).not.toBe(corpus.digest);
  });

  it('that are files have a note on each value that changes', async () => {
    write('assay/corpora/orders.json', '{"a":1e999}');
    expect(await findCorpus('orders', place)).toMatchObject({
      corpus: {
        changedValues: 1,
        notes: [expect.stringMatching(/at a: 1e999 became/), expect.stringMatching(/^1 value/)],
      },
    });
  });

  it('that are programs need no digest, and take a count', async () => {
    write('assay/corpora/numbers.js', NUMBERS);
    const found = await findCorpus('numbers', place);
    if (found.origin !== 'defined') throw new Error('it is a file');
    for (const [count, values] of /** @type {const} */ ([
      [null, [0, 1, 2]],
      [5, [0, 1, 2, 3, 4]],
    ])) {
      const { paths } = storeDefined(found, count, place.directory);
      const bytes = Buffer.concat(values.map((value) => serialize({ value })));
      expect(readFileSync(paths.canonical)).toEqual(bytes);
    }
  });

  it('that end too early are refused', async () => {
    write('assay/corpora/numbers.js', NUMBERS.replace('value < count', 'value < 2'));
    const found = await findCorpus('numbers', place);
    if (found.origin !== 'defined') throw new Error('it is a file');
    expect(() => storeDefined(found, null, place.directory)).toThrow(
      "corpus 'numbers' ends after 2 of 3 documents",
    );
  });

  it.each([
    [
      'a corpus of Assay',
      'assay/corpora/flat.json',
      'flat',
      'in assay/corpora/flat.json and in Assay',
    ],
    [
      'one of a family',
      'assay/codec/corpora/orders.json',
      'orders',
      'in assay/corpora/orders.json and in assay/codec/corpora/orders.json',
    ],
  ])('are refused when %s has the same name', async (_who, file, name, message) => {
    write(file, '{"a":1}');
    write('assay/corpora/orders.json', '{"a":1}');
    const error = await findCorpus(name, place).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toBe(`the corpus '${name}' exists twice: ${message}`);
  });

  it('are refused when an imported one has the same name', async () => {
    write('mine.json', '{"a":1}');
    await importCorpus('orders', join(place.projectPath, 'mine.json'), place);
    write('assay/corpora/orders.json', '{"a":1}');
    await expect(findCorpus('orders', place)).rejects.toThrow(
      "'orders' names the corpus assay/corpora/orders.json and an imported one",
    );
  });

  it.each([
    ['is no JSON', 'orders.json', '{"a":', 'orders', /line|cannot be read|document 1/],
    [
      'exports nothing',
      'numbers.js',
      '',
      'numbers',
      /'assay\/corpora\/numbers.js' exports no corpus/,
    ],
    [
      'does not compile',
      'numbers.js',
      '}',
      'numbers',
      /'assay\/corpora\/numbers.js' cannot be loaded/,
    ],
  ])('are refused when the file %s', async (_how, file, content, name, message) => {
    write(`assay/corpora/${file}`, content);
    const error = await findCorpus(name, place).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(FormatError);
    expect(error.message).toMatch(message);
  });
});
