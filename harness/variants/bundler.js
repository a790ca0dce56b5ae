/** The bundler, which is installed into the cache when it is first needed. */

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findNpmPackage } from './npm.js';

/** Another version may bundle or minify otherwise. */
export const BUNDLER = { name: 'esbuild', version: '0.28.2' };

/**
 * What is used of its interface, https://esbuild.github.io/api/.
 *
 * @typedef {{ path: string, kind: string, importer: string, resolveDir: string, pluginData?: unknown }} ResolveArgs
 * @typedef {{ path: string }} LoadArgs
 * @typedef {object} PluginBuild
 * @property {(filter: { filter: RegExp, namespace?: string }, load: (args: LoadArgs) => object | null) => void} onLoad
 * @property {(filter: { filter: RegExp }, resolve: (args: ResolveArgs) => Promise<object | null> | object | null) => void} onResolve
 * @property {(path: string, options: object) => Promise<{ path: string, errors: object[] }>} resolve
 *
 * @callback Build
 * @param {object} options
 * @returns {Promise<{ outputFiles: { contents: Uint8Array }[] }>}
 */

/**
 * @param {import('./npm.js').PackagePlaces} places
 * @returns {Promise<Build>}
 * @throws {import('../lib/errors.js').AssayError} when the bundler cannot be installed
 */
export async function openBundler(places) {
  const { path } = await findNpmPackage(BUNDLER.name, BUNDLER.version, places);
  const entry = createRequire(join(path, 'package.json')).resolve(path);
  return (await import(pathToFileURL(entry).href)).default.build;
}
