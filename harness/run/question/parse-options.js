import { UsageError } from '../../lib/errors.js';

/** @type {Record<string, number>} */
const UNIT_SECONDS = { s: 1, m: 60, h: 3_600 };

/**
 * @param {string | undefined} text `a,b`
 * @returns {string[] | undefined} without repetitions
 */
export function parseList(text) {
  if (text === undefined) return undefined;
  const names = text.split(',').map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))];
}

/**
 * @param {string} option as typed, for the message
 * @param {string} text
 * @param {{ above: number, upTo: number }} range
 * @returns {number}
 * @throws {UsageError} when it is not a number of that range
 */
export function parseNumber(option, text, { above, upTo }) {
  const value = Number(text.replace(/%$/, ''));
  if (text.trim() !== '' && value > above && value <= upTo) return value;
  throw new UsageError(`${option} '${text}' is not a number above ${above} and up to ${upTo}`);
}

/**
 * @param {string} text processes a side
 * @returns {number}
 * @throws {UsageError} when it is not a whole number from 16 to 10 000
 */
export function parseProcesses(text) {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 16 && count <= 10_000) return count;
  throw new UsageError(`--processes '${text}' is not a whole number from 16 to 10000`);
}

/**
 * @param {string} text layouts a side
 * @returns {number}
 * @throws {UsageError} when it is not a whole number up to 20
 */
export function parseLayouts(text) {
  const count = Number(text);
  if (/^\d+$/.test(text) && count <= 20) return count;
  throw new UsageError(`--layouts '${text}' is not a whole number from 0 to 20`, {
    remedy: '0 measures no other layouts, 4 is usual',
  });
}

/**
 * @param {string} text
 * @returns {number}
 * @throws {UsageError} when it is not a whole number of 32 bits
 */
export function parseSeed(text) {
  const seed = Number(text);
  if (/^\d+$/.test(text) && seed <= 0xffffffff) return seed;
  throw new UsageError(`--seed '${text}' is not a whole number from 0 to 4294967295`);
}

/**
 * @param {string} text seconds
 * @returns {number}
 * @throws {UsageError} when it is not a number of seconds
 */
export function parseBudget(text) {
  return parseNumber('--budget', text.replace(/s$/, ''), { above: 0, upTo: 86_400 });
}

/**
 * @param {string} option as typed, for the message
 * @param {string} text `60s`, `60`, `5m` or `1h`
 * @returns {number} milliseconds
 * @throws {UsageError} when it is no time, or none of up to a day
 */
export function parseDuration(option, text) {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*(s|m|h)?$/.exec(text.trim()) ?? [];
  const seconds = Number(amount) * UNIT_SECONDS[unit ?? 's'];
  if (seconds > 0 && seconds <= 86_400) return seconds * 1_000;
  throw new UsageError(`${option} '${text}' is not a time`, {
    remedy: 'write 60s, 5m or 1h, up to a day',
  });
}
