import { FormatError } from '../../lib/errors.js';

/** @import { FindInlined } from '../v8-log/read-inlining.js' */

// A frame in code made at run time, or that perf could not place: address, symbol, object.
const GENERATED =
  /^(\s+)([0-9a-f]+) .* \(((?:[^\n()]*\/perf-\d+\.map)|\[unknown\]|\/\/anon|\[anon[^\n()]*\])\)$/gm;

/**
 * Names code that a runtime made by the process's perf map, in the text of `perf script`. perf reads
 * that map as if no address were used twice, yet V8 lets go of code and puts other code in its place,
 * so that perf names functions that were thrown away long ago; here the latest entry counts. V8 moves
 * no code while it writes a map; a runtime that writes its map at its end names what lives until then.
 *
 * A function that was inlined becomes a frame of its own, called by the function that it was inlined
 * into. All but the innermost address of a stack are return addresses, so the byte before them is
 * looked up.
 *
 * @param {string} script output of `perf script` with ip, sym and dso
 * @param {string} map content of `perf-PID.map`: start and size in hexadecimal, with or without
 *   `0x`, name
 * @param {FindInlined} [findInlined] what the runtime says of inlined functions, if anything
 * @returns {string} the script with other names
 * @throws {FormatError} when the map holds no code
 */
export function resolvePerfMap(script, map, findInlined = () => []) {
  const findCode = indexMap(map);
  /** @type {Map<number, string[]>} */
  const known = new Map();

  /** @param {number} address */
  function listNames(address) {
    const code = findCode(address);
    if (code === null) return ['[unknown]'];
    const inlined = findInlined(code.start, address - code.start);
    return [...inlined.map((name) => `JS:*${name.replaceAll('\n', ' ')}`), code.name];
  }

  return script.replace(GENERATED, function nameFrame(frame, indent, ip, object, at) {
    const address = parseInt(ip, 16) - (isInnermost(script, at) ? 0 : 1);
    const names = known.get(address) ?? listNames(address);
    known.set(address, names);
    return names[0] === '[unknown]' && !object.endsWith('.map')
      ? frame
      : names.map((name) => `${indent}${ip} ${name} (${object})`).join('\n');
  });
}

/**
 * @param {string} script
 * @param {number} at where a frame begins
 * @returns {boolean} whether the line before it begins the sample and is no frame
 */
function isInnermost(script, at) {
  return script[script.lastIndexOf('\n', at - 2) + 1] !== '\t';
}

/**
 * @param {string} map
 * @returns {(address: number) => { start: number, name: string } | null}
 */
function indexMap(map) {
  const entries = [...map.matchAll(/^(?:0x)?([0-9a-f]+) (?:0x)?([0-9a-f]+) (.+)$/gm)];
  if (entries.length === 0) {
    throw new FormatError('a perf map without code', {
      remedy: 'start node with --perf-basic-prof and keep its map until perf script has run',
    });
  }
  const starts = Float64Array.from(entries, ([, start]) => parseInt(start, 16));
  const ends = starts.map((start, index) => start + parseInt(entries[index][2], 16));
  return function findCode(address) {
    for (let index = starts.length - 1; index >= 0; index--) {
      if (starts[index] <= address && address < ends[index]) {
        return { start: starts[index], name: entries[index][3] };
      }
    }
    return null;
  };
}
