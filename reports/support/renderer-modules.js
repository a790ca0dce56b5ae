/** The renderers of a folder, as contract tests want them. Used by tests only. */

// Tests read folders; what is under test does not.
// eslint-disable-next-line no-restricted-imports
import { readdirSync } from 'node:fs';

/**
 * @param {string} url of any file in the folder
 * @returns {Promise<{ moduleName: string, renderer: any }[]>} by name of the module
 */
export async function listRendererModules(url) {
  const names = readdirSync(new URL('.', url)).filter(
    (name) => name.endsWith('.js') && !name.endsWith('.test.js'),
  );
  const modules = [];
  // One after the other: jest links modules that are imported at once in the wrong order.
  for (const name of names.sort()) {
    const { renderer } = await import(new URL(name, url).href);
    modules.push({ moduleName: name.replace(/\.js$/, ''), renderer });
  }
  return modules;
}
