/** Families that are generated for benchmark files: an operation for each of their cases. */

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { basename, dirname, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { countOf } from '../../lib/numbers.js';
import { omitUndefined } from '../../lib/records.js';
import { getOrCreate } from '../cache.js';
import { askGit } from '../git.js';
import { BENCHES } from './folders.js';
import { findUnit, listTree } from './tree.js';

/** @import { BenchCaseTrait, BenchFiles, ListReport, ListedCase } from '../../formats/types.ts' */
/** @import { Places } from '../cache.js' */

const OPERATION_PATH = fileURLToPath(new URL('../../worker/bench/operation.js', import.meta.url));
/** Folder of collected files. */
const TREE = 'tree';
/** A benchmark file: its path, and the tree that it is taken from. @typedef {{ path: string, top: string }} BenchFile */

/**
 * Collects benchmark files with what only they need: the folder of benchmarks that they are in, or files beside them that
 * another tree lacks. What a build makes is not collected: each variant has its own.
 *
 * @param {BenchFile[]} files
 * @param {{ trees: string[], entries: string[] }} variants their trees and, relative to these, the modules of their
 *   packages, which are what is measured
 * @param {Places} places
 * @returns {Promise<string>} absolute path of the folder with copies
 */
export async function collectBenchmarks(files, variants, places) {
  const wanted = new Map(
    files.flatMap((file) => listNeeded(file, variants).map((path) => [path, join(file.top, path)])),
  );
  const hash = createHash('sha256');
  for (const [path, from] of [...wanted].sort())
    hash.update(`${path}\0`).update(readFileSync(from));
  const home = join(places.cachePath, 'bench-files', hash.digest('hex').slice(0, 24));
  await getOrCreate(home, async (staging) => {
    mkdirSync(join(staging, TREE));
    for (const [path, from] of wanted) {
      const copy = join(staging, TREE, path);
      mkdirSync(dirname(copy), { recursive: true });
      copyFileSync(from, copy);
    }
  });
  return join(home, TREE);
}

/** @type {(file: BenchFile) => boolean} whether a build makes it */
export function isBuilt({ path, top }) {
  return askGit(top, ['check-ignore', '--quiet', '--', path]) !== null;
}

/** @type {(file: BenchFile, variants: { trees: string[], entries: string[] }) => string[]} paths relative to the tree */
function listNeeded(file, { trees, entries }) {
  const { path, top } = file;
  if (isBuilt(file)) return [];
  const unit = findUnit(path);
  if (unit !== null && !entries.some((entry) => entry.startsWith(unit + sep))) {
    return listTree(top, unit).files.map(([inside]) => inside);
  }
  const folder = dirname(path);
  const beside = readdirSync(join(top, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(folder, entry.name));
  const isNew = (/** @type {string} */ other) =>
    trees.some((tree) => !existsSync(join(tree, other)));
  return [path, ...beside.filter((other) => other !== path && isNew(other))];
}

/**
 * Says where another tree has other benchmark files.
 * @type {(laidPath: string, top: string, files: string[]) => string | null} null where it has the same
 */
export function compareLaid(laidPath, top, files) {
  const laid = listTree(laidPath).files.map(([path]) => path);
  const differing = laid.filter((path) => {
    const own = join(top, path);
    return !existsSync(own) || !readFileSync(own).equals(readFileSync(join(laidPath, path)));
  });
  if (differing.length === 0) return null;
  const [first] = [...files.filter((file) => differing.includes(file)), ...differing];
  const others =
    differing.length === 1 ? '' : ` and ${countOf(differing.length - 1, 'other file')}`;
  return `${existsSync(join(top, first)) ? 'another' : 'no'} ${first}${others}`;
}

/**
 * A case that is measured.
 *
 * @typedef {object} ChosenCase
 * @property {string} operation name of its operation
 * @property {string} title what it is called, unique
 * @property {string} file
 * @property {string} name
 * @property {number} number
 * @property {true} [isAsync]
 * @property {BenchCaseTrait} [trait]
 * @property {string} [unchecked]
 */

const UNCHECKED = {
  nothing: 'it returns nothing',
  varies: 'its result differs from call to call',
  code: 'its result holds functions',
};

/**
 * Chooses the cases that can be measured with every variant.
 *
 * @param {ListReport[]} reports of the baseline, of the candidates, and of the last one again
 * @param {string[]} specs of the reports
 * @returns {{ chosen: ChosenCase[], left: string[] }} `left`: sentences about the others
 */
export function chooseCases(reports, specs) {
  const lists = reports.map(({ cases }) => indexCases(cases));
  const keys = new Set(lists.flatMap((list) => [...list.keys()]));
  /** @type {ChosenCase[]} */
  const chosen = [];
  /** @type {string[]} */
  const left = [];
  for (const key of keys) {
    const each = lists.map((list) => list.get(key));
    const [file, name, number] = /** @type {[string, string, number]} */ (JSON.parse(key));
    const why = explainLeft(each, specs);
    if (why !== null) {
      left.push(`'${name}'${number === 0 ? '' : ` (${number + 1})`} is left out: ${why}`);
      continue;
    }
    const listed = each.filter((one) => one !== undefined);
    const [{ isAsync, trait }] = listed;
    const unchecked = findUnchecked(listed);
    chosen.push({
      ...nameCase(name, chosen),
      ...{ file, name, number },
      ...omitUndefined({ isAsync, trait }),
      ...(unchecked === null ? {} : { unchecked }),
    });
  }
  return { chosen, left: [...left, ...explainFailures(reports, specs)] };
}

/** @type {(reports: ListReport[], specs: string[]) => string[]} why files have no case, each with the first variant that has none of it */
function explainFailures(reports, specs) {
  /** @type {Map<string, string>} */
  const sentences = new Map();
  for (const [index, { failures }] of reports.entries()) {
    const where = index === 0 ? '' : ` with ${specs[index]}`;
    for (const [file, why] of Object.entries(failures)) {
      if (!sentences.has(file)) sentences.set(file, `'${file}' has no case${where}: ${why}`);
    }
  }
  return [...sentences.values()];
}

/** @type {(cases: ListedCase[]) => Map<string, ListedCase>} by file, name, and number among those of this name */
function indexCases(cases) {
  /** @type {Map<string, ListedCase>} */
  const index = new Map();
  for (const one of cases) {
    let number = 0;
    while (index.has(JSON.stringify([one.file, one.name, number]))) number++;
    index.set(JSON.stringify([one.file, one.name, number]), one);
  }
  return index;
}

/** @type {(each: (ListedCase | undefined)[], specs: string[]) => string | null} null for one that is measured */
function explainLeft(each, specs) {
  const missing = each.indexOf(undefined);
  if (missing !== -1) return `${specs[missing]} does not define it`;
  const listed = /** @type {ListedCase[]} */ (each);
  const unsuitable = listed.find(({ outcome }) => outcome === 'unsuitable');
  if (unsuitable !== undefined) return `${unsuitable.detail}`;
  if (listed.some(({ isAsync }) => isAsync !== listed[0].isAsync)) {
    return 'it is asynchronous with only some of the variants';
  }
  const [baseline, ...candidates] = listed;
  // What only a candidate throws is a wrong result, which the gate refuses.
  if (baseline.outcome !== 'throws') return null;
  const isCommon = candidates.every(({ outcome }) => outcome === 'throws');
  return `${baseline.detail}${isCommon ? '' : ` with ${specs[0]}`}`;
}

/** @type {(listed: ListedCase[]) => string | null} */
function findUnchecked(listed) {
  const outcomes = listed.map(({ outcome }) => outcome);
  if (outcomes.includes('throws')) return null;
  if (outcomes.every((outcome) => outcome === 'nothing')) return UNCHECKED.nothing;
  if (outcomes.includes('varies')) return UNCHECKED.varies;
  if (outcomes.every((outcome) => outcome === 'code')) return UNCHECKED.code;
  const isStable = listed.at(-1)?.detail === listed.at(-2)?.detail;
  return isStable ? null : 'its result differs from process to process';
}

/** Names of files may have 255 bytes. */
const MAX_TITLE = 60;

/**
 * The name of its operation, which is that of a file, and the title that reports show.
 * @type {(name: string, chosen: ChosenCase[]) => Pick<ChosenCase, 'operation' | 'title'>}
 */
function nameCase(name, chosen) {
  // Files pad names with dots, to align what they print.
  const clean = name
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .replace(/\.{2,}$/, '')
    .trim();
  const title = [...clean].slice(0, MAX_TITLE).join('') || 'case';
  // Files of results keep only these characters.
  const operation = title.replaceAll(/[^\w.-]+/g, '-').replaceAll(/^[-.]+|[-.]+$/g, '') || 'case';
  const isTaken = (/** @type {string} */ text) =>
    chosen.some((one) => one.operation.toLowerCase() === text.toLowerCase());
  let count = 1;
  while (isTaken(count === 1 ? operation : `${operation}-${count}`)) count++;
  if (count === 1) return { operation, title };
  return { operation: `${operation}-${count}`, title: `${title} (${count})` };
}

/**
 * Writes the family of the cases, unless there is one.
 *
 * @param {BenchFiles} bench
 * @param {ChosenCase[]} cases
 * @param {Places} places
 * @returns {Promise<{ name: string, path: string }>}
 */
export async function writeBenchFamily(bench, cases, places) {
  const [first] = bench.files;
  const key = createHash('sha256').update(JSON.stringify([OPERATION_PATH, bench, cases]));
  const name = `${basename(first).replace(/\..*$/, '')}-${key.digest('hex').slice(0, 8)}`;
  const path = join(places.cachePath, BENCHES, name);
  await getOrCreate(path, async (staging) => {
    const family = {
      name,
      summary: `benchmarks in ${bench.files.join(', ')}`,
      reference: 'the baseline',
      packages: [],
      takesModules: true,
      defaultOperations: cases.map(({ operation }) => operation),
      memory: ['allocation', 'collections'],
      bench,
    };
    mkdirSync(join(staging, 'operations'));
    // The modules have the names of their own package wherever the cache is.
    writeFileSync(join(staging, 'package.json'), '{ "type": "module" }\n');
    writeFileSync(
      join(staging, 'family.js'),
      `export const family = ${JSON.stringify(family, null, 2)};\n`,
    );
    for (const { operation, ...identity } of cases) {
      const from = pathToFileURL(OPERATION_PATH).href;
      writeFileSync(
        join(staging, 'operations', `${operation}.js`),
        `import { makeOperation } from ${JSON.stringify(from)};\n\nexport const operation = makeOperation(${JSON.stringify(identity, null, 2)});\n`,
      );
    }
  });
  return { name, path };
}
