/** Benchmark files in TypeScript: each becomes one module, so that any Node runs it. */

import { realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssayError, UsageError } from '../../lib/errors.js';
import { openBundler } from '../bundler.js';

/** @import { PackagePlaces } from '../npm.js' */
/** @import { PluginBuild } from '../bundler.js' */

const TYPESCRIPT = /\.[cm]?tsx?$/;
/** What cannot be imported as it is, under every Node: TypeScript and JSON. */
const BUNDLED = /\.([cm]?tsx?|json)$/;
const MODULES = 'node_modules';
/** What a file that was written for CommonJS may use. */
const COMMONJS = fileURLToPath(new URL('../../worker/bench/commonjs.js', import.meta.url));
/** The bundler renames what a file itself declares with this name. */
const REQUIRE =
  "import { createRequire as __assayRequire } from 'node:module';\nconst require = __assayRequire(import.meta.url);";

/** @param {string} file */
export function isTypeScript(file) {
  return TYPESCRIPT.test(file);
}

/** @param {string} file @returns {string} what is loaded: its bundle, or a file in JavaScript itself */
export function nameBundle(file) {
  return isTypeScript(file) ? `${file}.mjs` : file;
}

/**
 * Bundles each file in TypeScript with the modules in TypeScript and JSON that it reaches in its tree, beside it, with a
 * source map. Packages and JavaScript are imported as ever, so that stand-ins and builds of the variant are found.
 *
 * @param {string} top absolute path of the copy of a tree
 * @param {string[]} files paths relative to it
 * @param {PackagePlaces} places
 * @throws {UsageError} when one is no TypeScript
 * @throws {AssayError} when the bundler cannot be installed
 */
export async function bundleTypeScript(top, files, places) {
  if (files.length === 0) return;
  const build = await openBundlerFor(files[0], places);
  for (const file of files) {
    try {
      await build({
        absWorkingDir: top,
        entryPoints: [join(top, file)],
        outfile: join(top, nameBundle(file)),
        bundle: true,
        sourcemap: true,
        format: 'esm',
        platform: 'node',
        // The oldest Node that measures; others get the same code.
        target: 'node20',
        // A module without side effects is loaded by Node all the same.
        ignoreAnnotations: true,
        logLevel: 'silent',
        inject: [COMMONJS],
        banner: { js: REQUIRE },
        plugins: [leaveJavaScript(realpathSync(top), dirname(join(realpathSync(top), file)))],
      });
    } catch (error) {
      const [, problem = error] = String(error).split('\n', 2);
      throw new UsageError(`'${file}' cannot be bundled: ${problem}`.replaceAll(`${top}/`, ''), {
        remedy: 'name the JavaScript file that a build makes of it',
      });
    }
  }
}

/** @type {(file: string, places: PackagePlaces) => ReturnType<typeof openBundler>} */
async function openBundlerFor(file, places) {
  try {
    return await openBundler(places);
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    const { message, remedy, exitStatus } = error;
    throw new AssayError(`'${file}' is TypeScript, which needs a bundler: ${message}`, {
      remedy: `${remedy}, or name the JavaScript file that a build makes of it`,
      ...{ exitStatus, cause: error },
    });
  }
}

/** @type {(top: string, folder: string) => { name: string, setup: (build: PluginBuild) => void }} */
function leaveJavaScript(top, folder) {
  return {
    name: 'leave-javascript',
    setup(build) {
      build.onResolve({ filter: /./ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (kind === 'entry-point' || path === COMMONJS || pluginData === leaveJavaScript)
          return null;
        const found = await build.resolve(path, {
          ...{ kind, importer, resolveDir },
          pluginData: leaveJavaScript,
        });
        const isOwn =
          found.path.startsWith(top + sep) &&
          !relative(top, found.path).split(sep).includes(MODULES);
        if (isOwn && BUNDLED.test(found.path)) return { path: found.path };
        if (!path.startsWith('.')) return { path, external: true };
        // Imports of a module elsewhere are those of the bundle now.
        const whole = found.errors.length === 0 ? found.path : join(resolveDir, path);
        const inside = relative(folder, whole).split(sep).join('/');
        return { path: inside.startsWith('.') ? inside : `./${inside}`, external: true };
      });
    },
  };
}
