/** The profiles of a cell: flamegraph and source lines. */

/** @import { CellProfiles, DifferentialProfile, ProfileView, SourceLine } from '../../../harness/formats/profile-types.ts' */
/** @import { Block, Inline, Table } from '../../document/model.ts' */

import {
  countOf,
  formatBytes,
  formatBytesChange,
  formatTime,
  formatTimeChange,
  NO_FIGURE,
} from '../../../harness/lib/numbers.js';
import { figureColumns, nameFunction, paragraph } from '../build.js';
import { drawFlamegraph } from '../../figures/flamegraph.js';

/** Functions in the table that replaces a flamegraph. */
const FUNCTION_COUNT = 15;
/** Characters; lines of minified files are longer than anyone reads. */
const MAX_LINE_LENGTH = 200;

/** What recorded a profile. @type {Record<ProfileView['source'], string>} */
const SOURCE_NAMES = {
  'v8-cpu-profile': 'V8’s sampling profiler',
  perf: 'perf',
  'v8-heap-profile': 'V8’s sampling heap profiler',
};

/**
 * @param {CellProfiles} profiles
 * @param {Record<'baseline' | 'candidate', string>} names of the variants
 * @param {{ nodes: number, lines: number }} detail nodes of a flamegraph at most, without any there
 *   is none; source lines a profile
 * @returns {Block[]}
 */
export function showProfiles(profiles, { baseline, candidate }, { nodes, lines }) {
  const names = { baseline, candidate };
  const [first] = profiles.views.filter(({ differential }) => differential.nodes.length > 0);
  /** @type {Block[]} */
  const graph =
    first === undefined || nodes === 0
      ? []
      : [
          {
            kind: 'figure',
            draw: () => drawFlamegraph(profiles, names, nodes),
            fallback: tabulateChanges(first, names),
          },
        ];
  return [...graph, ...profiles.views.map((view) => listLines(view, lines))];
}

/**
 * Replaces a flamegraph where scripts do not run.
 * @type {(view: ProfileView, names: Record<'baseline' | 'candidate', string>) => Table}
 */
function tabulateChanges({ differential }, names) {
  const [format, formatChange] =
    differential.unit === 'ns' ? [formatTime, formatTimeChange] : [formatBytes, formatBytesChange];
  return {
    kind: 'table',
    caption:
      'Functions whose self weight per document changes most. Enable scripts to see a flamegraph instead.',
    label: 'Functions that changed most',
    columns: [
      { title: 'function', kind: 'name' },
      { title: 'kind' },
      ...figureColumns('change', names.baseline, names.candidate),
    ],
    rows: sumFunctions(differential)
      .slice(0, FUNCTION_COUNT)
      .map(({ frame: { name, file, line, kind }, baseline, candidate }) => [
        nameFunction(name, file, line),
        kind,
        formatChange(candidate - baseline),
        format(baseline),
        format(candidate),
      ]),
  };
}

/**
 * @param {DifferentialProfile} differential
 * @returns {{ frame: DifferentialProfile['frames'][number], baseline: number, candidate: number }[]}
 *   self weights, the largest change first
 */
function sumFunctions({ frames, nodes }) {
  const sums = frames.map((frame) => ({ frame, baseline: 0, candidate: 0 }));
  for (const node of nodes) {
    const sum = sums[node.frame];
    if (sum === undefined) continue;
    sum.baseline += node.baseline;
    sum.candidate += node.candidate;
  }
  const change = (/** @type {(typeof sums)[number]} */ { baseline, candidate }) =>
    Math.abs(candidate - baseline);
  return sums.sort((a, b) => change(b) - change(a));
}

/**
 * Source lines with the weight that they have themselves, the heaviest first.
 * @type {(view: ProfileView, most: number) => Block}
 */
function listLines({ source, differential, lines }, most) {
  const shown = lines.slice(0, most);
  const left = lines.length - shown.length;
  const isBytes = differential.unit === 'bytes';
  const format = isBytes ? formatBytes : formatTime;
  const weigh = (/** @type {number} */ weight) => ({
    value: weight === 0 ? NO_FIGURE : format(weight),
    sort: weight,
  });
  const rest =
    left <= 0 || shown.length === 0
      ? []
      : [paragraph(`${countOf(left, 'lighter line')} not shown.`, 'quiet')];
  return {
    kind: 'group',
    title: `Source lines, by ${SOURCE_NAMES[source]}`,
    folded: ['html'],
    blocks: [
      {
        kind: 'table',
        name: 'lines',
        caption: `Source lines with ${isBytes ? 'the bytes allocated' : 'the time spent'} on them, per document, by ${SOURCE_NAMES[source]}`,
        label: 'Source lines',
        columns: [
          { title: 'line' },
          { title: 'baseline', align: 'right', sortable: true },
          { title: 'candidate', align: 'right', sortable: true },
          { title: 'source', kind: 'prose' },
        ],
        rows: shown.map((line) => [
          nameFunction(line.name, line.file, line.line),
          weigh(line.baseline),
          weigh(line.candidate),
          showSource(line),
        ]),
      },
      ...rest,
    ],
  };
}

/** @type {(line: SourceLine) => Inline} */
function showSource({ text }) {
  if (text === null) return '';
  const trimmed = text.trim();
  const isLong = trimmed.length > MAX_LINE_LENGTH;
  return { code: isLong ? `${trimmed.slice(0, MAX_LINE_LENGTH)}…` : trimmed };
}
