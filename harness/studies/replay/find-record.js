import { REPLAY_END, REPLAY_START } from '../../formats/replay-marks.js';
import { UsageError } from '../../lib/errors.js';

/**
 * The replay record of a page, found by searching text: nothing of the page is parsed or run.
 *
 * @param {string} html
 * @param {string} subject how a message names the file
 * @returns {string} JSON, not looked at yet
 * @throws {UsageError} when the page holds no record, or more than one
 */
export function findRecord(html, subject) {
  const start = html.indexOf(REPLAY_START);
  const end = start < 0 ? -1 : html.indexOf(REPLAY_END, start);
  if (end < 0) {
    throw new UsageError(`${subject} holds no replay record`, {
      remedy:
        'give the report.html of a comparison, whole, as an Assay of format 4 or later wrote it',
    });
  }
  if (html.indexOf(REPLAY_START, end) >= 0) {
    throw new UsageError(`${subject} holds more than one replay record`, {
      remedy: 'ask for the report as Assay wrote it; nothing of it was run',
    });
  }
  return html.slice(start + REPLAY_START.length, end);
}
