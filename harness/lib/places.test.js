import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeFiles } from '../testing/support/directories.js';
import { FormatError, UsageError } from './errors.js';
import { findFamilyFolders, listPlaces } from './places.js';
import { PROJECT, findProject, isTrusted } from './project.js';

/** @type {string} */
let projectPath;
beforeEach(() => {
  projectPath = mkdtempSync(join(tmpdir(), 'assay-places-'));
  write('experiments/built-in/family.js');
});
afterEach(() => rmSync(projectPath, { recursive: true }));

/** @param {string} name @param {string} [text] */
function write(name, text = '') {
  writeFiles(projectPath, { [name]: text });
}

/** @param {Record<string, unknown>} content */
function writePackage(content) {
  write('package.json', JSON.stringify(content));
}

/** @param {string} content */
function writeConfig(content) {
  write('package.json', '{ "type": "module" }');
  write('assay.config.js', `export default ${content};`);
}

/** @returns {Promise<string[]>} paths relative to the project by name */
async function find() {
  const experimentsPath = join(projectPath, 'experiments');
  const found = await findFamilyFolders({ projectPath, experimentsPath });
  return found.map(({ name, path }) => `${name} ${path.slice(projectPath.length + 1)}`);
}

test('families are those of the project, of its packages and of Assay, in this order', async () => {
  writePackage({
    dependencies: { 'assay-family-orders': '1', bson: '7' },
    devDependencies: { '@acme/assay-family-events': '1' },
  });
  write('node_modules/assay-family-orders/family.js');
  write('node_modules/@acme/assay-family-events/family.js');
  write('node_modules/assay-family-of-others/family.js');
  write('assay/codec/family.js');
  write('assay/notes/README.md');
  expect(await find()).toEqual([
    'codec assay/codec',
    'events node_modules/@acme/assay-family-events',
    'orders node_modules/assay-family-orders',
    'built-in experiments/built-in',
  ]);
});

test('a package that is developed here is a family of its own project', async () => {
  writePackage({ name: 'assay-family-orders' });
  write('family.js');
  expect(await find()).toEqual(['orders ', 'built-in experiments/built-in']);
});

test('a package of a workspace keeps its name', async () => {
  writePackage({ dependencies: { 'assay-family-orders': '*' } });
  write('packages/second/family.js');
  mkdirSync(join(projectPath, 'node_modules'));
  symlinkSync('../packages/second', join(projectPath, 'node_modules', 'assay-family-orders'));
  expect(await find()).toEqual(['orders packages/second', 'built-in experiments/built-in']);
});

test('the configuration names directories and packages', async () => {
  writeConfig("{ directories: ['bench', 'more'], packages: ['@acme/codecs'] }");
  write('bench/one/family.js');
  write('more/two/family.js');
  write('assay/three/family.js');
  write('node_modules/@acme/codecs/family.js');
  expect(await find()).toEqual([
    'one bench/one',
    'two more/two',
    'codecs node_modules/@acme/codecs',
    'built-in experiments/built-in',
  ]);
});

test('corpora are beside the families and in them', async () => {
  writePackage({ dependencies: { 'assay-family-orders': '1' } });
  write('node_modules/assay-family-orders/family.js');
  write('assay/codec/family.js');
  const places = await listPlaces(projectPath);
  expect(places.flatMap(({ corporaPaths }) => corporaPaths)).toEqual(
    ['assay/corpora', 'assay/codec/corpora', 'node_modules/assay-family-orders/corpora'].map(
      (name) => join(projectPath, name),
    ),
  );
});

/** @type {[string, string[], string][]} */
const TAKEN = [
  [
    'the project and Assay',
    ['assay/built-in'],
    "family 'built-in' exists twice: in assay/ and in Assay",
  ],
  [
    'the project and a package',
    ['assay/orders', 'node_modules/assay-family-orders'],
    "family 'orders' exists twice: in assay/ and in the package assay-family-orders",
  ],
];
test.each(TAKEN)('a name that %s have is refused', async (_who, folders, message) => {
  writePackage({ dependencies: folders.length > 1 ? { 'assay-family-orders': '1' } : {} });
  for (const folder of folders) write(`${folder}/family.js`);
  const error = await find().catch((thrown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  expect(error.message).toBe(`the ${message}`);
  expect(error.remedy).toMatch(/^rename the one in assay\/, or leave a package out/);
});

test.each([
  ["{ directory: ['bench'] }", "'directory' of .* is unknown; did you mean 'directories'?"],
  ["{ directories: 'bench' }", "'directories' of .* is not a list of texts"],
  ["{ directories: ['bench'] }", "names 'bench', which is not a directory"],
  ["['bench']", 'has no default export that is an object'],
  ['bench', 'cannot be loaded: bench is not defined'],
  ["{ packages: ['codecs'] }", "the package 'codecs', .* is not installed"],
])('the configuration %s is refused', async (content, message) => {
  writeConfig(content);
  const error = await find().catch((thrown) => thrown);
  expect(error).toBeInstanceOf(FormatError);
  expect(error.message).toMatch(new RegExp(message.replaceAll('?', '\\?')));
  expect(error.remedy).toBeTruthy();
});

test('a package that is no family is refused', async () => {
  writePackage({ dependencies: { 'assay-family-orders': '1' } });
  write('node_modules/assay-family-orders/index.js');
  await expect(find()).rejects.toThrow('is no family: it has no family.js');
});

test('a directory above with families is the project, unless it belongs to another user', () => {
  write('assay/codec/family.js');
  const path = join(projectPath, 'some', 'directory');
  expect(findProject(path)).toBe(projectPath);
  const others = new Set([12_345]);
  expect(isTrusted(projectPath, others)).toBe(false);
  expect(findProject(path, others)).toBe(PROJECT.assayPath);
  expect(isTrusted(path, others)).toBe(true);
});

test('revisions are built outside of the project, unless all state is elsewhere', () => {
  /** @param {Record<string, string>} variables */
  const findTrees = (variables) => {
    const code = `import { PROJECT } from ${JSON.stringify(new URL('./project.js', import.meta.url))}; console.log(PROJECT.treesPath);`;
    const args = ['--input-type=module', '--eval', code];
    return execFileSync(process.execPath, args, {
      env: { PATH: process.env.PATH, ...variables },
      encoding: 'utf8',
    }).trim();
  };
  expect(findTrees({ HOME: '/home/ann' })).toBe('/home/ann/.cache/assay');
  expect(findTrees({ XDG_CACHE_HOME: '/var/ann' })).toBe('/var/ann/assay');
  expect(findTrees({ HOME: '/home/ann', XDG_CACHE_HOME: 'ann' })).toBe('/home/ann/.cache/assay');
  expect(findTrees({ ASSAY_CACHE_DIRECTORY: '/state' })).toBe('/state/cache');
});
