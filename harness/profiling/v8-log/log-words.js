/** @import { CacheSite, DeoptEntry, FunctionLog } from '../../formats/types.ts' */

/** Versions without a middle tier have no `+`. */
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
    // Megamorphic with the same DOM accessor.
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
 * @param {string} mark of a function's code: `~`, `*'` if specialised to a context, `o+` for
 *   on-stack replacement
 * @returns {FunctionLog['tier'] | null} null if it is not a mark
 */
export function readTier(mark) {
  return TIERS.get(mark.replace(/^o/, '').charAt(0)) ?? null;
}

/**
 * @param {string} letter state of an inline cache
 * @returns {CacheSite['state'] | null} null with at most one hidden class
 */
export function readCacheState(letter) {
  return STATES.get(letter) ?? null;
}

/** @type {(kind: string) => DeoptEntry['kind']} */
export function readDeoptKind(kind) {
  return DEOPT_KINDS.get(kind) ?? 'other';
}

/**
 * Flags of node that write a log for `parseLog`.
 *
 * @param {string} logPath
 * @param {string} tracePath for output of V8 that would otherwise go to standard output and corrupt the
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
 * Splits a line of a V8 log into fields separated by commas. Commas, line ends and anything but printable
 * ASCII are escaped (V8's `LogFile::MessageBuilder`).
 *
 * @param {string} line without its end
 * @returns {string[]} unescaped fields
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

/** Folders of the project that run outside of the measured loop. */
const SURROUNDINGS = /^(?:harness|corpora)\//;

/**
 * @param {string | null} file as in a frame
 * @returns {file is string} whether it is measured; scripts of node and of the harness are not
 */
export function isMeasured(file) {
  return file !== null && !file.startsWith('node:') && !SURROUNDINGS.test(file);
}

const PLACE = /^(.*):(\d+):(\d+)$/s;
const NAMED_FUNCTION = /^(.*?) ((?:file:\/\/|node:|\/|[A-Za-z]:[\\/]).*)$/s;
const INNERMOST = /^<(.*?)>(?: inlined at <|$)/s;

/**
 * A position in a source; line and column from 1.
 *
 * @typedef {{ url: string, line: number, column: number }} Place
 */

/** @param {string} text `file:///a.js:3:14` @returns {Place | null} null without a position */
function parsePlace(text) {
  const match = PLACE.exec(text);
  if (match === null) return null;
  const [, url, line, column] = match;
  return { url: /** @type {string} */ (url), line: Number(line), column: Number(column) };
}

/**
 * @param {string} text name of a function in the log: `writeDocument file:///a.js:34:30`, or
 *   ` file:///a.js:1:1` for an anonymous one
 * @returns {(Place & { name: string }) | null} null without a file
 */
export function parseFunctionName(text) {
  const [, name, rest] = NAMED_FUNCTION.exec(text) ?? [];
  const place = rest === undefined ? null : parsePlace(rest);
  return place === null ? null : { ...place, name: name || '(anonymous)' };
}

/**
 * @param {string} text position of a deoptimisation: `<a.js:3:14>`, or with the functions it was
 *   inlined into: `<a.js:3:14> inlined at <b.js:1:2>`
 * @returns {Place | null} the innermost position; null if unknown
 */
export function parseDeoptPlace(text) {
  const [, innermost] = INNERMOST.exec(text) ?? [];
  return innermost === undefined ? null : parsePlace(innermost);
}
