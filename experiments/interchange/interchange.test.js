import { readFileSync } from 'node:fs';
import { prepareCorpus } from '../../corpora/support/prepare.js';
import { PROJECT } from '../../harness/lib/project.js';
import { makeTestDirectory } from '../../harness/testing/support/directories.js';
import { describeToolchain } from '../../harness/testing/support/gates.js';
import { callAssay } from '../../harness/testing/support/project.js';
import { buildFamily } from '../../harness/variants/build-family.js';
import {
  findFamily,
  listFamilies,
  loadOperation,
  loadVariant,
} from '../../harness/variants/families.js';
import { digestFrames } from '../../harness/worker/frames.js';
import { composeVariant } from './compose.js';
import { runConformance } from './conformance.js';
import { worker } from './worker.js';

/** @import { PreparedCorpus } from '../../harness/formats/types.ts' */

const CORPORA = ['tweet', 'flat', 'deep', 'movies:20', 'users:20'];
const family = findFamily(await listFamilies(PROJECT.experimentsPath), 'interchange');
const manifest = JSON.parse(
  readFileSync(new URL('packages/package.json', import.meta.url), 'utf8'),
);

it('every variant names the version of its library that is locked', async () => {
  for (const name of family.variants) {
    const { module } = await loadVariant(family, name);
    const { libraryName } = /** @type {{ libraryName?: string }} */ (module);
    if (libraryName === undefined) expect(module.variant.isPortable).toBe(true);
    else
      expect(module.variant.source).toContain(
        `${libraryName} ${manifest.dependencies[libraryName]}`,
      );
  }
});

await describeToolchain('interchange', 'the libraries', () => {
  const directory = makeTestDirectory('interchange');
  let buildPath = '';
  /** @type {PreparedCorpus[]} */
  const corpora = [];
  /** @type {string[]} */
  let expected = [];

  beforeAll(async () => {
    ({ buildPath } = await buildFamily(family, worker, { cachePath: PROJECT.cachePath }));
    for (const name of CORPORA) corpora.push(await prepareCorpus(name, { directory }));
    expected = await digestOutputs(await compose(String(family.reference)));
  });

  /** @param {string} name of a variant */
  async function compose(name) {
    const { module } = await loadVariant(family, name);
    return /** @type {any} */ (await composeVariant(module, {}, { buildPath }));
  }

  /** @param {object} module  @returns {Promise<string[]>} of each operation on each corpus */
  async function digestOutputs(module) {
    const digests = [];
    for (const name of family.defaultOperations) {
      const operation = /** @type {any} */ (await loadOperation(family, name));
      for (const corpus of corpora) {
        const state = await operation.prepare(module, corpus);
        digests.push(`${name} ${corpus.label} ${digestFrames(await operation.output(state))}`);
      }
    }
    return digests;
  }

  it.each(family.variants)(
    '%s returns the documents of every corpus and keeps its contract',
    async (name) => {
      const module = await compose(name);
      expect(await digestOutputs(module)).toEqual(expected);
      const { contract } = await runConformance(module);
      expect(contract.filter(({ outcome }) => outcome === 'fails')).toEqual([]);
    },
  );

  it('a library is found by a worker', async () => {
    const { status, stdout } = await callAssay(['check', 'interchange:cbor-x', '--corpus', 'flat']);
    expect(stdout).toContain('interchange:cbor-x behaves like bson');
    expect(status).toBe(0);
  });
});
