import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** @import { FormatModule } from './codec/types.ts' */

/**
 * Gives a variant the library that it names, from the build of the family.
 * @param {object} module namespace of the variant
 * @param {Record<string, string>} _settings none: the family has no axes
 * @param {{ buildPath: string | null }} built null where the variant needs no library
 * @returns {Promise<Record<string, any>>}
 */
export async function composeVariant(module, _settings, { buildPath }) {
  const { libraryName, openFormat } = /** @type {FormatModule} */ (module);
  if (libraryName === undefined || buildPath === null) return module;
  const { resolve } = createRequire(join(buildPath, 'packages/'));
  // Browsers are given ES modules by most libraries, and Node CommonJS.
  const namespace = await import(pathToFileURL(resolve(libraryName)).href);
  const library = namespace.default ?? namespace;
  return {
    ...module,
    /** @type {FormatModule['openFormat']} */
    openFormat: (documents) => openFormat(documents, library),
  };
}
