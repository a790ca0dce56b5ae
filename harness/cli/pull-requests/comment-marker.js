/**
 * The hidden first line of a comment: whose comment it is, and of which run it tells.
 *
 * @typedef {object} CommentMarker
 * @property {string} marker tells several comparisons of one pull request apart
 * @property {string} runId
 * @property {string} createdAt of the run, ISO 8601 in UTC
 */

const LARGEST_LENGTH = 200;
const NAME = /^\w[\w.-]{0,63}$/;
const LINE =
  /^<!-- assay (?<marker>\w[\w.-]*) (?<runId>[\w.:+@-]+) (?<createdAt>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z) -->(\r?\n|$)/;

/**
 * Whether a user may call a comparison so.
 *
 * @param {string} marker
 * @returns {boolean}
 */
export function isMarkerName(marker) {
  return NAME.test(marker);
}

/**
 * The line, which nothing in the names can end early: whatever is not plain becomes `_`.
 *
 * @param {CommentMarker} comment
 * @returns {string} `<!-- assay default 20250612-a-vs-b 2025-06-12T10:15:02.417Z -->`
 */
export function writeMarker({ marker, runId, createdAt }) {
  return `<!-- assay ${[marker, runId, createdAt].map(makePlain).join(' ')} -->`;
}

/** @param {string} text */
function makePlain(text) {
  return text.slice(0, LARGEST_LENGTH).replace(/[^\w.:+@-]/g, '_');
}

/**
 * Reads the first line of a comment back.
 *
 * @param {string} body of any comment
 * @returns {CommentMarker | null} null where it is not one of Assay's
 */
export function readMarker(body) {
  const { marker, runId, createdAt } = LINE.exec(body)?.groups ?? {};
  return marker === undefined ? null : { marker, runId, createdAt };
}

/**
 * Orders runs by their age; two of the same moment by their name.
 *
 * @param {CommentMarker} one
 * @param {CommentMarker} other
 * @returns {number} above zero when `one` is newer
 */
export function compareAge(one, other) {
  return compareText(one.createdAt, other.createdAt) || compareText(one.runId, other.runId);
}

/**
 * @param {string} one
 * @param {string} other
 */
function compareText(one, other) {
  if (one === other) return 0;
  return one > other ? 1 : -1;
}
