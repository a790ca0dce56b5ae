/**
 * Builds `champion` as a package of its own, which can be installed in place of bson: one file without dependencies as
 * an ES module, the same as CommonJS, both again for where there is no Buffer, and types. The value classes are those of
 * the installed bson.
 *
 *     node scripts/champion/build.js DIRECTORY
 */

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { PROJECT } from '../../harness/lib/project.js';
import { bundleChampion, withoutBuffer } from './bundle.js';

const CHAMPION = join(PROJECT.experimentsPath, 'js-bson', 'champion');
const BSON = dirname(dirname(createRequire(import.meta.url).resolve('bson')));

const [directory] = process.argv.slice(2);
if (directory === undefined) {
  console.error('error: no directory\nusage: node scripts/champion/build.js DIRECTORY');
  process.exit(2);
}
const target = resolve(directory);
mkdirSync(target, { recursive: true });

writeFileSync(join(target, 'bson.mjs'), await bundleChampion('esm'));
writeFileSync(join(target, 'bson.cjs'), await bundleChampion('cjs'));
writeFileSync(join(target, 'bson.web.mjs'), await bundleChampion('esm', [withoutBuffer]));
writeFileSync(join(target, 'bson.web.cjs'), await bundleChampion('cjs', [withoutBuffer]));
copyFileSync(join(BSON, 'bson.d.ts'), join(target, 'bson.d.ts'));
copyFileSync(join(BSON, 'LICENSE.md'), join(target, 'LICENSE.md'));

const manifest = JSON.parse(readFileSync(join(CHAMPION, 'package.json'), 'utf8'));
const { name, version, description, license, engines } = manifest;
const built = {
  ...{ name, version, description, license, private: true, engines },
  ...{ types: './bson.d.ts', main: './bson.cjs', module: './bson.mjs' },
  exports: {
    types: './bson.d.ts',
    browser: { import: './bson.web.mjs', default: './bson.web.cjs' },
    ...{ import: './bson.mjs', default: './bson.cjs' },
  },
};
writeFileSync(join(target, 'package.json'), `${JSON.stringify(built, null, 2)}\n`);
