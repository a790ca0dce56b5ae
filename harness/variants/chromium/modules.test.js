import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ORIGIN, PageModules, findBrowserModule } from './modules.js';
import { makeTestDirectory, writeFiles } from '../../testing/support/directories.js';

/** @import { Job } from '../../formats/types.ts' */

const root = makeTestDirectory('modules');

write('package.json', '{}');
const familyPath = join(root, 'families', 'one');
const bufferPath = join(root, 'node_modules');
const modulePath = write('families/one/variants/plain.js', "import { put } from '../write.js';\n");
write(
  'families/one/write.js',
  "import { pack } from 'packer';\nexport const put = () => Buffer.of(1);\n",
);
write('node_modules/packer/package.json', {
  name: 'packer',
  type: 'module',
  exports: { browser: './web.js', default: './node.js' },
});
const webPath = write('node_modules/packer/web.js', "export { pack } from './pack.js';\n");
const nodePath = write('node_modules/packer/node.js', 'export const pack = Buffer.from;\n');
write('node_modules/old/package.json', { name: 'old', main: 'lib' });
const oldPath = write('node_modules/old/lib.js', "exports.one = 1;\nexports['a b'] = 2;\n");
write('node_modules/buffer/index.js', 'exports.Buffer = Uint8Array;\n');

/**
 * @param {string} path relative
 * @param {string | object} content
 * @returns {string} absolute path
 */
function write(path, content) {
  writeFiles(root, { [path]: content });
  return join(root, path);
}

const job = /** @type {Job} */ (
  /** @type {unknown} */ ({
    kind: 'measure',
    familyPath,
    operation: 'put',
    variant: { spec: 'plain', modulePath, settings: {} },
  })
);
const modules = new PageModules(job, bufferPath);

/** @returns {{ imports: Record<string, string>, scopes: Record<string, Record<string, string>> }} */
function readImportMap() {
  const [, map] = /<script type="importmap">(.+)<\/script>/.exec(modules.makePage(job)) ?? [];
  return JSON.parse(map);
}

describe('the import map of a page', () => {
  test('gives each package what its dependencies export to browsers', () => {
    const { scopes } = readImportMap();
    expect(scopes[`${ORIGIN}${root}/`]).toEqual({ packer: ORIGIN + webPath });
  });

  test('has the substitutes for modules of Node and for those of the worker that need Node', () => {
    const { imports } = readImportMap();
    expect(imports['node:fs']).toMatch(/^https:.*\/worker\/page\/node-modules\.js$/);
    expect(imports.fs).toBe(imports['node:fs']);
    const replaced = Object.keys(imports).filter((name) => name.startsWith(ORIGIN));
    expect(replaced.map((name) => name.split('/').at(-1))).toEqual([
      'clock.js',
      'event-loop.js',
      'open-inspector.js',
      'watch-collections.js',
    ]);
  });
});

describe('a module', () => {
  test('is given as it is, with its lines, and Buffer if it is one of the family', () => {
    expect(modules.readModule(modulePath)).toBe("import { put } from '../write.js';\n");
    expect(modules.readModule(join(familyPath, 'write.js')).split('\n')).toEqual([
      "import { Buffer } from 'node:buffer'; import { pack } from 'packer';",
      'export const put = () => Buffer.of(1);',
      '',
    ]);
  });

  test('of a family in a package gets Buffer, unless it imports that itself', () => {
    const text = 'export const put = () => Buffer.of(1);\n';
    write('node_modules/assay-family-two/package.json', { type: 'module' });
    const path = write('node_modules/assay-family-two/write.js', text);
    const importing = `import { Buffer } from 'node:buffer';\n${text}`;
    const importingPath = write('node_modules/assay-family-two/import.js', importing);
    const dependencyPath = write('node_modules/assay-family-two/node_modules/one/index.js', text);
    write('node_modules/assay-family-two/node_modules/one/package.json', { type: 'module' });
    const ofPackage = new PageModules({ ...job, familyPath: dirname(path) }, bufferPath);
    expect(ofPackage.readModule(path)).toBe(`import { Buffer } from 'node:buffer'; ${text}`);
    expect(ofPackage.readModule(importingPath)).toBe(importing);
    expect(ofPackage.readModule(dependencyPath)).toBe(text);
  });

  test('of a package gets no Buffer, as with most bundlers', () => {
    expect(modules.readModule(nodePath)).toBe('export const pack = Buffer.from;\n');
  });

  test('of CommonJS becomes one with its exports, whatever their names', () => {
    const text = modules.readModule(oldPath);
    expect(text).toContain('export default module;');
    expect(text).toContain('export { v0 as "one" }');
    expect(text).toContain('export { v1 as "a b" }');
  });

  test('that CommonJS requires may lack its extension, but cannot be one of Node', () => {
    const from = `${ORIGIN}${modulePath}`;
    expect(modules.resolveRequired('old', from)).toBe(oldPath);
    expect(modules.resolveRequired('buffer', from)).toBe(join(bufferPath, 'buffer', 'index.js'));
    expect(() => modules.resolveRequired('node:net', from)).toThrow(
      "'node:net' is a module of Node, which a browser does not have",
    );
  });
});

describe('the module for browsers', () => {
  test('is what the package exports to them', () => {
    expect(findBrowserModule(nodePath)).toBe(webPath);
    const bson = fileURLToPath(import.meta.resolve('bson'));
    expect(findBrowserModule(bson)).toBe(join(dirname(bson), 'bson.mjs'));
  });

  test('is the same for a module that no package exports', () => {
    expect(findBrowserModule(modulePath)).toBe(modulePath);
    expect(findBrowserModule(webPath)).toBe(webPath);
  });
});
