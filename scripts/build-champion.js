/**
 * Builds `champion` as a package of its own, which can be installed in place of bson: one file without dependencies as
 * an ES module, the same as CommonJS, and types. The value classes are those of the installed bson.
 *
 *     node scripts/build-champion.js DIRECTORY
 */

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { PROJECT } from '../harness/lib/project.js';
import { openBundler } from '../harness/variants/bundler.js';

const CHAMPION = join(PROJECT.experimentsPath, 'js-bson', 'champion');
const BSON = dirname(dirname(createRequire(import.meta.url).resolve('bson')));

const [directory] = process.argv.slice(2);
if (directory === undefined) {
  console.error('error: no directory\nusage: node scripts/build-champion.js DIRECTORY');
  process.exit(2);
}
const target = resolve(directory);
mkdirSync(target, { recursive: true });

const code = restoreNames(await bundle(join(CHAMPION, 'index.js')));
writeFileSync(join(target, 'bson.mjs'), code);
writeFileSync(join(target, 'bson.cjs'), convertToCommonJs(code));
copyFileSync(join(BSON, 'bson.d.ts'), join(target, 'bson.d.ts'));
copyFileSync(join(BSON, 'LICENSE.md'), join(target, 'LICENSE.md'));

const manifest = JSON.parse(readFileSync(join(CHAMPION, 'package.json'), 'utf8'));
const { name, version, description, license, engines } = manifest;
const built = {
  ...{ name, version, description, license, private: true, engines },
  ...{ types: './bson.d.ts', main: './bson.cjs', module: './bson.mjs' },
  exports: { types: './bson.d.ts', import: './bson.mjs', default: './bson.cjs' },
};
writeFileSync(join(target, 'package.json'), `${JSON.stringify(built, null, 2)}\n`);

/** @type {(path: string) => Promise<string>} an ES module */
async function bundle(path) {
  const build = await openBundler(PROJECT);
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'silent',
  });
  return new TextDecoder().decode(outputFiles[0].contents);
}

/**
 * Gives classes their names again, which the bundler changes where a class refers to itself.
 * @type {(code: string) => string}
 */
function restoreNames(code) {
  const changed = [...code.matchAll(/^var \w+ = class _(\w+)/gm)].map(([, name]) => name);
  return changed.reduce(
    (text, name) => text.replaceAll(new RegExp(`\\b_${name}\\b`, 'g'), name),
    code,
  );
}

/**
 * Assigns the exports, as bson does, so that a test can replace them; those of the bundler are getters.
 * @type {(code: string) => string}
 */
function convertToCommonJs(code) {
  const [declarations, names] = code.split(/^export \{\n(.*)\n\};\n$/ms);
  const imported = declarations.replace(/^import (.*) from (.*);$/gm, 'const $1 = require($2);');
  const exported = names.replace(/^ *(\w+)(?: as (\w+))?,?$/gm, (_line, own, name = own) => {
    return `exports.${name} = ${own};`;
  });
  return `'use strict';\n${imported}${exported}\n`;
}
