import { CodeMap } from './functions.js';
import { isMeasured, parseFunctionName, readTier } from './log-words.js';
import { shortenFile } from '../profiles/frames.js';
import { WINDOW_MARKS } from '../../worker/window-marks.js';

/** @import { FunctionLog } from '../../formats/types.ts' */

/**
 * Converts a log of V8 11.3 to 14.6 (Node 20 to 26) to the format of V8 8, for tools such as
 * v8-deopt-viewer 0.2.1, and keeps measured files only. In the older format, functions have the type
 * `LazyCompile`; there are no baseline and middle tiers, and no marks for on-stack replacement or code
 * specialised to a context; entries of inline caches have no time; kinds of deoptimisation have no prefix,
 * and changed dependencies are not among them.
 *
 * @param {string} text
 * @param {string} projectPath absolute
 * @returns {string}
 */
export function normalizeLog(text, projectPath) {
  const normalizer = new LogNormalizer(projectPath);
  /** @type {string[]} */
  const lines = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('code-creation,') && line.includes(WINDOW_MARKS.end)) break;
    const normalized = normalizer.normalize(line);
    if (normalized !== null) lines.push(`${normalized}\n`);
  }
  return lines.join('');
}

/** Converts a log line by line; null leaves a line out. */
class LogNormalizer {
  /** @type {CodeMap<true>} */
  #kept = new CodeMap();
  /** @type {Set<string>} names of functions already listed as optimised */
  #optimized = new Set();

  /** @param {string} projectPath */
  constructor(projectPath) {
    this.projectPath = projectPath;
  }

  /** @param {string} line @returns {string | null} */
  normalize(line) {
    const fields = line.split(',');
    const [event = ''] = fields;
    if (event === 'v8-version') return line;
    if (event === 'code-creation') return this.#normalizeCreation(fields);
    if (event === 'code-deopt') return this.#normalizeDeopt(fields);
    if (event === 'code-move') return this.#normalizeMove(fields);
    return event.endsWith('IC') ? this.#normalizeCacheMiss(fields) : null;
  }

  /**
   * @param {string[]} fields event, type, kind, time, address, size, name, shared address, mark
   * @returns {string | null}
   */
  #normalizeCreation(fields) {
    const [, type, , , address, size] = fields;
    const [sharedAddress, mark = ''] = fields.slice(-2);
    const tier = readTier(mark);
    // V8 does not escape commas in names of functions.
    const name = fields.slice(6, -2).join('\\x2C');
    const place = parseFunctionName(name);
    if (place === null || tier === null) return null;
    if (!isMeasured(shortenFile(place.url, this.projectPath))) return null;
    this.#kept.add(Number(address), Number(size), true);
    const olderType = type === 'JS' && this.#isListed(name, tier) ? 'LazyCompile' : type;
    const olderMark = tier === 'interpreter' || tier === 'baseline' ? '~' : '*';
    return [
      'code-creation',
      olderType,
      ...fields.slice(2, 6),
      name,
      sharedAddress,
      olderMark,
    ].join();
  }

  /**
   * Frequent compilation looks like a problem in these tools, so code of tiers unknown to V8 8 is kept for
   * its address alone, unless it is the first optimised code of the function.
   *
   * @param {string} name
   * @param {FunctionLog['tier']} tier
   * @returns {boolean} whether it is part of the function's history
   */
  #isListed(name, tier) {
    if (tier === 'baseline' || (tier === 'mid' && this.#optimized.has(name))) return false;
    if (tier !== 'interpreter') this.#optimized.add(name);
    return true;
  }

  /**
   * @param {string[]} fields event, time, size, address, inlining, offset, kind, place, reason
   * @returns {string | null}
   */
  #normalizeDeopt(fields) {
    const [, , , address, , , kind = '', place = '', reason = ''] = fields;
    if (this.#kept.at(Number(address)) === null || !/:\d+:\d+>/.test(place)) return null;
    // The older format has the two innermost levels of inlining.
    const inner = place.split(' inlined at ').slice(0, 2).join(' inlined at ');
    const isDependency = kind === 'dependency-change';
    const olderKind = isDependency ? 'lazy' : kind.replace(/^deopt-/, '');
    const olderReason = isDependency ? `dependency changed: ${reason}` : reason;
    return [...fields.slice(0, 6), olderKind, inner, olderReason].join();
  }

  /** @param {string[]} fields event, from, to @returns {string | null} */
  #normalizeMove(fields) {
    const [, from, to] = fields;
    if (this.#kept.at(Number(from)) === null) return null;
    this.#kept.move(Number(from), Number(to));
    return fields.join();
  }

  /**
   * @param {string[]} fields event, address, time, line, column, old state, new state, map, key, …
   * @returns {string | null}
   */
  #normalizeCacheMiss(fields) {
    const [event, address, , line, column, oldState = '', newState = '', ...rest] = fields;
    if (newState === 'X' || this.#kept.find(Number(address)) === null) return null;
    const states = [oldState, newState].map((letter) => (letter === 'D' ? 'N' : letter));
    return [event, address, line, column, ...states, ...rest].join();
  }
}
