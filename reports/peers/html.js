/** How benchmark tools compare: one page that opens anywhere and asks for nothing. */

/** @import { PeersInput, PeersRenderer } from '../calibration/types.ts' */

import { summarizePeers } from '../../harness/stats/calibration/peers.js';
import { tellEnd, tellMeasured } from '../calibration/support/calibration-words.js';
import {
  drawPage,
  makeFactPlace,
  makePlace,
  makeRepeatPlace,
  makeSummaryPlace,
  REPORT_ASSETS,
} from '../calibration/support/html-parts.js';
import { listEnvironmentFacts } from '../support/environment-facts.js';
import { showInvisibleDeeply } from '../../harness/lib/escape.js';
import { scatterTable } from './support/html-scatter.js';
import { listPeerFacts } from './support/peer-facts.js';
import { listPeerParts } from './support/peer-parts.js';
import { tellPeers } from './support/peer-words.js';
import { makeToolPart } from './support/tool-part.js';

/** @type {PeersRenderer} */
export const renderer = {
  name: 'html',
  fileName: 'peers.html',
  assets: REPORT_ASSETS,
  render: renderHtml,
};

/**
 * The whole page. Without `assets` it has neither style nor script and can still be read.
 *
 * @param {PeersInput} input
 * @returns {string} ends with a line end
 */
export function renderHtml({ peers, assets }) {
  const shown = showInvisibleDeeply(peers);
  const summaries = summarizePeers(shown);
  const { environment, assay, id, createdAt } = shown;
  const parts = [...listPeerParts(shown, summaries), makeToolPart(shown.tools)];
  const places = [
    makeSummaryPlace(tellPeers(shown, summaries), tellMeasured(shown), tellEnd(shown)),
    ...parts.map((part) => makePlace(part, part.id === 'same' ? [scatterTable(shown)] : [])),
    makeFactPlace('host', 'Host', listEnvironmentFacts(environment)),
    makeRepeatPlace(shown.command, listPeerFacts(shown)),
  ];
  const page = {
    title: 'Benchmark tools on the same task',
    eyebrow: `Assay peers · ${createdAt.slice(0, 10)}`,
    places,
    footer: `Assay ${assay.version} · ${id}`,
  };
  return drawPage(page, assets);
}
