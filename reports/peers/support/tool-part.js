/** How each tool was read, as a section of what has room for sentences in a table. */

/** @import { PeerTool } from '../../../harness/formats/types.ts' */
/** @import { ReportPart } from '../../calibration/types.ts' */

/**
 * @param {PeerTool[]} tools
 * @returns {ReportPart}
 */
export function makeToolPart(tools) {
  return {
    id: 'tools',
    title: 'When its user says different',
    sentences: [
      'Each tool ran as its documentation tells users to compare two functions, and its figures were read by the rule below.',
    ],
    tables: [
      {
        caption: 'The tools, and the command that runs the part of each alone.',
        columns: [
          { title: 'tool', align: 'left', kind: 'name' },
          { title: 'version', align: 'left' },
          { title: 'different when', align: 'left', kind: 'prose' },
          { title: 'alone', align: 'left', kind: 'name' },
          ...(tools.some(({ cannotRun }) => cannotRun !== undefined)
            ? [
                {
                  title: 'took no part',
                  align: /** @type {const} */ ('left'),
                  kind: /** @type {const} */ ('prose'),
                },
              ]
            : []),
        ],
        rows: tools.map(({ name, version, rule, command, cannotRun }) => [
          name,
          version,
          rule,
          command,
          cannotRun ?? '',
        ]),
      },
    ],
  };
}
