import { readFileSync } from 'node:fs';
import { describeToolchain } from '../../harness/testing/support/gates.js';
import { runAssay } from '../../harness/testing/support/project.js';
import { findFamily, listFamilies, loadVariant } from '../../harness/variants/families.js';
import { PROJECT } from '../../harness/lib/project.js';

const CORPORA = 'comments,movies,tweet,flat,deep,small-doc,theaters,users,sessions';
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
  it.each(family.variants)(
    '%s returns the documents of every corpus and keeps its contract',
    async (name) => {
      const args = ['check', `interchange:${name}`, '--corpus', CORPORA];
      const { status, stdout } = await runAssay(args);
      expect(stdout).toContain(`interchange:${name} behaves like bson`);
      expect(status).toBe(0);
    },
  );
});
