/** How benchmark tools compare: GitHub Markdown that fits in one comment. */

/** @import { PeersInput, PeersRenderer } from '../calibration/types.ts' */

import { summarizePeers } from '../../harness/stats/calibration/peers.js';
import { tellEnd, tellMeasured } from '../calibration/support/calibration-words.js';
import { describeRepeat, listFacts, makeSections } from '../calibration/support/markdown-parts.js';
import { listEnvironmentFacts } from '../support/environment-facts.js';
import { escapeProse, hiddenMarker, showInvisibleDeeply } from '../../harness/lib/escape.js';
import { joinSections, LARGEST_LENGTH } from '../support/join-sections.js';
import { folded } from '../support/markdown-table.js';
import { listPeerFacts } from './support/peer-facts.js';
import { listPeerParts } from './support/peer-parts.js';
import { tellPeers } from './support/peer-words.js';
import { makeToolPart } from './support/tool-part.js';

/** @type {PeersRenderer} */
export const renderer = { name: 'markdown', fileName: 'peers.md', render: renderMarkdown };

/**
 * The report, always below 60 000 characters: where it would be longer, whole sections are left out,
 * and the report says which.
 *
 * @param {PeersInput} input
 * @returns {string} ends with a line end
 */
export function renderMarkdown({ peers }) {
  const shown = showInvisibleDeeply(peers);
  const summaries = summarizePeers(shown);
  const end = tellEnd(shown);
  const head = [
    hiddenMarker(shown.id),
    ...tellPeers(shown, summaries).map((sentence) => `**${escapeProse(sentence)}**`),
    `${escapeProse(tellMeasured(shown))}.`,
    ...(end === null ? [] : [escapeProse(end)]),
  ];
  const sections = [
    ...makeSections([...listPeerParts(shown, summaries), makeToolPart(shown.tools)]),
    {
      name: 'host',
      rank: 51,
      text: folded('Host', listFacts(listEnvironmentFacts(shown.environment))),
    },
    { name: 'how to repeat', rank: 0, text: describeRepeat(shown.command, listPeerFacts(shown)) },
  ];
  return `${joinSections(head.join('\n\n'), sections, LARGEST_LENGTH, 'peers.json')}\n`;
}
