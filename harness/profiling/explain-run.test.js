import { join } from 'node:path';
import { makeManifest } from '../../reports/fixtures/build.js';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { PROJECT } from '../lib/project.js';
import { digestFamily, digestProgram, hasProgram } from '../variants/build-family.js';
import { digestFile } from '../variants/cache.js';
import { listFamilies } from '../variants/families.js';
import { findFamilySources } from './explain-run.js';

const families = await listFamilies(PROJECT.experimentsPath);
const OTHER = `sha256:${'0'.repeat(64)}`;

/**
 * @param {string} family
 * @param {{ program: string } | { file: string }} digest of the program that measures both arms, or of the file that both
 *   load
 */
function makeRun(family, digest) {
  const { question, variants } = makeManifest();
  const program = { executable: 'program', args: [], loop: [] };
  const own =
    'program' in digest ? { program, digest: digestProgram(digest.program, { axis: 'a' }) } : {};
  const arm = { kind: /** @type {const} */ ('built-in'), settings: { axis: 'a' }, ...own };
  const baseline = { ...variants.baseline, ...arm };
  const candidate = { ...variants.candidates[0], ...arm };
  const loadedFiles = [baseline, candidate].flatMap(({ spec }) =>
    'file' in digest
      ? {
          formatVersion: FORMAT_VERSION,
          ...{ spec, name: `${family}/family.js`, path: '/elsewhere', digest: digest.file },
        }
      : [],
  );
  const manifest = {
    question: { ...question, family },
    variants: { ...variants, baseline, candidates: [candidate] },
  };
  return { manifest, loadedFiles };
}

test.each(families)('sources of $name are recognised', async (family) => {
  const { name, path } = family;
  const digest = (await hasProgram(family))
    ? { program: await digestFamily(path) }
    : { file: digestFile(join(path, 'family.js')) };
  const sources = { familyPath: path, isSourceSame: true };
  expect(await findFamilySources(makeRun(name, digest))).toEqual(sources);
});

test('other sources and unknown families are different', async () => {
  const [{ name, path }] = families;
  for (const digest of [{ program: OTHER }, { file: OTHER }]) {
    const [known, unknown] = [makeRun(name, digest), makeRun('../elsewhere', digest)];
    expect(await findFamilySources(known)).toEqual({ familyPath: path, isSourceSame: false });
    expect(await findFamilySources(unknown)).toEqual({ familyPath: null, isSourceSame: false });
  }
});
