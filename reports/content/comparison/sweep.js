/** How time grows with the size of documents. */

/** @import { Manifest, Sweep, Verdict } from '../../../harness/formats/types.ts' */
/** @import { Block, Inline, Section } from '../../document/model.ts' */

import { formatSize } from '../../../harness/lib/numbers.js';
import { nameRuntime } from '../../../harness/lib/words.js';
import { pairOf } from '../../../harness/stats/plan.js';
import { formatExponent } from '../../../harness/stats/sweep.js';
import { paragraph } from '../build.js';

/**
 * @param {Pick<Manifest, 'question'>} manifest
 * @param {Pick<Verdict, 'sweeps'>} verdict
 * @returns {Section} without blocks where sizes were not swept
 */
export function makeSweepSection(manifest, verdict) {
  const blocks = listSweeps(manifest, verdict);
  return {
    id: 'sweep',
    title: 'Growth with size',
    order: 3,
    blocks:
      blocks.length === 0
        ? []
        : [
            ...blocks,
            paragraph(
              'A line through the logarithms of typical times over those of sizes in canonical BSON; the 95 % interval is the wider one of that from the noise of processes and that from the distances of the times from the line. 1 is in proportion, 2 is quadratic; a fixed cost of each call makes it smaller.',
              'remark',
            ),
          ],
  };
}

/** @type {(manifest: Pick<Manifest, 'question'>, verdict: Pick<Verdict, 'sweeps'>) => Block[]} a line for each operation and corpus */
export function listSweeps({ question }, { sweeps = [] }) {
  return sweeps.map((sweep) => paragraph(describeSweep(sweep, question), 'basis'));
}

/**
 * @param {Sweep} sweep
 * @param {Manifest['question']} question
 * @returns {Inline} `serialize flat, 6 046 bytes to 99.6 KiB: time grows with size^1.00 (0.98–1.03) in generator, size^1.01 …`
 */
function describeSweep({ operation, corpus, sizesBytes, exponents, ...sweep }, question) {
  const { baseline, candidate } = pairOf(question, sweep);
  const sizes = [sizesBytes[0], sizesBytes[sizesBytes.length - 1]].map(formatSize).join(' to ');
  const under = sweep.runtime === undefined ? '' : ` under ${nameRuntime(sweep.runtime)}`;
  const growth = (/** @type {Sweep['exponents']['baseline']} */ exponent) =>
    exponent === null ? 'an unknown power of it' : formatExponent(exponent);
  return [
    { code: `${operation} ${corpus}` },
    `${under}, ${sizes}: time grows with ${growth(exponents.baseline)} in `,
    { code: baseline },
    `, ${growth(exponents.candidate)} in `,
    { code: candidate },
    '.',
  ];
}
