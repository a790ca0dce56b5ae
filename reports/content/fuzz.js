/** The report on fuzzing: how many documents, and each kind of difference. */

/** @import { FuzzFailure, FuzzResult } from '../../harness/formats/types.ts' */
/** @import { Block, Document, Section } from '../document/model.ts' */

import { countOf, formatCount, formatDuration } from '../../harness/lib/numbers.js';
import { PROGRAM } from '../../harness/lib/program.js';
import { factList, list, listCode, paragraph, titled } from './build.js';

const MAX_TEXT_LENGTH = 240;

/**
 * @typedef {object} FuzzSummary
 * @property {string} spec
 * @property {string} reference
 * @property {number} seed
 * @property {'complete' | 'interrupted' | 'stopped' | 'failed'} ended
 * @property {number} elapsedMs
 * @property {FuzzResult} result
 * @property {string[]} files where its failures are kept, in their order
 */

const ENDINGS = {
  complete: '',
  interrupted: 'interrupted; ',
  stopped: 'stopped early after many failures; ',
  failed: 'stopped because the worker failed; ',
};

/**
 * @param {FuzzSummary[]} summaries one a variant
 * @returns {Document}
 */
export function describeFuzzing(summaries) {
  return {
    title: 'Fuzzing',
    eyebrow: 'Assay fuzz',
    source: `${PROGRAM} fuzz --format json`,
    sections: summaries.map(variantSection),
    footer: listCode(summaries.map(({ spec }) => spec)),
  };
}

/** @type {(summary: FuzzSummary, index: number) => Section} */
function variantSection({ spec, reference, seed, ended, elapsedMs, result, files }, index) {
  const { documents, differences, checks } = result;
  const isSame = differences === 0;
  const found = isSame
    ? 'no difference'
    : countOf(differences, 'document differs', 'documents differ');
  const rate = formatCount(documents / (Math.max(elapsedMs, 1) / 1000));
  return {
    id: `variant-${index + 1}`,
    title: spec,
    untitled: ['terminal'],
    blocks: [
      paragraph(
        {
          tone: isSame ? 'good' : 'bad',
          text: [
            { code: spec },
            `: ${found} from `,
            { code: reference },
            ` in ${countOf(documents, 'document')}`,
          ],
        },
        'lead',
      ),
      list([
        describeReadings(result),
        `${ENDINGS[ended]}${countOf(checks, 'comparison')} in ${formatDuration(elapsedMs)}, ${rate}\u00a0documents a second; seed ${seed}`,
      ]),
      ...result.failures.map((failure, at) => failureGroup(failure, files[at])),
    ],
  };
}

/** @type {(result: FuzzResult) => string} `12 read, 30 refused (BSONError 28, RangeError 2)` */
function describeReadings({ accepted, refused, errors }) {
  const byCount = Object.entries(errors).sort((a, b) => b[1] - a[1]);
  const classes = byCount.map(([name, count]) => `${name}\u00a0${formatCount(count)}`).join(', ');
  const how = classes === '' ? '' : ` (${classes})`;
  return `${formatCount(accepted)} read, ${formatCount(refused)} refused${how}`;
}

/** @type {(failure: FuzzFailure, file: string | undefined) => Block} */
function failureGroup({ kind, document, hex, options, expected, found }, file) {
  const withOptions = Object.keys(options).length === 0 ? '' : ` under ${JSON.stringify(options)}`;
  return titled(`${kind}, document ${document}${withOptions}`, [
    factList([
      ['bytes', shorten(hex)],
      ['expected', shorten(expected)],
      ['found', shorten(found)],
      file !== undefined && ['kept as', { code: file }],
    ]),
  ]);
}

/** @type {(text: string) => string} */
function shorten(text) {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH)}…`;
}
