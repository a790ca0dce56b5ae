import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FormatError } from '../../lib/errors.js';
import { PROJECT } from '../../lib/project.js';
import { findFamily, listFamilies, loadVariant } from '../families.js';
import { testLong } from '../../testing/support/gates.js';
import { listPatches } from '../patches.js';
import { writeFiles } from '../../testing/support/directories.js';
import { editVariant } from './copies.js';

/** @import { ResolvedVariant } from '../../formats/types.ts' */

const FAMILY = { path: join(PROJECT.experimentsPath, 'js-bson') };
/** @type {string} */
let root;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-edit-variant-'));
});

afterEach(() => rmSync(root, { recursive: true }));

/** @param {Record<string, string>} files text by path below the root */
function write(files) {
  writeFiles(root, files);
}

/**
 * @param {Partial<ResolvedVariant> & Pick<ResolvedVariant, 'kind' | 'modulePath'>} variant
 * @param {{ seed?: number, placement?: number }} [choice]
 */
function edit(variant, { seed = 7, placement = 1 } = {}) {
  const whole = { spec: 'x', family: 'js-bson', settings: {}, idea: '', source: '', digest: '' };
  const place = {
    seed,
    placement,
    arm: /** @type {const} */ ('candidate'),
    path: join(root, 'out'),
  };
  return editVariant({ ...whole, ...variant }, FAMILY, place);
}

/** @param {string} code of a module, run in a separate process */
function run(code) {
  return execFileSync('node', ['--input-type=module', '-e', code], { encoding: 'utf8' }).trim();
}

describe('a copy of a package', () => {
  const MAIN = `import { twice } from './lib/twice.js';\nimport { one } from 'other';\nfunction go() { return twice(one); }\nexport { go };\n`;

  beforeEach(() => {
    write({
      'node_modules/mine/package.json': '{ "name": "mine", "type": "module" }',
      'node_modules/mine/main.js': MAIN,
      'node_modules/mine/lib/twice.js': `import data from './data.json' with { type: 'json' };\nexport function twice(x) { return data.factor * x; }\n`,
      'node_modules/mine/lib/data.json': '{ "factor": 2 }',
      'node_modules/other/package.json': '{ "name": "other", "main": "index.cjs" }',
      'node_modules/other/index.cjs': 'exports.one = 21;',
    });
  });
  const modulePath = () => join(root, 'node_modules/mine/main.js');

  test('runs with edited relative imports and unedited packages', () => {
    const { variant, familyPath } = edit({ kind: 'npm', modulePath: modulePath() });
    expect(familyPath).toBe(FAMILY.path);
    expect(variant.modulePath.startsWith(join(root, 'out', 'candidate-1'))).toBe(true);
    expect(readFileSync(variant.modulePath, 'utf8')).toContain('placement_');
    const loaded = join(dirname(variant.modulePath), 'lib', 'twice.js');
    expect(readFileSync(loaded, 'utf8')).toContain('placement_');
    const code = `import { go } from ${JSON.stringify(variant.modulePath)}; console.log(go());`;
    expect(run(code)).toBe('42');
    expect(readFileSync(modulePath(), 'utf8')).toBe(MAIN);
  });

  test('is determined by seed and number', () => {
    const texts = [{}, {}, { seed: 8 }, { placement: 2 }].map((choice) => {
      const { variant } = edit({ kind: 'npm', modulePath: modulePath() }, choice);
      const text = readFileSync(variant.modulePath, 'utf8');
      rmSync(join(root, 'out'), { recursive: true });
      return text;
    });
    expect(texts[1]).toBe(texts[0]);
    expect(new Set(texts).size).toBe(3);
  });

  test('is refused with file and reason if a source cannot be parsed', () => {
    write({ 'node_modules/mine/lib/twice.js': 'export function' });
    const attempt = () => edit({ kind: 'npm', modulePath: modulePath() });
    expect(attempt).toThrow(FormatError);
    expect(attempt).toThrow(/twice\.js': it cannot be parsed/);
  });

  test('is refused for a file that is not JavaScript', () => {
    write({ 'node_modules/mine/main.node': '' });
    const native = join(root, 'node_modules/mine/main.node');
    expect(() => edit({ kind: 'path', modulePath: native })).toThrow(/is not a JavaScript file/);
  });
});

test('a CommonJS module outside a package is copied with its relative imports', () => {
  write({
    'src/deep/main.cjs': `const { a } = require('../a');\nexports.b = a + 1;\n`,
    'src/a.js': 'exports.a = 1;\n',
  });
  const { variant } = edit({ kind: 'path', modulePath: join(root, 'src/deep/main.cjs') });
  const code = `import b from ${JSON.stringify(variant.modulePath)}; console.log(b.b);`;
  expect(run(code)).toBe('2');
});

testLong('a built-in variant is copied with its family, including compose.js and axes', () => {
  const { variant, familyPath } = edit({
    kind: 'built-in',
    modulePath: join(FAMILY.path, 'variants', 'linked-list.js'),
    settings: { 'object-id': 'packed' },
  });
  expect(variant.modulePath).toBe(join(familyPath, 'variants', 'linked-list.js'));
  expect(existsSync(join(familyPath, 'operations', 'serialize.js'))).toBe(true);
  const packed = readFileSync(join(familyPath, 'object-ids', 'packed.js'), 'utf8');
  expect(packed).toContain('placement_');
  const code = `
    import { composeVariant } from ${JSON.stringify(join(familyPath, 'compose.js'))};
    const module = await import(${JSON.stringify(variant.modulePath)});
    const { serialize } = await composeVariant(module, ${JSON.stringify(variant.settings)});
    console.log(serialize({ a: 1 }).toString('hex'));`;
  expect(run(code)).toBe('0c0000001061000100000000');
});

testLong('a variant that is a patch is copied with the patched family', async () => {
  const [name] = listPatches(join(FAMILY.path, 'variants'));
  const found = findFamily(await listFamilies(PROJECT.experimentsPath), 'js-bson');
  const { modulePath, patchedPath } = await loadVariant(found, name, {
    cachePath: join(root, 'cache'),
  });
  const settings = { 'object-id': 'packed' };
  const { variant, familyPath } = edit({
    kind: 'built-in',
    modulePath,
    ...(patchedPath === undefined ? {} : { patchedPath }),
    settings,
  });
  expect(variant.patchedPath).toBeUndefined();
  expect(variant.modulePath).toBe(join(familyPath, 'variants', `${name}.js`));
  expect(existsSync(join(familyPath, 'operations', 'serialize.js'))).toBe(true);
  expect(readFileSync(variant.modulePath, 'utf8')).toContain('placement_');
  const code = `
    import { composeVariant } from ${JSON.stringify(join(familyPath, 'compose.js'))};
    const module = await import(${JSON.stringify(variant.modulePath)});
    const { serialize, variant } = await composeVariant(module, ${JSON.stringify(settings)});
    console.log(serialize({ a: 1 }).toString('hex'), variant.neighbour);`;
  expect(run(code)).toMatch(/^0c0000001061000100000000 [a-z-]+$/);
});
