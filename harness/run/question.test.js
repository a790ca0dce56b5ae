import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { versions } from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { importCorpus } from '../../corpora/support/import.js';
import { MEMORY_KINDS } from '../formats/memory-kinds.js';
import { PROJECT } from '../lib/project.js';
import { findFamily, listFamilies } from '../variants/families.js';
import { parseVariantSpec } from '../variants/spec.js';
import { makeFamily } from '../variants/test-support/make-family.js';
import { chooseOperations, makeCells, makeQuestion, requireFittingCorpus } from './question.js';

const OWN = versions.node;
const [OWN_LINE] = OWN.split('.');
const family = findFamily(await listFamilies(PROJECT.experimentsPath), 'js-bson');
const CELL = { op: ['serialize'], corpus: ['flat'] };
const DEFAULTS = {
  ...CELL,
  mei: 0.03,
  processes: 96,
  placements: 4,
  explain: /** @type {const} */ ('differing'),
};

describe('the cells of a question', () => {
  test('have no Node if none is named', async () => {
    expect(await makeCells(family, CELL)).toEqual([
      { id: 'serialize flat', operation: 'serialize', corpus: 'flat' },
    ]);
  });

  test('name each Node once, by its exact version, also in their id', async () => {
    const named = { op: ['serialize'], corpus: ['flat', 'deep'], node: [OWN_LINE, OWN] };
    expect(await makeCells(family, named)).toEqual(
      ['flat', 'deep'].map((corpus) => ({
        id: `serialize ${corpus} node ${OWN}`,
        operation: 'serialize',
        corpus,
        node: OWN,
      })),
    );
  });

  test.each([
    [[], /nothing to measure/],
    [['latest'], /'latest' is not a version of Node/],
  ])('--node %j is refused', async (node, message) => {
    const error = await makeCells(family, { node }).catch((caught) => caught);
    expect(error).toMatchObject({ name: 'UsageError', message: expect.stringMatching(message) });
  });
});

describe('a question', () => {
  test('about memory has the kinds of job of its family', async () => {
    const ask = (/** @type {object} */ options) =>
      makeQuestion(['generator', 'linked-list'], family, { ...DEFAULTS, ...options });
    const { memoryKinds, cells } = await ask({
      memoryOnly: true,
      op: ['serialize', 'deserialize'],
    });
    expect(memoryKinds).toEqual(MEMORY_KINDS);
    expect(cells.map(({ readsDocuments = false }) => readsDocuments)).toEqual([false, true]);
    expect(await ask({})).not.toHaveProperty('memoryKinds');
  });

  test('about memory allows one Node', async () => {
    const options = { ...DEFAULTS, node: [OWN_LINE], memory: true };
    const question = await makeQuestion(['generator', 'linked-list'], family, options);
    expect(question).toMatchObject({ memory: 'too', cells: [{ node: OWN }] });
  });

  test('has the placement copies that are asked for, and none for memory alone', async () => {
    const ask = (/** @type {object} */ options) =>
      makeQuestion(['generator', 'linked-list'], family, { ...DEFAULTS, ...options });
    expect((await ask({})).placements).toBe(4);
    expect((await ask({ placements: 0 })).placements).toBe(0);
    expect((await ask({ memoryOnly: true })).placements).toBe(0);
  });

  test('has a build command only if there is something to build', async () => {
    const options = { ...DEFAULTS, build: 'make' };
    const error = await makeQuestion(['generator', 'path:codec'], family, options).catch(
      (one) => one,
    );
    expect(error).toMatchObject({
      name: 'UsageError',
      message: '--build needs a git: variant, and there is none: generator, path:codec',
    });
    const question = await makeQuestion(['generator', 'git:codec@main'], family, options);
    expect(question.build).toBe('make');
  });

  test.each([
    [`generator@node=${OWN_LINE}`, 'linked-list'],
    ['generator', `linked-list@node=${OWN_LINE}`],
  ])('refuses %s and %s under --node', async (baseline, candidate) => {
    const options = { ...DEFAULTS, node: [OWN_LINE] };
    const error = await makeQuestion([baseline, candidate], family, options).catch((one) => one);
    expect(error).toMatchObject({
      name: 'UsageError',
      message: expect.stringMatching(/--node applies .*@node=\d+' is pinned to a Node/),
    });
  });
});

const path = mkdtempSync(join(tmpdir(), 'assay-operations-'));
afterAll(() => rmSync(path, { recursive: true }));
mkdirSync(join(path, 'variants'));
writeFileSync(join(path, 'package.json'), '{ "type": "module" }');
for (const [name, operations] of [['whole'], ['writer', ['write']], ['bound', ['cross']]]) {
  const variant = JSON.stringify({ operations });
  writeFileSync(join(path, 'variants', `${name}.js`), `export const variant = ${variant};`);
}
const twoOperations = makeFamily('made-up', {
  path,
  variants: ['whole', 'writer', 'bound'],
  operations: ['cross', 'read', 'write'],
  defaultOperations: ['read', 'write'],
});

/**
 * @param {string[]} names
 * @param {string[]} [named]
 */
const choose = (names, named) =>
  chooseOperations(names.map(parseVariantSpec), twoOperations, named);

test('the default operations are those that all variants have', async () => {
  expect(await choose(['whole', 'npm:made-up@1.0.0'])).toEqual(['read', 'write']);
  expect(await choose(['whole', 'writer'])).toEqual(['write']);
});

test('where none of these is shared, they are whatever is shared', async () => {
  expect(await choose(['bound', 'whole'])).toEqual(['cross']);
});

test('variants that share nothing are refused, with what each has', async () => {
  await expect(choose(['bound', 'writer'])).rejects.toMatchObject({
    message: "'bound' and 'writer' have no operation in common",
    remedy: "'bound' only has cross; 'writer' only has write",
  });
});

test('operations that are named are taken if every variant has them', async () => {
  expect(await choose(['whole', 'bound'], ['cross'])).toEqual(['cross']);
  await expect(choose(['whole', 'bound'], ['cross', 'read'])).rejects.toMatchObject({
    name: 'UsageError',
    message: "'bound' does not have the operation read",
  });
});

test('a variant that does not exist is left for the resolver to refuse', async () => {
  expect(await choose(['whole', 'nothing'])).toEqual(['read', 'write']);
});

const families = await listFamilies(PROJECT.experimentsPath);
const directory = mkdtempSync(join(tmpdir(), 'assay-fitting-'));
afterAll(() => rmSync(directory, { recursive: true }));

/**
 * @param {string} family
 * @param {string} op
 * @param {string} corpus
 */
function ask(family, op, corpus) {
  return makeCells(findFamily(families, family), { op: [op], corpus: [corpus] });
}

test.each([
  ['url-bridge', 'construct', 'flat', 'urls, urls-normal, urls-adversarial'],
  ['url-bridge', 'construct', 'comments:10@deserialized', 'urls, urls-normal, urls-adversarial'],
  ['rust-facet', 'serialize', 'comments', 'deep, movies, foo, foo-document'],
  ['rust-facet', 'serialize', 'urls', 'deep, movies, foo, foo-document'],
  ['js-bson', 'create', 'flat', 'comments'],
])('%s: %s refuses %s and lists what it reads', async (family, op, corpus, fitting) => {
  const [name] = corpus.split(':');
  await expect(ask(family, op, corpus)).rejects.toMatchObject({
    name: 'UsageError',
    message: `${op} of ${family} cannot read the corpus '${name}'`,
    remedy: `it reads ${fitting}`,
  });
});

test.each([
  ['js-bson', 'serialize', 'urls'],
  ['js-bson', 'object-id-equals', 'comments:10'],
  ['js-bson', 'object-id-new', 'deep'],
  ['rust-facet', 'serialize', 'movies:10@literal'],
  ['url-bridge', 'cross', 'urls-adversarial'],
  ['java-decode', 'decode', 'foo'],
])('%s: %s takes %s', async (family, op, corpus) => {
  expect(await ask(family, op, corpus)).toHaveLength(1);
});

test.each(families.map((family) => ({ name: family.name, family })))(
  'every operation of $name can read its default corpora',
  async ({ family }) => {
    const cells = await makeCells(family, { op: family.operations });
    expect(new Set(cells.map(({ operation }) => operation)).size).toBe(family.operations.length);
  },
);

describe('imported corpora', () => {
  const family = { name: 'addresses', takesCorpus: takesHrefs };
  const cell = { family, operation: 'read', description: {} };

  /** @param {import('../formats/types.ts').CorpusSample} sample */
  function takesHrefs({ firstDocument }) {
    return typeof firstDocument.href === 'string';
  }

  beforeAll(async () => {
    for (const [name, document] of Object.entries({ own: { href: 'x:' }, other: { a: 1 } })) {
      const file = join(directory, `${name}.json`);
      writeFileSync(file, JSON.stringify(document));
      await importCorpus(name, file, { directory });
    }
  });

  test('are judged by their first document, and listed', async () => {
    await requireFittingCorpus('own', cell, { directory });
    await expect(requireFittingCorpus('other', cell, { directory })).rejects.toMatchObject({
      remedy: expect.stringMatching(/^it reads urls, .*, own$/),
    });
  });
});
