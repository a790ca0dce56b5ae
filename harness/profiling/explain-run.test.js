import { makeManifest } from '../../reports/fixtures/build.js';
import { findFamilySources } from './explain-run.js';
import { PROJECT } from '../lib/project.js';
import { loadFamilyWorker } from '../variants/build-family.js';
import { digestSources } from '../variants/cache.js';
import { listFamilies } from '../variants/families.js';

const families = await listFamilies(PROJECT.experimentsPath);

/** @param {string} family @param {string} digest of both arms */
function makeRun(family, digest) {
  const { question, variants } = makeManifest();
  const arm = { kind: /** @type {const} */ ('built-in'), digest };
  return {
    question: { ...question, family },
    variants: {
      ...variants,
      baseline: { ...variants.baseline, ...arm },
      candidates: [{ ...variants.candidates[0], ...arm }],
    },
  };
}

test.each(families)('sources of $name are recognised, including what it builds', async (family) => {
  const worker = await loadFamilyWorker(family);
  const digest = digestSources(family.path, worker?.sources);
  const sources = { familyPath: family.path, isSourceSame: true };
  expect(await findFamilySources(makeRun(family.name, digest))).toEqual(sources);
});

test('other sources and unknown families are different', async () => {
  const [{ name, path }] = families;
  const digest = `sha256:${'0'.repeat(64)}`;
  const [known, unknown] = [makeRun(name, digest), makeRun('../elsewhere', digest)];
  expect(await findFamilySources(known)).toEqual({ familyPath: path, isSourceSame: false });
  expect(await findFamilySources(unknown)).toEqual({ familyPath: null, isSourceSame: false });
});
