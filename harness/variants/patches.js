import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { FormatError } from '../lib/errors.js';
import { readText } from '../lib/files.js';
import { didYouMean } from '../lib/words.js';
import { getOrCreate } from './cache.js';
import { findTreeRoot, listFamilyFiles, mirrorTree } from './family-tree.js';

/** @import { StructuredPatch } from 'diff' */
/** @import { VariantDescription } from '../formats/types.ts' */
/** @import { Places } from './cache.js' */
/** @import { FoundFamily } from './families.js' */

/** @typedef {Pick<FoundFamily, 'name' | 'path' | 'variants'>} PatchedFamily */

/**
 * A variant that is an edit of its neighbour: `variants/NAME.patch`, with a head of `field: text` lines
 * and a unified diff of JavaScript files of the family. The diffs of the patches that it is made `with` come first.
 *
 * @typedef {object} Patch
 * @property {string} name
 * @property {string} where the file in messages
 * @property {PatchHead} head
 * @property {string} diff empty if it has none of its own
 */

/**
 * @typedef {Required<Pick<VariantDescription, 'idea' | 'source' | 'neighbour' | 'differs'>> & { with: string[] }} PatchHead
 *   `with`: names of patches
 */

const ENDING = '.patch';
const REQUIRED = /** @type {const} */ (['idea', 'source', 'neighbour']);
const HEAD_REMEDY =
  "begin it with the lines 'idea: …', 'source: …', 'neighbour: …' and, if need be, 'differs: …' and 'with: …'";
/** Changes with the layout of a patched copy, so that older ones are not used. */
const LAYOUT = 1;
/** Digits of the digest in the name of a patched copy. */
const NAME_DIGITS = 16;

/** Names of the patches in a folder of variants. @type {(path: string) => string[]} */
export function listPatches(path) {
  return readdirSync(path)
    .filter((name) => name.endsWith(ENDING))
    .map((name) => name.slice(0, -ENDING.length));
}

/** @type {(family: Pick<FoundFamily, 'path'>, name: string) => boolean} */
export function isPatch({ path }, name) {
  return existsSync(join(path, 'variants', `${name}${ENDING}`));
}

/**
 * @param {PatchedFamily} family
 * @param {string} name
 * @returns {Patch}
 * @throws {FormatError} when a field of its head is missing or unknown, or there is neither a diff nor `with`
 */
export function readPatch(family, name) {
  const where = `variants/${name}${ENDING} of ${family.name}`;
  const text = readText(join(family.path, 'variants', `${name}${ENDING}`), where, 'restore it');
  const found = text.search(/^(?:diff --git|---) /m);
  const start = found === -1 ? text.length : found;
  const head = parseHead(text.slice(0, start), where);
  const diff = text.slice(start);
  if (diff === '' && head.with.length === 0) {
    throw new FormatError(`${where} has no diff`, { remedy: 'append the output of git diff' });
  }
  return { name, where, head, diff };
}

/**
 * A line that begins with a blank continues the field before it.
 * @type {(text: string, where: string) => PatchHead}
 */
function parseHead(text, where) {
  /** @type {Partial<PatchHead> & Pick<PatchHead, 'differs' | 'with'>} */
  const head = { differs: [], with: [] };
  const lines = text.replace(/\n[ \t]+(?=\S)/g, ' ').split(/\r?\n/);
  for (const line of lines.filter((one) => one.trim() !== '')) {
    const [, name, value = ''] = /^([a-z]+): +(.*\S)\s*$/.exec(line) ?? [];
    const field = REQUIRED.find((one) => one === name);
    if (name === 'differs') head.differs.push(value);
    else if (name === 'with') head.with.push(...value.split(/\s*,\s*/));
    else if (field !== undefined && head[field] === undefined) head[field] = value;
    else throw new FormatError(`${where} has an invalid line: '${line}'`, { remedy: HEAD_REMEDY });
  }
  const missing = REQUIRED.find((field) => head[field] === undefined);
  if (missing === undefined) return /** @type {PatchHead} */ (head);
  throw new FormatError(`${where} has no '${missing}'`, { remedy: HEAD_REMEDY });
}

/**
 * Makes the copy of a family in which a patch is applied to its neighbour, unless the cache has it. It has
 * the layout of the project: copies of all JavaScript files of the family, and links to everything else.
 *
 * @param {PatchedFamily} family
 * @param {string} name of a patch
 * @param {Places} places
 * @returns {Promise<{ modulePath: string, patchedPath: string }>} absolute paths of the variant's module
 *   and of the family in the copy
 * @throws {FormatError} when the patch is invalid or does not apply, or its neighbours form a cycle
 */
export async function patchFamily(family, name, { cachePath, onNote }) {
  const patches = listStack(family, name).flatMap((patch) => addParts(family, patch));
  const root = findTreeRoot(family.path);
  const texts = new Map(
    listFamilyFiles(family.path)
      .sort()
      .map((file) => [file, readFileSync(file, 'utf8')]),
  );
  const home = join(cachePath, 'patched', family.name, digestCopy(family.path, texts, patches));
  const fill = async (/** @type {string} */ staging) => {
    for (const patch of patches) await applyTo(texts, patch, family.path);
    mirrorTree(root, texts, staging);
  };
  await getOrCreate(home, fill, { onNote });
  const patchedPath = join(home, relative(root, family.path));
  return { modulePath: join(patchedPath, 'variants', `${name}.js`), patchedPath };
}

/**
 * The patch and the patches that it is on top of, the innermost first.
 * @type {(family: PatchedFamily, name: string) => Patch[]}
 */
function listStack(family, name) {
  /** @type {Patch[]} */
  const stack = [];
  for (let next = name; isPatch(family, next); next = stack[0].head.neighbour) {
    if (stack.some((patch) => patch.name === next)) {
      const names = [next, ...stack.map((patch) => patch.name)].reverse().join(' → ');
      throw new FormatError(`the neighbours of ${stack.at(-1)?.where} form a cycle: ${names}`, {
        remedy: "one of them needs a neighbour that is a module: 'neighbour: …' in its head",
      });
    }
    stack.unshift(readPatch(family, next));
  }
  const [{ where, head }] = stack;
  if (family.variants.includes(head.neighbour)) return stack;
  const { neighbour } = head;
  throw new FormatError(
    `${where}: no variant '${neighbour}'${didYouMean(neighbour, family.variants)}`,
    { remedy: "correct 'neighbour: …' in its head" },
  );
}

/**
 * The patches that a patch is made `with`, in their order, then itself, with their differences.
 * @type {(family: PatchedFamily, patch: Patch) => Patch[]}
 */
function addParts(family, patch) {
  const { where, head } = patch;
  const refuse = (/** @type {string} */ problem) =>
    new FormatError(`${where}: ${problem}`, { remedy: "correct 'with: …' in its head" });
  const parts = head.with.map((name) => {
    if (!isPatch(family, name)) {
      throw refuse(
        `no patch '${name}'${didYouMean(name, listPatches(join(family.path, 'variants')))}`,
      );
    }
    const part = readPatch(family, name);
    if (part.head.with.length > 0) throw refuse(`'${name}' has a 'with' itself`);
    return { ...part, where: `${part.where} (a part of '${patch.name}')` };
  });
  const differs = [...parts, patch].flatMap((one) => one.head.differs);
  return [...parts, { ...patch, head: { ...head, differs } }];
}

/**
 * @param {string} familyPath also part of the digest, since a copy has links to the checkout
 * @param {Map<string, string>} texts
 * @param {Patch[]} patches
 */
function digestCopy(familyPath, texts, patches) {
  const parts = [familyPath, ...[...texts].flat(), ...patches.flatMap(Object.values)];
  return createHash('sha256')
    .update(JSON.stringify([LAYOUT, parts]))
    .digest('hex')
    .slice(0, NAME_DIGITS);
}

/**
 * Applies a patch and adds the module of the variant.
 * @type {(texts: Map<string, string>, patch: Patch, familyPath: string) => Promise<void>}
 */
async function applyTo(texts, { name, where, head, diff }, familyPath) {
  texts.set(join(familyPath, 'variants', `${name}.js`), writeModule(head));
  if (diff === '') return;
  // Loaded on demand, since most commands apply no patch.
  const { applyPatch, parsePatch } = await import('diff');
  for (const change of parseDiff(diff, where, parsePatch)) {
    const { file, shown } = findFile(change, { texts, where, familyPath });
    const before = texts.get(file) ?? '';
    const after = applyPatch(before, change, { fuzzFactor: 0 });
    if (after === false) {
      const hunks = change.hunks.map((_, index) => change.hunks.slice(0, index + 1));
      const failed = hunks.find((some) => applyPatch(before, { ...change, hunks: some }) === false);
      const { oldStart } = (failed ?? change.hunks).slice(-1)[0];
      throw new FormatError(
        `${where} does not apply to '${shown}': its hunk at line ${oldStart} does not match`,
        { remedy: `update the hunk to the '${shown}' that it changes` },
      );
    }
    texts.set(file, after);
  }
}

/** @param {PatchHead} head */
function writeModule({ idea, source, neighbour, differs }) {
  const own = JSON.stringify({ idea, source, neighbour }, null, 2);
  return [
    `import { variant as neighbour } from './${neighbour}.js';`,
    '',
    `export * from './${neighbour}.js';`,
    '',
    'export const variant = {',
    '  ...neighbour,',
    `  ...${own.replaceAll('\n', '\n  ')},`,
    ...(differs.length === 0
      ? []
      : [`  differs: [...(neighbour.differs ?? []), ...${JSON.stringify(differs)}],`]),
    '};',
    '',
  ].join('\n');
}

/** @type {(diff: string, where: string, parsePatch: (text: string) => StructuredPatch[]) => StructuredPatch[]} */
function parseDiff(diff, where, parsePatch) {
  let changes;
  try {
    changes = parsePatch(diff);
  } catch (cause) {
    const { message } = /** @type {Error} */ (cause);
    throw new FormatError(`the diff of ${where} is invalid: ${message}`, {
      cause,
      remedy: 'write it with git diff; the numbers after @@ must match its lines',
    });
  }
  const lines = changes.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines));
  const changedCount = countChanged(lines);
  if (changedCount === 0) {
    throw new FormatError(`the diff of ${where} changes nothing`, { remedy: 'remove it' });
  }
  // The parser skips what has no valid '@@' line before it. Each file has two lines of names.
  if (countChanged(diff.split('\n')) === changedCount + 2 * changes.length) return changes;
  throw new FormatError(`the diff of ${where} has changed lines outside of its hunks`, {
    remedy: "write it with git diff; each hunk begins with '@@ -LINE,COUNT +LINE,COUNT @@'",
  });
}

/** @type {(lines: string[]) => number} those that are added or removed, or names of files */
function countChanged(lines) {
  return lines.filter((line) => /^[+-]/.test(line)).length;
}

const NO_FILE = '/dev/null';
/** What the harness loads from the family itself, for all variants. */
const SHARED = /^(operations\/.*|(family|worker|conformance|fuzz|retain)\.js)$/;

/**
 * @param {StructuredPatch} change
 * @param {{ texts: Map<string, string>, where: string, familyPath: string }} context
 * @returns {{ file: string, shown: string }} its absolute path, and that below the family
 */
function findFile({ oldFileName, newFileName, hunks }, { texts, where, familyPath }) {
  const [before, after] = [oldFileName, newFileName].map((name = '') =>
    name.replace(/^[ab]\//, ''),
  );
  const file = join(familyPath, after);
  const isNew = before === NO_FILE;
  const refuse = (/** @type {string} */ problem) => {
    return new FormatError(`${where}: '${isNew ? after : before}' ${problem}`, {
      remedy:
        'a patch changes or adds JavaScript files; its paths are a/… and b/… below the family',
    });
  };
  if (!isNew && after !== before) throw refuse('is removed or renamed');
  if (!/\.[cm]?js$/.test(after) || !file.startsWith(familyPath + sep)) {
    throw refuse('is not a JavaScript file of the family');
  }
  if (SHARED.test(after)) throw refuse('is shared by all variants');
  if (isNew && texts.has(file)) throw refuse('exists already');
  if (!isNew && !texts.has(file)) throw refuse('does not exist');
  if (!isNew && hunks.some(({ oldLines }) => oldLines === 0))
    throw refuse('has a hunk without context');
  return { file, shown: after };
}
