/** What became of claims, for a ticket or a pull request: GitHub Markdown that fits in one comment. */

/** @import { Reproduction } from '../../harness/formats/types.ts' */
/** @import { ReproductionInput, ReproductionRenderer } from './types.ts' */

import {
  codeBlock,
  codeSpan,
  escapeProse,
  hiddenMarker,
  showInvisibleDeeply,
} from '../../harness/lib/escape.js';
import { listEnvironmentFacts } from '../support/environment-facts.js';
import { joinSections, LARGEST_LENGTH } from '../support/join-sections.js';
import { folded } from '../support/markdown-table.js';
import { nameWithin, summarize, tellEnd } from './support/claim-words.js';
import { listRepeatFacts } from '../support/repeat-facts.js';
import { sourceSection } from './support/markdown-source.js';

/** @type {ReproductionRenderer} */
export const renderer = { name: 'markdown', fileName: 'reproduction.md', render: renderMarkdown };

/**
 * The report, always below 60 000 characters: where it would be longer, tables lose their plots, then
 * whole sections are left out, and the report says which.
 *
 * @param {ReproductionInput} input
 * @returns {string} ends with a line end
 */
export function renderMarkdown({ reproduction }) {
  const shown = showInvisibleDeeply(reproduction);
  const { sources, told, id } = shown;
  const end = tellEnd(shown);
  const head = [
    hiddenMarker(id),
    `**${summarize(told)}**`,
    ...(end === null ? [] : [escapeProse(end)]),
  ];
  const sections = sources.map((source, index) => {
    const own = told.filter(({ claim }) => claim.source === source.id);
    return {
      name: source.id,
      rank: 2 + index,
      text: sourceSection(source, own, 'whole'),
      shorter: sourceSection(source, own, 'short'),
    };
  });
  const background = [
    { name: 'how to repeat', rank: 0, text: describeRepeat(shown) },
    {
      name: 'host',
      rank: 1,
      text: folded('Host', factList(listEnvironmentFacts(shown.environment, 'Node of Assay'))),
    },
    { name: 'what is claimed', rank: 2 + sources.length, text: listStatements(shown) },
  ];
  return `${joinSections(head.join('\n\n'), [...sections, ...background], LARGEST_LENGTH)}\n`;
}

/**
 * @param {Reproduction} reproduction
 * @returns {string}
 */
function describeRepeat(reproduction) {
  const facts = factList(listRepeatFacts(reproduction));
  return folded('How to repeat it', `${codeBlock(reproduction.command, 'sh')}\n\n${facts}`);
}

/**
 * @param {Reproduction} reproduction
 * @returns {string} every claim in a sentence, with what was compared; empty without claims
 */
function listStatements({ told }) {
  if (told.length === 0) return '';
  const lines = told.map(({ claim }) => {
    const sides = `${codeSpan(claim.candidate)} beside ${codeSpan(claim.baseline)}`;
    return `- ${codeSpan(nameWithin(claim))}, ${sides}: ${escapeProse(claim.statement)}`;
  });
  return folded('What is claimed', lines.join('\n'));
}

/** @param {[name: string, text: string][]} facts */
function factList(facts) {
  return facts.map(([name, text]) => `- ${name}: ${escapeProse(text)}`).join('\n');
}
