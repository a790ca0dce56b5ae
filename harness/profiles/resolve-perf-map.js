import { FormatError } from '../errors.js';

// A frame in code made at run time, or that perf could not place: address, symbol, object.
const GENERATED =
  /^(\s+)([0-9a-f]+) .* \(((?:[^\n()]*\/perf-\d+\.map)|\[unknown\]|\/\/anon|\[anon[^\n()]*\])\)$/gm;

/**
 * Names code that a runtime made by the process's perf map, in the text of `perf script`. perf reads
 * that map as if no address were used twice, yet V8 lets go of code and puts other code in its place,
 * so that perf names functions that were thrown away long ago; here the latest entry counts. V8 moves
 * no code while it writes a map; a runtime that writes its map at its end names what lives until then.
 *
 * @param {string} script output of `perf script` with ip, sym and dso
 * @param {string} map content of `perf-PID.map`: start and size in hexadecimal, with or without
 *   `0x`, name
 * @returns {string} the script with other names
 * @throws {FormatError} when the map holds no code
 */
export function resolvePerfMap(script, map) {
  const findName = indexMap(map);
  /** @type {Map<string, string>} */
  const known = new Map();
  return script.replace(GENERATED, function nameFrame(frame, indent, address, object) {
    const name = known.get(address) ?? findName(parseInt(address, 16)) ?? '[unknown]';
    known.set(address, name);
    return name === '[unknown]' && !object.endsWith('.map')
      ? frame
      : `${indent}${address} ${name} (${object})`;
  });
}

/**
 * @param {string} map
 * @returns {(address: number) => string | null}
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
  return function findName(address) {
    for (let index = starts.length - 1; index >= 0; index--) {
      if (starts[index] <= address && address < ends[index]) return entries[index][3];
    }
    return null;
  };
}
