/** What `just profile` prints: where a variant spends its time. */

/** @import { FunctionWeights, Profile } from '../../harness/formats/profile-types.ts' */
/** @import { ProfileObservation, RecordedFigures } from '../../harness/formats/types.ts' */
/** @import { Block, Document } from '../document/model.ts' */

import {
  countOf,
  formatBytes,
  formatDuration,
  formatShare,
  formatTime,
} from '../../harness/lib/numbers.js';
import { figureColumn, list, nameFunction, paragraph, section } from './build.js';

const MAX_FUNCTION_COUNT = 12;
/** What opens a profile, by how its name ends. */
const VIEWERS = [
  { ending: '.cpuprofile', text: 'Chrome DevTools and speedscope open a .cpuprofile file.' },
  { ending: '.heapprofile', text: 'Chrome DevTools and speedscope open a .heapprofile file.' },
  { ending: '.speedscope.json', text: 'speedscope opens a .speedscope.json file.' },
];

/**
 * @typedef {object} RecordedJob
 * @property {ProfileObservation} observation
 * @property {Profile | null} profile per document; null where the recorder sees no stacks
 * @property {FunctionWeights[]} functions of the profile; none without one
 */

/**
 * @typedef {object} ProfiledVariant
 * @property {string} spec
 * @property {string} path of the directory with the files
 * @property {RecordedJob[]} recorded
 * @property {string[]} [disturbances] sentences on what disturbed the recording
 */

/**
 * The functions that take the most, recorder by recorder, and the files.
 * @type {(profiled: ProfiledVariant) => Document}
 */
export function describeProfile({ spec, path, recorded, disturbances = [] }) {
  const files = recorded.flatMap(({ observation }) =>
    observation.outcome === 'done' ? observation.artefacts : [],
  );
  const viewers = VIEWERS.filter(({ ending }) => files.some((file) => file.endsWith(ending)));
  return {
    title: ['Profile of ', { code: spec }],
    eyebrow: 'Assay profile',
    sections: [
      section(
        'disturbances',
        'The host was busy',
        disturbances.length === 0 ? [] : [paragraph(describeDisturbances(disturbances))],
      ),
      ...recorded.map((job, index) =>
        section(
          `job-${index + 1}`,
          `${spec} · ${job.observation.cellId} · ${job.observation.recorder}`,
          describeJob(job),
        ),
      ),
      section('files', `Files in ${path}`, [
        ...(files.length === 0 ? [paragraph('None.')] : []),
        list(files.map((file) => ({ file }))),
        ...viewers.map(({ text }) => paragraph(text, 'quiet')),
      ]),
    ],
    footer: '',
    source: 'the directory of the profile',
  };
}

/** @param {string[]} disturbances */
function describeDisturbances(disturbances) {
  return `${disturbances.join(' ')} Times per document may be too long, and so may those of single functions; profile again when nothing else runs.`;
}

/** @type {(job: RecordedJob) => Block[]} */
function describeJob({ observation, profile, functions }) {
  if (observation.outcome === 'failed') {
    return [{ kind: 'paragraph', text: { tone: 'bad', text: `failed: ${observation.detail}` } }];
  }
  if (profile === null) {
    return [paragraph(describeFigures(observation.figures) ?? 'Done; see the files below.')];
  }
  const total = functions.reduce((sum, { self }) => sum + self, 0);
  const format = profile.unit === 'ns' ? formatTime : formatBytes;
  return [
    {
      kind: 'table',
      caption: `${format(total)} per document, ${countOf(profile.samples, 'sample')}`,
      columns: [
        { title: 'function', kind: 'name' },
        { title: 'self', align: 'right', sortable: true },
        figureColumn('share'),
        { title: 'total', align: 'right', sortable: true },
      ],
      rows: functions
        .toSorted((a, b) => b.self - a.self)
        .slice(0, MAX_FUNCTION_COUNT)
        .map(({ frame: { name, file, line }, self, total: inclusive }) => [
          nameFunction(name, file, line),
          { value: format(self), sort: self },
          formatShare(self / total),
          { value: format(inclusive), sort: inclusive },
        ]),
    },
  ];
}

/** @type {(figures: RecordedFigures | undefined) => string | null} */
function describeFigures(figures) {
  switch (figures?.kind) {
    case 'instructions':
      return `${countOf(Math.round(figures.perDocument), 'instruction')} per document (counted, not timed)`;
    case 'whole-process':
      return `${formatDuration(figures.meanMs)} for a whole process`;
    case 'values': {
      const { objects, dictionaries, hiddenClasses } = figures.values;
      return `${countOf(objects, 'object')}, ${dictionaries} of them in dictionary mode, ${countOf(hiddenClasses, 'hidden class', 'hidden classes')}`;
    }
    default:
      return null;
  }
}
