/** The replay record within the page: data that is never run, and that `just replay` finds again. */

/** @import { ReplayRecord } from '../../harness/formats/types.ts' */

import { Markup, scriptJson } from './html-escape.js';

/** What the record stands between. Text of a page is escaped, so that nothing else looks like it. */
export const REPLAY_START = '<script type="application/json" id="assay-replay">';
export const REPLAY_END = '</script>';

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
