import { shortenFile } from '../profiles/frames.js';

/** @import { CacheSite, DeoptEntry, FunctionLog } from '../../formats/types.ts' */

/** Versions without a middle tier know no `+`. */
const TIERS = new Map(
  /** @type {[string, FunctionLog['tier']][]} */ ([
    ['~', 'interpreter'],
    ['^', 'baseline'],
    ['+', 'mid'],
    ['*', 'optimized'],
  ]),
);

const STATES = new Map(
  /** @type {[string, CacheSite['state']][]} */ ([
    ['P', 'polymorphic'],
    ['N', 'megamorphic'],
    // Megamorphic as well, with one and the same accessor of the DOM.
    ['D', 'megamorphic'],
    ['G', 'generic'],
  ]),
);

const DEOPT_KINDS = new Map(
  /** @type {[string, DeoptEntry['kind']][]} */ ([
    ['deopt-eager', 'eager'],
    ['deopt-lazy', 'lazy'],
    ['deopt-soft', 'soft'],
    ['dependency-change', 'dependency-change'],
  ]),
);

/**
 * @param {string} mark behind a function's code: `~`, `*'` where it is bound to a context, `o+`
 *   where it replaced running code
 * @returns {FunctionLog['tier'] | null} null for what is no mark
 */
export function readTier(mark) {
  return TIERS.get(mark.replace(/^o/, '').charAt(0)) ?? null;
}

/**
 * @param {string} letter for the state of an inline cache
 * @returns {CacheSite['state'] | null} null where it has met one hidden class or none
 */
export function readCacheState(letter) {
  return STATES.get(letter) ?? null;
}

/**
 * @param {string} kind
 * @returns {DeoptEntry['kind']}
 */
export function readDeoptKind(kind) {
  return DEOPT_KINDS.get(kind) ?? 'other';
}

/**
 * Flags of node for a log that `parseLog` reads.
 *
 * @param {string} logPath
 * @param {string} tracePath where V8 puts what it would otherwise print on standard output, into the
 *   worker's report
 * @returns {string[]}
 */
export function listLogFlags(logPath, tracePath) {
  return [
    '--log-code',
    '--log-deopt',
    '--log-ic',
    `--logfile=${logPath}`,
    '--no-logfile-per-isolate',
    '--redirect-code-traces',
    `--redirect-code-traces-to=${tracePath}`,
  ];
}

const ESCAPE = /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|n|\\)/gi;

/**
 * Takes one line of a V8 log apart: fields separated by commas, in which commas, line ends and
 * whatever is not printable ASCII are escaped (V8's `LogFile::MessageBuilder`).
 *
 * @param {string} line without its end
 * @returns {string[]} the fields as they were before V8 escaped them
 */
export function splitLogLine(line) {
  const fields = line.split(',');
  return line.includes('\\') ? fields.map(decodeField) : fields;
}

/** @param {string} field */
function decodeField(field) {
  return field.replace(ESCAPE, (escaped, byteHex, unitHex) => {
    const hex = byteHex ?? unitHex;
    if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16));
    return escaped === '\\\\' ? '\\' : '\n';
  });
}

/** Parts of the project that run around the measured loop. */
const SURROUNDINGS = /^(?:harness|corpora)\//;

/**
 * @param {string} url of a script
 * @param {string} projectPath absolute
 * @returns {string | null} its short name; null for what is not measured: node's own scripts and
 *   the instrument
 */
export function nameMeasuredFile(url, projectPath) {
  if (url.startsWith('node:')) return null;
  const file = shortenFile(url, projectPath);
  return file === null || SURROUNDINGS.test(file) ? null : file;
}

const PLACE = /^(.*):(\d+):(\d+)$/s;
const NAMED_FUNCTION = /^(.*?) ((?:file:\/\/|node:|\/|[A-Za-z]:[\\/]).*)$/s;
const INNERMOST = /^<(.*?)>(?: inlined at <|$)/s;

/**
 * A place in a source; line and column from 1.
 *
 * @typedef {{ url: string, line: number, column: number }} Place
 */

/**
 * @param {string} text `file:///a.js:3:14`
 * @returns {Place | null} null where the text names no place
 */
function parsePlace(text) {
  const match = PLACE.exec(text);
  if (match === null) return null;
  const [, url, line, column] = match;
  return { url: /** @type {string} */ (url), line: Number(line), column: Number(column) };
}

/**
 * @param {string} text what the log calls a function: `writeDocument file:///a.js:34:30`, or
 *   ` file:///a.js:1:1` for one without a name
 * @returns {(Place & { name: string }) | null} null for what belongs to no file
 */
export function parseFunctionName(text) {
  const [, name, rest] = NAMED_FUNCTION.exec(text) ?? [];
  const place = rest === undefined ? null : parsePlace(rest);
  return place === null ? null : { ...place, name: name || '(anonymous)' };
}

/**
 * @param {string} text where code was given up: `<a.js:3:14>`, or with the functions that it was
 *   inlined into: `<a.js:3:14> inlined at <b.js:1:2>`
 * @returns {Place | null} the place itself; null where V8 does not know it
 */
export function parseDeoptPlace(text) {
  const [, innermost] = INNERMOST.exec(text) ?? [];
  return innermost === undefined ? null : parsePlace(innermost);
}
