/** How each tool was read, as lines: a table has no room for sentences in a terminal. */

/** @import { PeerTool } from '../../../harness/formats/types.ts' */
/** @import { Terminal } from '../../calibration/support/terminal-parts.js' */

import { wrapCommand, wrapText } from '../../../harness/lib/wrap.js';

const INDENT = '  ';

/**
 * @param {PeerTool[]} tools
 * @param {Terminal} terminal
 * @returns {string[]} none without tools
 */
export function layOutTools(tools, { width, paint }) {
  if (tools.length === 0) return [];
  const lines = tools.flatMap(({ name, version, rule, command, cannotRun }) => [
    ...wrapText(`${name} ${version}`, width),
    ...wrapText(`different when ${rule}`, width, { first: INDENT, next: INDENT }),
    ...wrapCommand(command, width, { first: `${INDENT}alone: `, next: INDENT.repeat(2) }),
    ...(cannotRun === undefined
      ? []
      : wrapText(`took no part: ${cannotRun}`, width, { first: INDENT, next: INDENT }).map((line) =>
          paint(line, 'doubtful'),
        )),
  ]);
  return [paint('When its user says different', 'title'), ...lines];
}
