import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PROJECT } from '../../harness/lib/project.js';
import { openBundler } from '../../harness/variants/bundler.js';

/** @import { PluginBuild } from '../../harness/variants/bundler.js' */
/** @typedef {{ name: string, setup: (build: PluginBuild) => void }} Plugin */

const FAMILY = join(PROJECT.experimentsPath, 'js-bson');
const WEB_BUFFER = join(FAMILY, 'champion', 'web-buffer.js');
/** The package has its sources. */
const BSON_SOURCES = join(dirname(createRequire(import.meta.url).resolve('bson')), '..', 'src');

/**
 * Bundles `champion` with what it uses of bson into one file that imports nothing. Loading it is faster than loading
 * its modules and bson, since random bytes, the module `v8` and buffers wait until they are first needed.
 *
 * @param {'esm' | 'cjs'} format
 * @param {Plugin[]} [plugins] of the bundler, which come before those used here
 * @returns {Promise<string>}
 * @throws {import('../../harness/lib/errors.js').AssayError} when the bundler cannot be installed
 */
export async function bundleChampion(format, plugins = []) {
  const build = await openBundler(PROJECT);
  const { outputFiles } = await build({
    entryPoints: [join(FAMILY, 'champion', 'index.js')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    target: 'node20',
    // Comments and spaces are a third of the text, and take time to skip.
    minifyWhitespace: true,
    lineLimit: 120,
    logLevel: 'silent',
    plugins: [...plugins, deferWork],
  });
  const code = restoreNames(new TextDecoder().decode(outputFiles[0].contents));
  return format === 'esm' ? code : convertModule(code);
}

/** @type {Plugin} */
const deferWork = {
  name: 'defer-work',
  setup(build) {
    build.onResolve({ filter: /^bson$/ }, () => ({ path: join(BSON_SOURCES, 'index.ts') }));
    for (const [filter, change] of CHANGES) {
      build.onLoad({ filter }, ({ path }) => ({
        contents: change(readFileSync(path, 'utf8')),
        loader: 'ts',
      }));
    }
  },
};

/**
 * Gives the champion's files a module in the place of the global Buffer. Those of bson look for it themselves.
 * @type {Plugin}
 */
export const withoutBuffer = {
  name: 'without-buffer',
  setup(build) {
    const head = `import { Buffer } from ${JSON.stringify(WEB_BUFFER)};`;
    build.onLoad({ filter: /\.js$/ }, ({ path }) =>
      path.startsWith(FAMILY) && path !== WEB_BUFFER
        ? { contents: `${head}\n${readFileSync(path, 'utf8')}` }
        : null,
    );
  },
};

/** What takes time as bson is loaded, and is seldom needed. */
const CHANGES = /** @type {const} */ ([
  [/(node|web)_byte_utils\.ts$/, deferRandomBytes],
  [/long\.ts$/, deferWebAssembly],
  [/\bsrc.objectid\.ts$/, deferV8],
  [/\bsrc.bson\.ts$/, deferBuffer],
]);

/**
 * Looks for cryptography when random bytes are first needed: Node loads it when it is looked for.
 * @type {(source: string) => string}
 */
function deferRandomBytes(source) {
  const CHOICE = /= (\(\(\) => \{\n {2}const \{ crypto \} = .*?\n\}\)\(\));/s;
  return replaceOnce(source, CHOICE, '= (size: number) => $1(size);');
}

/**
 * Compiles its WebAssembly when it is first needed.
 * @type {(source: string) => string}
 */
function deferWebAssembly(source) {
  const TRIAL = /^try \{.*?^\} catch \{.*?^\}$/ms;
  const OPEN =
    'let isOpen = false;\nfunction openWasm() {\nif (isOpen) return wasm;\nisOpen = true;\n$&\nreturn wasm;\n}';
  return replaceOnce(source, TRIAL, OPEN).replaceAll('if (wasm)', 'if (openWasm())');
}

/** @type {(source: string, pattern: RegExp, replacement: string) => string} */
function replaceOnce(source, pattern, replacement) {
  if (!pattern.test(source)) throw new Error(`the sources of bson do not have ${pattern}`);
  return source.replace(pattern, replacement);
}

/**
 * Loads Node's module `v8` only where a snapshot is built, which is all that ids need it for; it takes more than a millisecond.
 * @type {(source: string) => string}
 */
function deferV8(source) {
  const LOOKUP = /globalThis\?\.process\?\.getBuiltinModule\?\.\('v8'\)/;
  const isBuilding =
    "globalThis.process?.execArgv?.some((word) => word.startsWith('--build-snapshot'))";
  return replaceOnce(source, LOOKUP, `(${isBuilding} ? $& : undefined)`);
}

/**
 * Leaves out the buffer of bson's own writer, which makes one when it is first needed.
 * @type {(source: string) => string}
 */
function deferBuffer(source) {
  return replaceOnce(
    source,
    /let buffer = ByteUtils\.allocate\(MAXSIZE\);/,
    'let buffer = ByteUtils.allocate(0);',
  );
}

/**
 * Gives classes their names again, which the bundler changes where a class refers to itself.
 * @type {(code: string) => string}
 */
function restoreNames(code) {
  const changed = [...code.matchAll(/\bvar\s+\w+\s*=\s*class\s+_(\w+)/g)].map(([, name]) => name);
  return changed.reduce(
    (text, name) => text.replaceAll(new RegExp(`\\b_${name}\\b`, 'g'), name),
    code,
  );
}

/**
 * Assigns the exports, as bson does, so that a test can replace them; those of the bundler are getters.
 * @type {(code: string) => string} CommonJS
 */
function convertModule(code) {
  const [declarations, names] = code.split(/\bexport\s*\{([^}]*)\};?\s*$/);
  const assigned = names.split(',').map((name) => {
    const [own, other = own] = name.trim().split(/\s+as\s+/);
    return `exports.${other} = ${own};\n`;
  });
  return `'use strict';\n${declarations}${assigned.join('')}`;
}
