import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { importCorpus } from '../../../corpora/support/import.js';
import { makeCells } from './make-question.js';
import { PROJECT } from '../../lib/project.js';
import { requireFittingCorpus } from './require-fitting-corpus.js';
import { findFamily, listFamilies } from '../../variants/families.js';

const families = await listFamilies(PROJECT.experimentsPath);
const directory = mkdtempSync(join(tmpdir(), 'assay-fitting-'));
afterAll(() => rmSync(directory, { recursive: true }));

/**
 * @param {string} family
 * @param {string} op
 * @param {string} corpus
 */
function ask(family, op, corpus) {
  return makeCells(findFamily(families, family), { op, corpus });
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
  'every operation of $name takes the corpora that it is measured on by default',
  async ({ family }) => {
    const cells = await makeCells(family, { op: family.operations.join(',') });
    expect(new Set(cells.map(({ operation }) => operation)).size).toBe(family.operations.length);
  },
);

describe('imported corpora', () => {
  const family = { name: 'addresses', takesCorpus: takesHrefs };
  const cell = { family, operation: 'read', description: {} };

  /** @param {import('../../formats/types.ts').CorpusSample} sample */
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
