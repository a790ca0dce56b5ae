import { join } from 'node:path';
import { chooseFamily, listFamilies, loadOperation } from './families.js';
import { parseVariantSpec } from './spec.js';
import { makeFamily } from './test-support/make-family.js';
import { makePlainPackage, makeRepository } from './test-support/make-repository.js';
import { makeTestDirectory, writeFiles } from '../testing/support/directories.js';

/** @import { FoundFamily } from './families.js' */

const room = makeTestDirectory('choice');
makeRepository(join(room, 'codec')).commit(makePlainPackage('one'));

const plain = makeFamily('plain-family', { path: room, packages: ['plain'] });
const other = makeFamily('other-family', {
  path: room,
  variants: ['mirror'],
  registries: { shelf: ['parcel'] },
});

/** @param {...string} texts */
function choose(...texts) {
  return chooseFamily(texts.map(parseVariantSpec), [other, plain], undefined, room).name;
}

describe('the family of a directory', () => {
  test('is the one that lists its package', () => {
    expect(choose('git:codec@HEAD', 'path:codec')).toBe('plain-family');
  });

  test('is unknown if no family lists the package', () => {
    expect(() => choose('path:elsewhere', 'path:./codec.js')).toThrow('which family');
  });
});

describe('a package that no family lists', () => {
  const general = makeFamily('general-family', { path: room, takesUnknownPackages: true });
  const loose = makeFamily('loose-family', { path: room, takesModules: true });
  makeRepository(join(room, 'unknown')).write({ 'package.json': '{ "name": "unknown" }' });

  /** @param {string[]} texts @param {FoundFamily[]} families */
  function chooseAmong(texts, families = [loose, general, plain]) {
    return chooseFamily(texts.map(parseVariantSpec), families, undefined, room).name;
  }

  test.each([[['npm:unknown@1', 'npm:unknown@2']], [['path:unknown', 'git:unknown@HEAD']]])(
    'and its checkouts belong to the family that takes any (%#)',
    (specs) => {
      expect(chooseAmong(specs)).toBe('general-family');
      expect(() => chooseAmong(specs, [plain])).toThrow('which family');
    },
  );

  test('may be a module of the family of what it is compared with', () => {
    expect(chooseAmong(['path:unknown', 'loose-family:only'])).toBe('loose-family');
    expect(chooseAmong(['path:./codec.js', 'path:./other.js'])).toBe('loose-family');
  });

  test('is not clear where a family of the project takes modules, too', () => {
    const own = { ...loose, path: join(room, 'project', 'own') };
    expect(() => chooseAmong(['path:unknown'], [own, general])).toThrow('which family');
  });

  test('belongs to the family that lists it otherwise', () => {
    expect(chooseAmong(['npm:plain@1', 'git:codec@HEAD'])).toBe('plain-family');
  });
});

test('a package belongs to the family that lists it in its registry', () => {
  expect(choose('shelf:parcel@1.0', 'mirror')).toBe('other-family');
});

test.each([
  ['plain-family:only', 'other-family:mirror'],
  ['only', 'other-family:mirror'],
  ['path:codec', 'mirror'],
])('%s and %s are of different families and refused', (baseline, candidate) => {
  expect(() => choose(baseline, candidate)).toThrow(
    `the variants belong to different families: '${baseline}' to plain-family, '${candidate}' to other-family`,
  );
});

test('an unknown built-in name is reported before an ambiguous family', () => {
  expect(() => choose('onyl', 'path:codec')).toThrow("no variant 'onyl'; did you mean 'only'?");
});

test('a family may have neither variants nor corpora, and a file in TypeScript is named', async () => {
  const path = join(room, 'families', 'bare');
  const family = {
    ...{ name: 'bare', summary: '', reference: 'npm:bare@1.0.0' },
    ...{ packages: ['bare'], defaultOperations: ['say'] },
  };
  writeFiles(path, {
    'package.json': { type: 'module' },
    'family.js': `export const family = ${JSON.stringify(family)};`,
    'operations/say.js': "import '../words.ts';",
    'words.ts': 'enum Word { One }',
    'operations/half.js': "export const operation = { summary: '', call: async () => null };",
  });
  const [bare] = await listFamilies(join(room, 'families'));
  expect(bare).toMatchObject({ ...family, variants: [], operations: ['half', 'say'] });
  await expect(loadOperation(bare, 'half')).rejects.toThrow(
    'has one of isAsync: true and the method call without the other',
  );
  await expect(loadOperation(bare, 'say')).rejects.toMatchObject({
    message: expect.stringContaining('TypeScript'),
    remedy: expect.stringContaining('build it first and name the JavaScript file'),
  });
});
