/**
 * Checks that types are imported in the same direction as code: applies the rules of `.dependency-cruiser.cjs` to
 * imports in comments (`@import`, `import('…')`) and in .ts files, which dependency-cruiser cannot read.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { pathToFileURL } from 'node:url';
import config from '../.dependency-cruiser.cjs';

/** A relative path that is imported, in code or in a comment. */
const IMPORT = /(?:\bfrom\s|\bimport\()\s*'(\.{1,2}\/[^']+)'/g;

/** @typedef {{ name: string, from: { path: string, pathNot?: string }, to: { path?: string, pathNot?: string } }} Rule */

/**
 * Lists the imports of a file that a rule forbids.
 *
 * @param {string} path of the file, relative to the root of the checkout
 * @param {string} text its content
 * @param {Rule[]} [rules]
 * @returns {string[]} `below-stats: harness/stats/a.js imports harness/run/b.js`
 */
export function listForbidden(path, text, rules = RULES) {
  const imported = [...text.matchAll(IMPORT)].map(([, target]) => join(dirname(path), target));
  return rules.flatMap(({ name, from, to }) => {
    const match = new RegExp(from.path).exec(path);
    if (match === null || (from.pathNot !== undefined && new RegExp(from.pathNot).test(path))) {
      return [];
    }
    const allowed = new RegExp((to.pathNot ?? '^').replaceAll('$1', match[1] ?? ''));
    return [...new Set(imported)]
      .filter((target) => new RegExp(to.path ?? '').test(target) && !allowed.test(target))
      .map((target) => `${name}: ${path} imports ${target}`);
  });
}

/** Those between folders of the project. */
const RULES = /** @type {Rule[]} */ (config.forbidden).filter(({ to }) => to.pathNot !== undefined);

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const files = execFileSync('git', ['ls-files', '*.js', '*.ts'], { encoding: 'utf8' });
  const forbidden = files
    .split('\n')
    .filter((path) => existsSync(path) && path !== '')
    .flatMap((path) => listForbidden(path, readFileSync(path, 'utf8')));
  for (const line of forbidden) console.error(line);
  if (forbidden.length > 0) {
    console.error(
      '\nDeclare a type that several folders need in harness/formats/ or harness/lib/.',
    );
    process.exitCode = 1;
  }
}
