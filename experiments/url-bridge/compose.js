import { openAddon } from './bridge/addon.js';

/** @import { Addon, BoundVariant, UrlClass, UrlObject } from './bridge/types.ts' */

/** Version for a Node without Ada. */
const BEFORE_ADA = '0.0.0';

/**
 * Prepares a variant for operations: one with `bindAddon` is bound to the addon; a URL class that
 * needs no addon (of Node or whatwg-url) is its own crossing.
 * @param {object} module namespace of the variant
 * @param {Record<string, string>} _settings none: the family has no axes
 * @param {{ buildPath: string | null }} built null where the variant needs no addon
 * @returns {Promise<Record<string, any>>}
 * @throws {import('../../harness/lib/errors.js').MachineError} when the addon cannot be loaded
 */
export async function composeVariant(module, _settings, { buildPath }) {
  const { bindAddon } = /** @type {{ bindAddon?: (addon: Addon) => BoundVariant }} */ (module);
  if (bindAddon !== undefined && buildPath !== null) {
    const addon = openAddon(buildPath);
    return { ...module, ...bindAddon(addon), adaVersion: addon.adaVersion };
  }
  const { URL } = /** @type {{ URL: UrlClass }} */ (module);
  const ada = URL === globalThis.URL ? { adaVersion: process.versions.ada ?? BEFORE_ADA } : {};
  return { ...module, ...bindClass(URL), ...ada };
}

/** @type {(URL: UrlClass) => BoundVariant<UrlObject>} */
function bindClass(URL) {
  return {
    URL,
    cross: function constructOrNothing(input) {
      try {
        return new URL(input);
      } catch {
        return undefined;
      }
    },
    takeHrefLength: ({ href }) => href.length,
  };
}
