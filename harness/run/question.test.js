import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { versions } from 'node:process';
import { importCorpus } from '../../corpora/support/import.js';
import { MEMORY_KINDS } from '../formats/memory-kinds.js';
import { PROJECT } from '../lib/project.js';
import { findFamily, listFamilies } from '../variants/families.js';
import { parseVariantSpec } from '../variants/spec.js';
import { makeFamily } from '../variants/test-support/make-family.js';
import {
  chooseOperations,
  isColdFigure,
  makeCells,
  makeQuestion,
  requireFittingCorpus,
} from './question.js';
import { makeTestDirectory, writeFiles } from '../testing/support/directories.js';

const OWN = versions.node;
const [OWN_LINE] = OWN.split('.');
const families = await listFamilies(PROJECT.experimentsPath);
const family = findFamily(families, 'js-bson');
const CELL = { op: ['serialize'], corpus: ['flat'] };
const PINNED_TO_BUN = /^--runtime and --node apply .*@bun=1\.4' is pinned to a runtime$/;
const PINNED = /--node apply .*@node=\d+' is pinned to a runtime/;
const DEFAULTS = {
  ...CELL,
  mei: 0.03,
  processes: 96,
  placements: 4,
  explain: /** @type {const} */ ('differing'),
};

describe('the cells of a question', () => {
  test('have no runtime if none is named', async () => {
    expect(await makeCells(family, CELL)).toEqual([
      { id: 'serialize flat', operation: 'serialize', corpus: 'flat', codesCanonical: true },
    ]);
  });

  test('name each runtime once, by its exact version, also in their id', async () => {
    const runtime = ['node', `node@${OWN}`];
    const named = { op: ['serialize'], corpus: ['flat', 'deep'], runtime, node: [OWN_LINE] };
    expect(await makeCells(family, named)).toEqual(
      ['flat', 'deep'].map((corpus) => ({
        id: `serialize ${corpus} node@${OWN}`,
        operation: 'serialize',
        corpus,
        runtime: `node@${OWN}`,
        codesCanonical: true,
      })),
    );
  });

  test.each([
    [[], /nothing to measure/],
    [['latest'], /'latest' is not a version of Node/],
  ])('--node %j is refused', async (node, message) => {
    await expect(makeCells(family, { node })).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringMatching(message),
    });
  });
});

describe('the cells of cold calls', () => {
  test('are four for each operation and corpus: loading with the first call, and 1, 10 and 100 calls', async () => {
    const cells = await makeCells(family, { ...CELL, node: [OWN], cold: true });
    expect(cells.map(({ id, cold }) => [id, cold])).toEqual([
      [`serialize flat node@${OWN} cold start`, { calls: 1, withLoad: true }],
      [`serialize flat node@${OWN} cold 1`, { calls: 1, withLoad: false }],
      [`serialize flat node@${OWN} cold 10`, { calls: 10, withLoad: false }],
      [`serialize flat node@${OWN} cold 100`, { calls: 100, withLoad: false }],
    ]);
  });

  test('that load variants are one for each runtime, of the first operation and corpus', async () => {
    const asked = { op: ['get-100', 'serialize'], node: [OWN], load: true };
    const cells = await makeCells(family, asked);
    expect(cells).toMatchObject([
      { id: `get-100 comments:1 node@${OWN} cold load`, cold: { calls: 0, withLoad: true } },
    ]);
    expect(cells.every(({ cold }) => cold !== undefined && isColdFigure(cold))).toBe(true);
  });

  test('are of one document where no count is named', async () => {
    const labels = async (/** @type {Parameters<typeof makeCells>[1]} */ options) =>
      new Set((await makeCells(family, { ...options, cold: true })).map(({ corpus }) => corpus));
    expect(await labels({ op: ['get-100'] })).toEqual(new Set(['comments:1']));
    const corpus = ['comments', 'deep', 'users:7'];
    expect(await labels({ op: ['serialize'], corpus })).toEqual(
      new Set(['comments:1', 'deep', 'users:7']),
    );
  });

  test('are in no series', async () => {
    const bridge = findFamily(families, 'url-bridge');
    const cells = await makeCells(bridge, { op: ['construct-getters-2'], cold: true });
    expect(cells).toHaveLength(4);
    for (const cell of cells) expect(cell).not.toHaveProperty('series');
  });

  test('are refused of an operation that measures itself', async () => {
    await expect(makeCells(family, { op: ['http-json'], cold: true })).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining('http-json measures itself'),
    });
  });
});

describe('a question', () => {
  /**
   * @param {object} [options]
   * @param {[string, string]} [specs]
   */
  const askFor = (options, specs = ['generator', 'linked-list']) =>
    makeQuestion(specs, family, { ...DEFAULTS, ...options });

  test('about memory has the kinds of job of its family', async () => {
    const { memoryKinds, cells } = await askFor({
      memoryOnly: true,
      op: ['serialize', 'deserialize'],
    });
    expect(memoryKinds).toEqual(MEMORY_KINDS);
    expect(cells.map(({ readsDocuments = false }) => readsDocuments)).toEqual([false, true]);
    expect(await askFor({})).not.toHaveProperty('memoryKinds');
  });

  test('is measured in pairs where there are two cores and all cells are loops', async () => {
    const hasTwoCores = true;
    expect(await askFor({})).not.toHaveProperty('schedule');
    expect(await askFor({ hasTwoCores })).toMatchObject({ schedule: 'paired' });
    expect(await askFor({ hasTwoCores, schedule: 'sequential' })).not.toHaveProperty('schedule');
    expect(await askFor({ hasTwoCores, op: ['http-json'] })).not.toHaveProperty('schedule');
    expect(await askFor({ hasTwoCores, cold: true })).not.toHaveProperty('schedule');
    const onOneCore = await askFor({ hasTwoCores, op: ['find-many'], corpus: ['comments:9'] });
    expect(onOneCore).toMatchObject({ schedule: 'paired', cells: [{ sharesCore: true }] });
    expect(await askFor({ schedule: 'paired' })).toMatchObject({ schedule: 'paired' });
  });

  test('has the flags of Node that its operations want, unless others are asked for', async () => {
    const driven = { op: ['find-many', 'serialize'], corpus: ['comments:9'] };
    const { nodeFlags } = await askFor(driven);
    expect(nodeFlags).toEqual(['--max-semi-space-size=16', '--max-old-space-size=2048']);
    const own = await askFor({ ...driven, nodeFlag: ['--no-opt'] });
    expect(own.nodeFlags).toEqual(['--no-opt']);
  });

  test('names a server only if operations have it, and it is not their own', async () => {
    const driven = { op: ['find-many'], corpus: ['comments:9'] };
    expect(await askFor({ ...driven, server: 'mongod' })).toMatchObject({ server: 'mongod' });
    expect(await askFor({ ...driven, server: 'replay' })).not.toHaveProperty('server');
    await expect(askFor({ ...driven, server: 'mongo' })).rejects.toMatchObject({
      name: 'UsageError',
      remedy: 'it has replay, mongod',
    });
    await expect(askFor({ server: 'mongod' })).rejects.toThrow(/serialize has no such server/);
  });

  const revision = /** @type {[string, string]} */ (['generator', 'git:codec@main']);

  test.each([
    ['the placement copies that are asked for', {}, { placements: 4 }],
    ['no placement copies if none are asked for', { placements: 0 }, { placements: 0 }],
    ['no placement copies for memory alone', { memoryOnly: true }, { placements: 0 }],
    [
      'neither placement copies nor profiles for cold calls',
      { cold: true },
      { placements: 0, explain: 'none', memory: 'none' },
    ],
    [
      'one Node for memory',
      { node: [OWN_LINE], memory: true },
      { memory: 'too', cells: [{ runtime: `node@${OWN}` }] },
    ],
    [
      'the kinds of memory that all pinned runtimes can measure',
      { memory: true },
      { memoryKinds: ['retained-slope'] },
      /** @type {[string, string]} */ (['generator', 'linked-list@bun=1.4']),
    ],
    ['the build command of a revision', { build: 'make' }, { build: 'make' }, revision],
  ])('has %s', async (_, options, expected, specs = undefined) => {
    expect(await askFor(options, specs)).toMatchObject(expected);
  });

  test.each(
    /** @type {[[string, string], object, RegExp][]} */ ([
      [
        ['generator', 'path:codec'],
        { build: 'make' },
        /^--build needs a git: variant, and there is none: generator, path:codec$/,
      ],
      [
        ['generator', 'linked-list'],
        { asOf: '2026-01-31' },
        /^--as-of needs an npm: or git: variant, and there is none: generator, linked-list$/,
      ],
      [[`generator@node=${OWN_LINE}`, 'linked-list'], { node: [OWN_LINE] }, PINNED],
      [
        ['generator', 'linked-list'],
        { cold: true, explain: 'all' },
        /^--explain all needs warm code, and --cold measures first calls$/,
      ],
      [
        ['generator', 'linked-list'],
        { load: true, explain: 'all' },
        /^--explain all needs warm code, and --load measures loading$/,
      ],
      [['generator', `linked-list@node=${OWN_LINE}`], { node: [OWN_LINE] }, PINNED],
      [['generator', 'linked-list@bun=1.4'], { runtime: ['deno'] }, PINNED_TO_BUN],
      [
        ['generator', 'linked-list@bun=1.4'],
        { nodeFlag: ['--no-opt'] },
        /^--node-flag needs the flags of Node, and bun@1\.4 has none of them$/,
      ],
      [
        ['generator@deno=2', 'linked-list'],
        { screen: true },
        /^--screen needs the flags of Node, and deno@2 /,
      ],
      [['generator', 'linked-list'], { nodeFlag: ['no-opt'] }, /^--node-flag 'no-opt' is no flag/],
      [
        ['generator', 'linked-list'],
        { nodeFlag: ['--no-opt', '--no-such-flag'] },
        /^Node [\d.]+ refuses --node-flag: bad option: --no-such-flag$/,
      ],
      [
        ['generator', 'linked-list'],
        { accept: ['all', 'jsn'] },
        /^the behaviour contract of js-bson has no row 'jsn'; did you mean 'json'\?$/,
      ],
    ]),
  )('of %j with %j is refused', async (specs, options, message) => {
    await expect(askFor(options, specs)).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringMatching(message),
    });
  });
});

describe('the question of a ranking', () => {
  const specs = /** @type {[string, ...string[]]} */ (['generator', 'indexed', 'linked-list']);
  const ask = (/** @type {object} */ options, variants = specs) =>
    makeQuestion(variants, family, { ...DEFAULTS, rank: true, ...options });

  test('has a cell for each variant, and neither placements nor profiles', async () => {
    const question = await ask({});
    expect(question).toMatchObject({
      candidates: specs,
      rank: true,
      placements: 0,
      explain: 'none',
    });
    expect(await ask({ hasTwoCores: true })).not.toHaveProperty('schedule');
    expect(question.cells.map(({ id, candidate }) => [id, candidate])).toEqual(
      specs.map((spec, index) => [`serialize flat ${spec}`, index]),
    );
  });

  test.each([
    [{ memory: true }, /^--memory compares with a baseline/],
    [{ memoryOnly: true }, /^--memory-only compares/],
    [{ schedule: 'paired' }, /^--schedule paired is not for a ranking/],
    [{ explain: 'all' }, /^--explain all compares/],
    [{ with: ['0x'] }, /^--with compares/],
    [{ instructions: true }, /^--instructions compares/],
  ])('with %j is refused', async (options, message) => {
    await expect(ask(options)).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringMatching(message),
    });
  });

  test('of one variant twice is refused', async () => {
    await expect(ask({}, ['indexed', 'generator', 'indexed'])).rejects.toThrow(
      "the variant 'indexed' is named twice",
    );
  });
});

const path = makeTestDirectory('operations');
writeFiles(path, { 'package.json': { type: 'module' } });
for (const [name, operations] of [['whole'], ['writer', ['write']], ['bound', ['cross']]]) {
  const variant = JSON.stringify({ idea: name, operations });
  writeFiles(path, { [`variants/${name}.js`]: `export const variant = ${variant};` });
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

test.each([
  ['the default ones', ['whole', 'npm:made-up@1.0.0'], undefined, ['read', 'write']],
  ['the default ones that all variants have', ['whole', 'writer'], undefined, ['write']],
  ['otherwise any that they share', ['bound', 'whole'], undefined, ['cross']],
  ['those that are named', ['whole', 'bound'], ['cross'], ['cross']],
  [
    'the default ones of a variant that does not exist',
    ['whole', 'nothing'],
    undefined,
    ['read', 'write'],
  ],
])('the operations are %s', async (_, names, named, operations) => {
  expect(await choose(names, named)).toEqual(operations);
});

test.each([
  [
    ['bound', 'writer'],
    undefined,
    "'bound' and 'writer' have no operation in common",
    "'bound' only has cross; 'writer' only has write",
  ],
  [
    ['whole', 'bound'],
    ['cross', 'read'],
    "'bound' does not have the operation read",
    "'bound' only has cross",
  ],
])('the variants %j with the operations %j are refused', async (names, named, message, remedy) => {
  const expected = { name: 'UsageError', message, remedy };
  await expect(choose(names, named)).rejects.toMatchObject(expected);
});

const directory = makeTestDirectory('fitting');

/** @param {string} family @param {string} op @param {string} corpus */
function ask(family, op, corpus) {
  return makeCells(findFamily(families, family), { op: [op], corpus: [corpus] });
}

test('cold calls of a program are refused', async () => {
  const program = findFamily(families, 'rust-facet');
  await expect(
    makeQuestion(['serde', 'serde'], program, { ...DEFAULTS, cold: true }),
  ).rejects.toMatchObject({
    name: 'UsageError',
    message: '--cold is for JavaScript, but rust-facet is measured by its own program',
  });
});

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

test('a question names its reference if that is not the one of the family', async () => {
  const ask = async (/** @type {string} */ reference) =>
    (await makeQuestion(['recursive', 'indexed'], family, { ...DEFAULTS, reference })).reference;
  expect(await ask('npm:bson@7.2.0')).toBe('npm:bson@7.2.0');
  expect(await ask(String(family.reference))).toBeUndefined();
});
