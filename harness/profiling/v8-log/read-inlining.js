import { splitLogLine } from './log-words.js';

/** `C304O1321I2`: from byte 304 on the code comes from offset 1321 of inlined function 2. */
const POSITION = /C(\d+)O\d+(?:I(\d+))?/g;
/** `F0O481I1`: function 0 of the list, called at offset 481 of inlined function 1. */
const INLINED = /F(\d*)O\d+(?:I(\d+))?/g;

/**
 * Finds what V8 inlined at an offset of the code that starts at an address.
 *
 * @callback FindInlined
 * @param {number} startAddress
 * @param {number} offset in bytes
 * @returns {string[]} `mix file:///a.js:3:14`, the innermost function first; empty where the code is
 *   that of the function itself
 */

/**
 * @typedef {object} Inlining
 * @property {{ offset: number, inlined: number }[]} positions by offset; `inlined` is −1 for the
 *   function itself
 * @property {{ name: string | null, parent: number }[]} functions
 */

/**
 * Reads from a log that V8 writes under `--log-code` which functions were inlined where. Where code
 * replaced other code at the same address, the later one counts, as in a perf map.
 *
 * @param {string} log
 * @returns {FindInlined}
 */
export function readInlining(log) {
  /** @type {Map<number, Inlining>} */
  const inlinings = new Map();
  /** @type {Map<number, string>} names by the address of what V8 shares between closures */
  const names = new Map();
  for (const line of log.split('\n')) {
    const event = line.slice(0, line.indexOf(','));
    if (event === 'code-creation') {
      const fields = splitLogLine(line);
      inlinings.delete(Number(fields[4]));
      names.set(Number(fields.at(-2)), fields.slice(6, -2).join(','));
    } else if (event === 'code-source-info') {
      const [, address, , , , positions = '', functions = '', shared = ''] = line.split(',');
      if (functions === '') continue;
      inlinings.set(Number(address), parseInlining(positions, functions, shared, names));
    } else if (event === 'sfi-move') {
      const [, from, to] = line.split(',').map(Number);
      const name = names.get(from);
      if (name !== undefined) names.set(to, name);
    }
  }
  return function findInlined(startAddress, offset) {
    const inlining = inlinings.get(startAddress);
    return inlining === undefined ? [] : listInlined(inlining, offset);
  };
}

/**
 * @param {string} positions
 * @param {string} functions
 * @param {string} shared `S0x…S0x…`
 * @param {Map<number, string>} names
 * @returns {Inlining}
 */
function parseInlining(positions, functions, shared, names) {
  const found = shared.split('S').slice(1).map(Number);
  return {
    positions: [...positions.matchAll(POSITION)].map(([, offset, inlined = '-1']) => ({
      offset: Number(offset),
      inlined: Number(inlined),
    })),
    functions: [...functions.matchAll(INLINED)].map(([, index, parent = '-1']) => ({
      name: index === '' ? null : (names.get(found[Number(index)]) ?? null),
      parent: Number(parent),
    })),
  };
}

/**
 * @param {Inlining} inlining
 * @param {number} offset
 * @returns {string[]}
 */
function listInlined({ positions, functions }, offset) {
  const listed = [];
  let index = positions.findLast((position) => position.offset <= offset)?.inlined ?? -1;
  // A damaged log may close a circle.
  while (functions[index] !== undefined && listed.length < functions.length) {
    const { name, parent } = functions[index];
    if (name !== null) listed.push(name);
    index = parent;
  }
  return listed;
}
