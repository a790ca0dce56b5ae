import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Where published versions of bson deliberately, or at least known to everybody, do not do what the
 * reference does. Built-in variants say so themselves, by `breaks` in their description.
 *
 * @typedef {object} KnownDifference
 * @property {string} packageName
 * @property {string} from first version, `7.2.0`
 * @property {string} before first version that no longer differs; the last of all where empty
 * @property {string} row of the contract
 * @property {string} reason
 */

/** @type {KnownDifference[]} */
const KNOWN_DIFFERENCES = [
  {
    packageName: 'bson',
    from: '7.0.0',
    before: '7.3.0',
    row: 'maximum-depth',
    reason: 'nested documents use the call stack until js-bson #886 (bson 7.3.0)',
  },
  {
    packageName: 'bson',
    from: '7.0.0',
    before: '7.3.0',
    row: 'cycles',
    reason: 'a cycle through the scope of a Code is not seen and exhausts the call stack',
  },
  {
    packageName: 'bson',
    from: '7.0.0',
    before: '7.3.0',
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
 * What a checkout may do otherwise by the version in its package.json: it lies somewhere between that
 * version and the next.
 *
 * @param {string} spec of a variant: `git:../js-bson@0231603`
 * @param {string} modulePath absolute path of its module
 * @returns {Record<string, string>} reasons by row; none for what is no checkout
 */
export function findCheckoutDifferences(spec, modulePath) {
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
    (one) =>
      one.packageName === name &&
      compareVersions(version, one.from) >= 0 &&
      (one.before === '' || compareVersions(version, one.before) < 0),
  );
  return Object.fromEntries(fitting.map(({ row, reason }) => [row, reason]));
}

/**
 * @param {string} a
 * @param {string} b
 * @returns {number} negative where `a` is the earlier one
 */
function compareVersions(a, b) {
  const [left, right] = [a, b].map((text) => text.split('.').map(Number));
  const at = left.findIndex((part, index) => part !== right[index]);
  return at === -1 ? 0 : left[at] - right[at];
}
