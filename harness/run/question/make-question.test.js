import { versions } from 'node:process';
import { describe, expect, test } from '@jest/globals';
import { PROJECT } from '../../lib/project.js';
import { findFamily, listFamilies } from '../../variants/families.js';
import { MEMORY_KINDS } from '../../formats/memory-kinds.js';
import { makeCells, makeQuestion } from './make-question.js';

const OWN = versions.node;
const [OWN_LINE] = OWN.split('.');
const family = findFamily(await listFamilies(PROJECT.experimentsPath), 'js-bson');
const DEFAULTS = { mei: '3', processes: '96', op: 'serialize', corpus: 'flat' };

describe('the cells of a question', () => {
  test('have no Node where none is named', async () => {
    expect(await makeCells(family, { op: 'serialize', corpus: 'flat' })).toEqual([
      { id: 'serialize flat', operation: 'serialize', corpus: 'flat' },
    ]);
  });

  test('are of each Node once, by its exact version, in their id too', async () => {
    const named = { op: 'serialize', corpus: 'flat,deep', node: `${OWN_LINE},${OWN}` };
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
    ['', /nothing to measure/],
    ['latest', /'latest' is no version of Node/],
  ])('--node %j is refused', async (node, message) => {
    const error = await makeCells(family, { node }).catch((caught) => caught);
    expect(error).toMatchObject({ name: 'UsageError', message: expect.stringMatching(message) });
  });
});

describe('a question', () => {
  test('about memory has the kinds of job of its family, and of documents only where one reads them', async () => {
    const ask = (/** @type {object} */ options) =>
      makeQuestion(['generator', 'linked-list'], family, { ...DEFAULTS, ...options });
    const { memoryKinds, cells } = await ask({ memoryOnly: true, op: 'serialize,deserialize' });
    expect(memoryKinds).toEqual(MEMORY_KINDS);
    expect(cells.map(({ readsDocuments = false }) => readsDocuments)).toEqual([false, true]);
    expect(await ask({})).not.toHaveProperty('memoryKinds');
  });

  test('about memory takes one Node', async () => {
    const options = { ...DEFAULTS, node: OWN_LINE, memory: true };
    const question = await makeQuestion(['generator', 'linked-list'], family, options);
    expect(question).toMatchObject({ memory: 'too', cells: [{ node: OWN }] });
  });

  test('asks for four layouts a side, or as many as are named, and none for memory alone', async () => {
    const ask = (/** @type {object} */ options) =>
      makeQuestion(['generator', 'linked-list'], family, { ...DEFAULTS, ...options });
    expect((await ask({})).layouts).toBe(4);
    expect((await ask({ layouts: '0' })).layouts).toBe(0);
    expect((await ask({ memoryOnly: true })).layouts).toBe(0);
    await expect(ask({ layouts: '2.5' })).rejects.toThrow(/'2\.5' is not a whole number from 0/);
  });

  test('has a build command only where there is something to build', async () => {
    const options = { ...DEFAULTS, build: 'make' };
    const error = await makeQuestion(['generator', 'path:codec'], family, options).catch(
      (one) => one,
    );
    expect(error).toMatchObject({
      name: 'UsageError',
      message: '--build is for git: variants, and here is none: generator, path:codec',
    });
    const question = await makeQuestion(['generator', 'git:codec@main'], family, options);
    expect(question.build).toBe('make');
  });

  test.each([
    [`generator@node=${OWN_LINE}`, 'linked-list'],
    ['generator', `linked-list@node=${OWN_LINE}`],
  ])('is not asked of %s and %s under --node', async (baseline, candidate) => {
    const options = { ...DEFAULTS, node: OWN_LINE };
    const error = await makeQuestion([baseline, candidate], family, options).catch((one) => one);
    expect(error).toMatchObject({
      name: 'UsageError',
      message: expect.stringMatching(/@node=\d+' is pinned to a Node/),
    });
  });
});
