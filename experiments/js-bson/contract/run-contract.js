import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { satisfies } from 'semver';
import { runThemes } from '../../support/contract.js';
import { changes } from './themes/changes.js';
import { classes } from './themes/classes.js';
import { equality } from './themes/equality.js';
import { hostileKeys } from './themes/hostile-keys.js';
import { limits } from './themes/limits.js';
import { memory } from './themes/memory.js';
import { reading } from './themes/reading.js';
import { textForms } from './themes/text-forms.js';
import { values } from './themes/values.js';
import { writing } from './themes/writing.js';

/** @import { ContractRow, VariantDescription } from '../../../harness/formats/types.ts' */
/** @import { Codec, Theme } from './breach.js' */

/** Functions under test, which a variant must export itself. */
const OWN = ['serialize', 'serializeWithBufferAndIndex', 'deserialize'];

const DEPTH_ROW = 'maximum-depth';
const USES_CALL_STACK =
  'nested documents use the call stack, which ends after some thousand levels';

/**
 * Checks a variant against the behaviour contract. A broken row fails unless the variant (or, for a
 * published version, `KNOWN_DIFFERENCES`) declares it. A checkout may have the differences of its
 * published version or may have fixed them.
 * @param {object} module namespace of the variant
 * @param {Codec} reference namespace of npm `bson`
 * @param {{ spec: string, modulePath?: string }} variant
 * @param {Theme[]} [themes]
 * @returns {Promise<ContractRow[]>}
 */
export async function runContract(module, reference, { spec, modulePath }, themes = CONTRACT) {
  const codec = completeCodec(module, reference);
  const { [DEPTH_ROW]: depth, ...declared } = {
    ...findKnownDifferences(spec),
    ...listDeclared(codec.variant),
  };
  const possible = modulePath === undefined ? {} : findCheckoutDifferences(spec, modulePath);
  // How many levels a stack holds depends on the runtime and on what it has optimized.
  if (depth !== undefined) possible[DEPTH_ROW] = depth;
  return runThemes(themes, [codec, reference], { declared, possible });
}

/**
 * Takes the classes that a variant does not export from the reference, because a codec may use those
 * of the npm package. The functions that read and write BSON are never taken.
 * @param {object} module namespace of the variant
 * @param {Codec} reference namespace of npm `bson`
 * @returns {Codec}
 */
function completeCodec(module, reference) {
  const lent = Object.entries(reference).filter(([name]) => !OWN.includes(name));
  return { ...Object.fromEntries(lent), ...module };
}

/** @type {(description: VariantDescription | undefined) => Record<string, string>} reasons by row */
function listDeclared(description) {
  const byStack = description?.usesCallStack === true ? { [DEPTH_ROW]: USES_CALL_STACK } : {};
  return { ...byStack, ...description?.breaks };
}

/** The behaviour of npm bson 7.3.4, in the order of the report. @type {Theme[]} */
export const CONTRACT = [
  equality,
  textForms,
  classes,
  memory,
  writing,
  changes,
  reading,
  hostileKeys,
  values,
  limits,
];

/**
 * A documented difference between published versions of bson and the reference. Built-in variants
 * declare theirs by `breaks` in their description.
 * @typedef {object} KnownDifference
 * @property {string} packageName
 * @property {string} versions semver range: `>=7.0.0 <7.3.0`
 * @property {string} row of the contract
 * @property {string} reason
 */

/** @type {KnownDifference[]} */
const KNOWN_DIFFERENCES = [
  {
    packageName: 'bson',
    versions: '>=7.0.0 <7.3.0',
    row: 'maximum-depth',
    reason: 'nested documents use the call stack until js-bson #886 (bson 7.3.0)',
  },
  {
    packageName: 'bson',
    versions: '>=7.0.0 <7.3.0',
    row: 'cycles',
    reason: 'a cycle through the scope of a Code is not detected and exhausts the call stack',
  },
  {
    packageName: 'bson',
    versions: '>=7.0.0 <7.3.0',
    row: 'dbref-promotion',
    reason: 'a scope with the fields of a DBRef becomes a DBRef',
  },
];

/**
 * @param {string} spec of a variant: `npm:bson@7.2.0`
 * @param {KnownDifference[]} [known]
 * @returns {Record<string, string>} reasons by row
 */
export function findKnownDifferences(spec, known = KNOWN_DIFFERENCES) {
  const [, packageName, version] = /^npm:(.+)@(\d+\.\d+\.\d+)$/.exec(spec) ?? [];
  if (packageName === undefined || version === undefined) return {};
  return selectReasons({ name: packageName, version }, known);
}

/**
 * The differences that a checkout may have according to the version in its package.json: its code
 * lies between that version and the next.
 * @param {string} spec of a variant: `git:../js-bson@0231603`
 * @param {string} modulePath absolute path of its module
 * @returns {Record<string, string>} reasons by row; empty if the variant is not a checkout
 */
function findCheckoutDifferences(spec, modulePath) {
  if (!/^(?:git|path):/.test(spec)) return {};
  const { name = '', version = '' } = readNearestPackage(dirname(modulePath));
  return /^\d+\.\d+\.\d+$/.test(version) ? selectReasons({ name, version }, KNOWN_DIFFERENCES) : {};
}

/**
 * @param {string} directory
 * @returns {{ name?: string, version?: string }} of the package.json above it that has a name
 */
function readNearestPackage(directory) {
  const file = join(directory, 'package.json');
  const found = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const parent = dirname(directory);
  return found.name !== undefined || parent === directory ? found : readNearestPackage(parent);
}

/**
 * @param {{ name: string, version: string }} published
 * @param {KnownDifference[]} known
 * @returns {Record<string, string>} reasons by row
 */
function selectReasons({ name, version }, known) {
  const fitting = known.filter(
    (one) => one.packageName === name && satisfies(version, one.versions),
  );
  return Object.fromEntries(fitting.map(({ row, reason }) => [row, reason]));
}
