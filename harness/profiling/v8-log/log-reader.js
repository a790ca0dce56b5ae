import { FormatError } from '../../lib/errors.js';
import { WINDOW_MARKS } from '../../worker/window-marks.js';
import { CodeMap, FunctionRecord, byPlace } from './functions.js';
import {
  isMeasured,
  parseDeoptPlace,
  parseFunctionName,
  readCacheState,
  readDeoptKind,
  readTier,
  splitLogLine,
} from './log-words.js';

/** @import { DeoptLog, FunctionLog, Sources } from '../../formats/types.ts' */

/** Reads a log line by line. */
class LogReader {
  /** @type {CodeMap<{ record: FunctionRecord, tier: FunctionLog['tier'] }>} */
  #code = new CodeMap();
  /** @type {Map<string, FunctionRecord>} by name and place */
  #records = new Map();
  /** @type {Map<number, FunctionRecord>} by address of the SharedFunctionInfo */
  #bySharedAddress = new Map();
  #isInWindow = false;
  isDone = false;

  /** @param {Sources['describe']} describe */
  constructor(describe) {
    this.describe = describe;
  }

  /** @param {string} line @throws {FormatError} */
  readLine(line) {
    const event = line.slice(0, line.indexOf(','));
    if (event === 'code-creation') this.#readCodeCreation(splitLogLine(line));
    else if (event === 'code-source-info') this.#readInlining(line);
    else if (event === 'code-deopt') this.#readDeopt(splitLogLine(line));
    else if (event === 'code-move') this.#readMove(line, (from, to) => this.#code.move(from, to));
    else if (event === 'sfi-move') this.#readMove(line, (from, to) => this.#moveShared(from, to));
    else if (event.endsWith('IC')) this.#readCacheMiss(splitLogLine(line));
  }

  /** @returns {DeoptLog} functions sorted by file and position */
  finish() {
    const functions = [...this.#records.values()].map((record) => record.finish());
    functions.sort((a, b) => compareText(a.file, b.file) || byPlace(a, b));
    return { functions };
  }

  /** @param {string[]} fields type, kind, time, address, size, name, shared address, mark */
  #readCodeCreation(fields) {
    const [, , , , address, size] = fields;
    const [sharedAddress, mark = ''] = fields.slice(-2);
    // V8 escapes commas in file names, but not in function names.
    const name = fields.slice(6, -2).join(',');
    if (name.includes(WINDOW_MARKS.begin)) this.#isInWindow = true;
    if (name.includes(WINDOW_MARKS.end)) this.isDone = true;
    const tier = readTier(mark);
    const record = tier === null ? null : this.#recordOf(name);
    if (tier === null || record === null) return;
    record.reach(tier);
    this.#code.add(toNumber(address), toNumber(size), { record, tier });
    this.#bySharedAddress.set(toNumber(sharedAddress), record);
  }

  /**
   * @param {string} name as in the log
   * @returns {FunctionRecord | null} null without a file, or for a file that is not measured
   */
  #recordOf(name) {
    const known = this.#records.get(name);
    if (known !== undefined) return known;
    const place = parseFunctionName(name);
    const found = place === null ? null : this.describe(place);
    if (place === null || found === null || !isMeasured(found.file)) return null;
    const record = new FunctionRecord(found, place.url);
    this.#records.set(name, record);
    return record;
  }

  /**
   * Inlined functions reach the tier of the code that contains them.
   *
   * @param {string} line ends with the functions: `S0x…S0x…`
   */
  #readInlining(line) {
    const [, address, , , , , , inlined = ''] = line.split(',');
    const code = this.#code.at(toNumber(address));
    if (code === null) return;
    for (const sharedAddress of inlined.split('S').slice(1)) {
      this.#bySharedAddress.get(toNumber(sharedAddress))?.reach(code.tier);
    }
  }

  /** @param {string[]} fields time, size, address, inlining, offset, kind, place, reason */
  #readDeopt([, , , address, , , kind = '', place = '', reason = '']) {
    const code = this.#code.at(toNumber(address));
    if (code === null) return;
    const named = parseDeoptPlace(place) ?? { url: '', line: null, column: null };
    const { file, line, column } = this.describe({ name: '', ...named });
    code.record.addDeopt(
      { kind: readDeoptKind(kind), reason, file, line, column },
      this.#isInWindow,
    );
  }

  /** @param {string[]} fields address, time, line, column, old state, new state, map, key */
  #readCacheMiss([
    cache = '',
    address,
    ,
    line,
    column,
    oldState = '',
    newState,
    map = '',
    key = '',
  ]) {
    if (newState === undefined) throw new FormatError('the entry of an inline cache is truncated');
    const code = this.#code.find(toNumber(address));
    if (code === null || newState === 'X') return;
    const found = this.describe({
      name: '',
      url: code.record.url,
      line: toNumber(line),
      column: toNumber(column),
    });
    code.record.addCacheMiss(
      { cache, line: Number(found.line), column: Number(found.column) },
      {
        state: readCacheState(newState) ?? readCacheState(oldState),
        key,
        map: Number(map) === 0 ? null : map,
      },
      code.tier,
    );
  }

  /** @param {string} line @param {(from: number, to: number) => void} move */
  #readMove(line, move) {
    const [, from, to] = line.split(',');
    move(toNumber(from), toNumber(to));
  }

  /** @param {number} from @param {number} to */
  #moveShared(from, to) {
    const record = this.#bySharedAddress.get(from);
    if (record !== undefined) this.#bySharedAddress.set(to, record);
  }
}

/** @param {string | undefined} field decimal, or hexadecimal with `0x` @throws {FormatError} */
function toNumber(field) {
  const number = Number(field);
  if (field === undefined || field === '' || Number.isNaN(number)) {
    throw new FormatError(`expected a number, found '${field ?? 'nothing'}'`);
  }
  return number;
}

/** @param {string} a @param {string} b */
function compareText(a, b) {
  return a < b ? -1 : Number(a > b);
}

const REMEDY = 'record it again';

/**
 * Parses the log of `--log-code --log-deopt --log-ic`: for each function in a file, the highest tier,
 * its deoptimisations, and its inline caches with more than one hidden class. Supports V8 11.3 to 14.6
 * (Node 20 to 26).
 *
 * @param {string} text of a process with the marks of `window-marks.js`
 * @param {Sources['describe']} describe
 * @returns {DeoptLog}
 * @throws {FormatError} when it is not such a log, or is truncated before the end of the window
 */
export function parseLog(text, describe) {
  if (!text.startsWith('v8-version,')) {
    throw new FormatError("not a V8 log: it does not start with 'v8-version'", { remedy: REMEDY });
  }
  const reader = new LogReader(describe);
  let lineNumber = 0;
  let start = 0;
  while (!reader.isDone) {
    const end = text.indexOf('\n', start);
    if (end === -1) {
      throw new FormatError('the V8 log ends before the end of the recorded window', {
        remedy: REMEDY,
      });
    }
    lineNumber++;
    try {
      reader.readLine(text.slice(start, end));
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      throw new FormatError(`V8 log, line ${lineNumber}: ${error.message}`, { remedy: REMEDY });
    }
    start = end + 1;
  }
  return reader.finish();
}

/** `C304O1321I2`: code from byte 304 on comes from offset 1321 of inlined function 2. */
const POSITION = /C(\d+)O\d+(?:I(\d+))?/g;
/** `F0O481I1`: function 0 of the list, called at offset 481 of inlined function 1. */
const INLINED = /F(\d*)O\d+(?:I(\d+))?/g;

/**
 * Looks up the functions inlined at an offset of the code at an address.
 *
 * @callback FindInlined
 * @param {number} startAddress
 * @param {number} offset in bytes
 * @returns {string[]} `mix file:///a.js:3:14`, the innermost function first; empty for code of the
 *   function itself
 */

/**
 * @typedef {object} Inlining
 * @property {{ offset: number, inlined: number }[]} positions by offset; `inlined` is −1 for the
 *   function itself
 * @property {{ name: string | null, parent: number }[]} functions
 */

/**
 * Reads from a log of `--log-code` which functions were inlined where. If code was replaced at the same
 * address, the latest counts, as in a perf map.
 * @type {(log: string) => FindInlined}
 */
export function readInlining(log) {
  /** @type {Map<number, Inlining>} */
  const inlinings = new Map();
  /** @type {Map<number, string>} names by address of the SharedFunctionInfo */
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

/** @type {(inlining: Inlining, offset: number) => string[]} */
function listInlined({ positions, functions }, offset) {
  const listed = [];
  let index = positions.findLast((position) => position.offset <= offset)?.inlined ?? -1;
  // A damaged log may contain a cycle.
  while (functions[index] !== undefined && listed.length < functions.length) {
    const { name, parent } = functions[index];
    if (name !== null) listed.push(name);
    index = parent;
  }
  return listed;
}
