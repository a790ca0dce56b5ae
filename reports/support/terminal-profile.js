/** What `just profile` prints: where a variant spends its time. */

/** @import { Profile } from '../../harness/formats/profile-types.ts' */
/** @import { ProfileObservation } from '../../harness/formats/types.ts' */
/** @import { FunctionWeights } from '../../harness/profiling/profiles/sum-by-function.js' */
/** @import { TableColumn } from '../types.ts' */

import { showInvisible } from '../../harness/lib/escape.js';
import { describePlace } from './explanation-rows.js';
import { formatBytes, countOf, formatDuration, formatTime } from '../../harness/lib/numbers.js';
import { makePainter } from './paint.js';
import { layOutTable } from './table.js';
import { plain } from './terminal-rows.js';
import { wrapText } from '../../harness/lib/wrap.js';

const MOST_FUNCTIONS = 12;
/** What opens a profile, by how its name ends. */
const VIEWERS = [
  { ending: '.cpuprofile', text: 'Chrome DevTools and speedscope open a .cpuprofile file.' },
  { ending: '.heapprofile', text: 'Chrome DevTools and speedscope open a .heapprofile file.' },
  { ending: '.speedscope.json', text: 'speedscope opens a .speedscope.json file.' },
];

/**
 * @typedef {object} RecordedJob
 * @property {ProfileObservation} observation
 * @property {Profile | null} profile per document, where the recorder sees stacks
 * @property {FunctionWeights[]} functions of the profile; none without one
 */

/**
 * The functions that take the most, recorder by recorder, and the files left behind.
 *
 * @param {{ spec: string, path: string, recorded: RecordedJob[] }} profiled
 * @param {{ width: number, color: boolean }} terminal
 * @returns {string} ends with a line end
 */
export function formatProfile({ spec, path, recorded }, { width, color }) {
  const paint = makePainter(color);
  const blocks = recorded.map((job) => [
    paint(
      showInvisible(`${spec} · ${job.observation.cellId} · ${job.observation.recorder}`),
      'title',
    ),
    ...layOutJob(job, width, paint),
  ]);
  const files = recorded.flatMap(({ observation }) =>
    observation.outcome === 'done' ? observation.artefacts : [],
  );
  blocks.push([
    `Files in ${showInvisible(path)}:`,
    ...files.map((file) => `  ${showInvisible(file)}`),
    ...tellViewers(files).flatMap((text) =>
      wrapText(text, width).map((line) => paint(line, 'quiet')),
    ),
  ]);
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/**
 * @param {string[]} files
 * @returns {string[]} a sentence for each kind of profile among them
 */
function tellViewers(files) {
  return VIEWERS.filter(({ ending }) => files.some((file) => file.endsWith(ending))).map(
    ({ text }) => text,
  );
}

/**
 * @param {RecordedJob} job
 * @param {number} width
 * @param {ReturnType<typeof makePainter>} paint
 * @returns {string[]}
 */
function layOutJob({ observation, profile, functions }, width, paint) {
  if (observation.outcome === 'failed') {
    const text = showInvisible(`failed: ${observation.detail}`);
    return wrapText(text, width).map((line) => paint(line, 'bad'));
  }
  if (profile === null) {
    return [describeFigures(observation.figures) ?? 'done; see the files below'];
  }
  return layOutFunctions(profile, functions, width, paint);
}

/**
 * @param {import('../../harness/formats/types.ts').RecordedFigures | undefined} figures
 * @returns {string | null}
 */
function describeFigures(figures) {
  if (figures?.kind === 'instructions') {
    return `${countOf(Math.round(figures.perDocument), 'instruction')} per document (counted, not timed)`;
  }
  if (figures?.kind === 'whole-process') {
    return `${formatDuration(figures.meanMs)} for a whole process`;
  }
  if (figures?.kind === 'values') {
    const { objects, dictionaries, hiddenClasses } = figures.values;
    return `${countOf(objects, 'object')}, ${dictionaries} of them in dictionary mode, ${countOf(hiddenClasses, 'hidden class', 'hidden classes')}`;
  }
  return null;
}

/**
 * @param {Profile} profile
 * @param {FunctionWeights[]} weights of its functions
 * @param {number} width
 * @param {ReturnType<typeof makePainter>} paint
 * @returns {string[]}
 */
function layOutFunctions(profile, weights, width, paint) {
  const functions = weights.toSorted((a, b) => b.self - a.self);
  const total = functions.reduce((sum, { self }) => sum + self, 0);
  const format = profile.unit === 'ns' ? formatTime : formatBytes;
  /** @type {TableColumn[]} */
  const columns = [
    { title: 'function', align: 'left', minWidth: 20 },
    { title: 'where', align: 'left', minWidth: 12, dropRank: 1 },
    { title: 'self', align: 'right' },
    { title: 'share', align: 'right' },
    { title: 'total', align: 'right' },
  ];
  const rows = functions
    .slice(0, MOST_FUNCTIONS)
    .map(({ frame, self, total: inclusive }) =>
      [
        showInvisible(frame.name),
        showInvisible(describePlace(frame)),
        format(self),
        `${((self / total) * 100).toFixed(1)} %`,
        format(inclusive),
      ].map(plain),
    );
  const title = `${format(total)} per document, ${countOf(profile.samples, 'sample')}`;
  return [paint(title, 'quiet'), ...layOutTable(columns, rows, width, paint)];
}
