import { showInvisible } from '../../lib/escape.js';
import { FormatError } from '../../lib/errors.js';

/** Clocks of hosts are not that far apart. */
const MOST_AHEAD_MS = 24 * 60 * 60 * 1000;
/** Characters of what is quoted. */
const LARGEST_LENGTH = 60;

/**
 * The moment of a run, for the hidden line of its comment. A run that says it was made in the future is
 * refused: no later one could take the place of its comment.
 *
 * @param {string} createdAt of the run, ISO 8601
 * @param {number} nowMs since 1970
 * @returns {string} the same in UTC
 * @throws {FormatError} when it is no moment, or has yet to come
 */
export function checkMoment(createdAt, nowMs) {
  const moment = new Date(createdAt);
  if (moment.getTime() <= nowMs + MOST_AHEAD_MS) return moment.toISOString();
  const shown = showInvisible(createdAt).slice(0, LARGEST_LENGTH);
  throw new FormatError(`the run says that it was made at '${shown}', which is not so`, {
    remedy: 'restore its manifest.json, or set the clock of the host that wrote it',
  });
}
