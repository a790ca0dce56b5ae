import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { FormatError } from '../../lib/errors.js';
import { generatorFor } from '../../stats/plan.js';
import { PROJECT } from '../../lib/project.js';
import { editSource } from './edit-source.js';
import { findPackageDirectory, listSources } from './list-sources.js';
import { mirrorTree } from './mirror-tree.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { PlannedLayoutJob, ResolvedVariant } from '../../formats/types.ts' */
/** @import { FoundFamily } from '../families.js' */

/** Apart from the streams that order jobs. */
const STREAMS = { baseline: 1_000_001, candidate: 1_000_002 };
/** Letters of the name of the directory: a longer path is another place of its strings. */
const MOST_LETTERS = 40;
/** Of a family: what drives the variant, and is the same for both sides. */
const OPERATIONS = 'operations';

/** @typedef {Pick<PlannedLayoutJob, 'arm' | 'layout'>} LayoutPlace */

/**
 * What a layout loads in place of the variant.
 *
 * @typedef {object} EditedVariant
 * @property {ResolvedVariant} variant
 * @property {string} familyPath of the family whose `compose.js` and operations go with it
 */

/**
 * A copy of a variant with edits that keep its meaning. Seed, side and number decide them.
 *
 * @param {ResolvedVariant} variant that the JavaScript worker measures
 * @param {Pick<FoundFamily, 'path'>} family
 * @param {LayoutPlace & { seed: number, path: string }} place the path is that of a directory for
 *   layouts
 * @returns {EditedVariant}
 * @throws {FormatError} when it cannot be parsed, copied or edited; the message begins with it
 */
export function editVariant(variant, family, { seed, arm, layout, path }) {
  const random = generatorFor(seed, layout, STREAMS[arm]);
  const isBuiltIn = variant.kind === 'built-in';
  const { root, files, edited } = isBuiltIn
    ? collectBuiltIn(variant, family.path)
    : collectModule(variant.modulePath);
  const texts = new Map([...files].map((file) => [file, readFileSync(file, 'utf8')]));
  for (const [file, { text, kind }] of edited) texts.set(file, editSource(text, kind, random));
  const target = join(path, `${arm}-${layout}`, nameDirectory(random));
  mirrorTree(root, texts, target);
  /** @param {string} original */
  const move = (original) => join(target, relative(root, original));
  return {
    variant: { ...variant, modulePath: move(variant.modulePath) },
    familyPath: isBuiltIn ? move(family.path) : family.path,
  };
}

/**
 * @typedef {object} Collected
 * @property {string} root of all of it
 * @property {string[]} files that are copied as they are
 * @property {ReturnType<typeof listSources>} edited in an order that is always the same
 */

/**
 * A family goes as a whole, so that `compose.js` puts the same copies together. Of a variant that it
 * does not compose, only what the variant loads need be edited.
 *
 * @param {ResolvedVariant} variant
 * @param {string} familyPath
 * @returns {Collected}
 */
function collectBuiltIn({ modulePath, settings, buildPath }, familyPath) {
  const files = listFamilyFiles(familyPath);
  const isComposed = Object.keys(settings).length > 0 || buildPath !== undefined;
  const entries = isComposed
    ? files.filter((file) => !isOperation(file, familyPath))
    : [modulePath];
  const isOwn = (/** @type {string} */ file) => file.startsWith(familyPath + sep);
  const isInProject = familyPath.startsWith(PROJECT.projectPath + sep);
  return {
    root: isInProject ? PROJECT.projectPath : dirname(dirname(familyPath)),
    files,
    edited: sortSources([...listSources(entries)].filter(([file]) => isOwn(file))),
  };
}

/**
 * A module with what it loads by relative paths, in the package around it.
 *
 * @param {string} modulePath
 * @returns {Collected}
 */
function collectModule(modulePath) {
  const edited = sortSources([...listSources([modulePath])]);
  let root = findPackageDirectory(modulePath) ?? dirname(modulePath);
  for (const file of edited.keys()) {
    while (!file.startsWith(root + sep)) {
      if (root === dirname(root)) throw new FormatError('its files have no directory in common');
      root = dirname(root);
    }
  }
  return { root, files: [], edited };
}

/**
 * @param {[string, import('./list-sources.js').Source][]} sources
 * @returns {Collected['edited']}
 */
function sortSources(sources) {
  return new Map(sources.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** @param {string} familyPath */
function listFamilyFiles(familyPath) {
  return readdirSync(familyPath, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.[cm]?js$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/test-support|node_modules/.test(relative(familyPath, file)));
}

/**
 * @param {string} file
 * @param {string} familyPath
 */
function isOperation(file, familyPath) {
  return relative(familyPath, file).startsWith(OPERATIONS + sep);
}

/** @param {RandomGenerator} random */
function nameDirectory(random) {
  const letters = (random.next() >>> 0).toString(36).repeat(7);
  return letters.slice(0, 1 + ((random.next() >>> 0) % MOST_LETTERS));
}
