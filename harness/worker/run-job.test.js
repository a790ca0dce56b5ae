import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTestDirectory, writeFiles } from '../testing/support/directories.js';
import { listEquipment } from './equipment.js';
import { runJob } from './run-job.js';

const directory = makeTestDirectory('run-job');
writeFiles(directory, {
  'package.json': { type: 'module' },
  'operations/encode.js': `export const operation = {
    prepare: async (module) => ({ encode: module.encode, isWhole: module.default?.encode === module.encode }),
    run() {},
    output: ({ encode, isWhole }) => [encode('text'), String(isWhole)],
  };`,
});

let count = 0;
/** @param {string} name  @param {string} text of the module  @returns {Promise<any>} */
function produce(name, text) {
  const modulePath = join(directory, `${++count}-${name}`);
  writeFileSync(modulePath, text);
  const variant = { spec: `path:${name}`, modulePath, settings: {} };
  const outputPath = join(directory, 'output');
  const job = { kind: 'output', familyPath: directory, operation: 'encode', variant, outputPath };
  return runJob(/** @type {any} */ (job));
}

test.each([
  ['codec.cjs', 'const api = {}; api.encode = String; module.exports = api;'],
  [
    'class.cjs',
    'class Codec { encode(text) { return text; } } const codec = new Codec(); module.exports = codec;',
  ],
  ['codec.js', 'export default { encode: String };'],
])('what %s exports as a whole has its functions as if exported by name', async (name, text) => {
  const named = await produce(
    'named.js',
    'export const encode = String; export default { encode };',
  );
  expect(await produce(name, text)).toEqual({ outputDigest: named.outputDigest });
});

test('a further module of the package is imported by its name', async () => {
  const path = join(directory, 'wkt.js');
  writeFileSync(path, 'export const wrap = (text) => `<${text}>`;');
  const { importModule } = listEquipment({
    variant: { spec: 'npm:codec@1.0.0', modulePath: '', settings: {}, modules: { wkt: path } },
  });
  expect((await importModule('wkt')).wrap('a')).toBe('<a>');
  await expect(importModule('extra')).rejects.toThrow("npm:codec@1.0.0 has no module 'extra'");
});

test('a function that is missing is named, with what the module exports', async () => {
  const text = 'module.exports = { load: String, ...{ encode: String } };';
  expect(await produce('part.cjs', text)).toEqual({
    outputDigest: null,
    thrown: "path:part.cjs exports no 'encode'; it exports default, load",
    remedy: expect.stringContaining('write a variant that imports this one'),
  });
});
