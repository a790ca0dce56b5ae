/** The replay record within the page: data that is never run, and that `just replay` finds again. */

/** @import { ReplayRecord } from '../../harness/formats/types.ts' */

import { REPLAY_END, REPLAY_START } from '../../harness/formats/replay-marks.js';
import { Markup, scriptJson } from '../document/markup.js';

/**
 * @param {ReplayRecord} record as it is: what is shown of it elsewhere is escaped, this is read again
 * @returns {Markup}
 */
export function replayData(record) {
  // In ASCII alone it survives being saved in another encoding, and hides no character.
  const json = scriptJson(record).text.replace(/[^ -~]/g, escapeUnit);
  return new Markup(REPLAY_START + json + REPLAY_END);
}

/** @param {string} unit of UTF-16 */
function escapeUnit(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
