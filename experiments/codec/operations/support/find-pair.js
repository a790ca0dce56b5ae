import { types } from 'node:util';
import { UsageError } from '../../../../harness/lib/errors.js';

/**
 * @typedef {object} Pair
 * @property {(document: any) => any} encode
 * @property {(message: any) => any} decode
 * @property {string} name `stringify/parse`
 */

/** What the two functions of a codec are called, the first that a package exports being taken. */
const NAMES = [
  ['encode', 'decode'],
  ['pack', 'unpack'],
  ['stringify', 'parse'],
  ['serialize', 'deserialize'],
  ['serialize', 'unserialize'],
  ['marshal', 'unmarshal'],
  ['dumps', 'loads'],
  ['dump', 'load'],
  ['toBinary', 'fromBinary'],
  ['toBuffer', 'fromBuffer'],
  ['toBytes', 'fromBytes'],
];

/** How to measure what this family cannot. */
export const OTHER_WAYS =
  "measure a benchmark file of the project with '--bench FILE', or write a family that calls its functions: 'assay init NAME'";

/**
 * Finds the two functions of a codec among what a module exports, or what the object has that it exports by default.
 *
 * @param {Record<string, any>} module
 * @returns {Pair}
 * @throws {UsageError} where there is no pair of such names
 */
export function findPair(module) {
  const holders = [module, module['default']].filter((holder) => Object(holder) === holder);
  for (const holder of holders) {
    const names = NAMES.find((pair) => pair.every((name) => typeof holder[name] === 'function'));
    if (names === undefined) continue;
    const [encode, decode] = names.map((name) => bindTo(holder, name));
    return { encode, decode, name: names.join('/') };
  }
  const exported = Object.keys(module).filter((name) => name !== 'module.exports');
  const known = NAMES.map((names) => names.join('/')).join(', ');
  throw new UsageError(
    `the package exports no pair of codec functions that is known; it exports ${exported.join(', ') || 'nothing'}`,
    { remedy: `known are ${known}; otherwise ${OTHER_WAYS}` },
  );
}

/** @type {(holder: Record<string, any>, name: string) => any} methods of an object keep it as `this` */
function bindTo(holder, name) {
  return types.isModuleNamespaceObject(holder) ? holder[name] : holder[name].bind(holder);
}
