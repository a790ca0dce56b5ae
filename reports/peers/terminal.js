/** How benchmark tools compare, for a terminal or a pipe. */

/** @import { PeersInput, PeersRenderer } from '../calibration/types.ts' */

import { summarizePeers } from '../../harness/stats/calibration/peers.js';
import { tellEnd, tellMeasured } from '../calibration/support/calibration-words.js';
import { layOutEnd, layOutHead, layOutParts } from '../calibration/support/terminal-parts.js';
import { showInvisible, showInvisibleDeeply } from '../../harness/lib/escape.js';
import { makePainter } from '../support/paint.js';
import { layOutTools } from './support/terminal-tools.js';
import { listPeerParts } from './support/peer-parts.js';
import { tellPeers } from './support/peer-words.js';

const DEFAULT_WIDTH = 80;

/** @type {PeersRenderer} */
export const renderer = { name: 'terminal', fileName: null, render: renderTerminal };

/**
 * False positives, power, bias and order effects side by side, in lines of at most `width` columns.
 *
 * @param {PeersInput} input
 * @returns {string} ends with a line end
 */
export function renderTerminal({ peers, path, width = DEFAULT_WIDTH, color = false }) {
  const shown = showInvisibleDeeply(peers);
  const summaries = summarizePeers(shown);
  const terminal = { width, paint: makePainter(color) };
  const blocks = [
    layOutHead(tellPeers(shown, summaries), tellEnd(shown), terminal),
    ...layOutParts(listPeerParts(shown, summaries), terminal),
    layOutTools(shown.tools, terminal),
    layOutEnd(
      {
        measured: tellMeasured(shown),
        command: shown.command,
        path: showInvisible(path ?? shown.id),
      },
      terminal,
    ),
  ].filter((lines) => lines.length > 0);
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
