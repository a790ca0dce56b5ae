/** The report on the instrument's own errors on a host. */

/** @import { Calibration, ModeCalibration } from '../../harness/formats/types.ts' */
/** @import { Document, Fact } from '../document/model.ts' */

import { countOf, formatCount, formatDuration, formatShare } from '../../harness/lib/numbers.js';
import {
  chooseUsualBudget,
  hostSection,
  listStudyFacts,
  repeatSection,
  summarySection,
} from './environment.js';
import { dayOf, listWords } from '../../harness/lib/words.js';
import { describeConditions } from '../../harness/stats/calibration/trials.js';
import { listAllLooks } from '../../harness/stats/plan.js';
import { briefSections } from './calibration/brief.js';
import { costSection, errorSection } from './calibration/errors.js';
import { noiseSection } from './calibration/noise.js';
import { budgetSection, powerSection } from './calibration/power.js';
import { listCode } from './build.js';
import { formatProportion, formatProportionInterval } from './shares.js';

/**
 * @param {Calibration} calibration
 * @param {string} [path] of its directory, as a user of this machine would type it
 * @param {string | null} [resume] command that adds to it
 * @returns {Document}
 */
export function describeCalibration(calibration, path = calibration.id, resume = null) {
  const { environment, assay, id, createdAt, command, warnings } = calibration;
  return {
    title: `How far Assay can be trusted on ${environment.cpuModel}`,
    eyebrow: `Assay calibration · ${dayOf(createdAt)}`,
    marker: id,
    source: 'calibration.json',
    brief: briefSections(calibration, path, resume),
    sections: [
      summarySection(summarizeCalibration(calibration), calibration),
      errorSection(calibration),
      powerSection(calibration),
      budgetSection(calibration),
      noiseSection(calibration),
      costSection(calibration.costs),
      { id: 'notes', title: 'Notes', order: 50, blocks: [{ kind: 'notes', notes: warnings }] },
      hostSection(environment),
      repeatSection(command, path, listCalibrationFacts(calibration)),
    ],
    footer: [`Assay ${assay.version} · `, { code: id }],
  };
}

/** @type {(calibration: Calibration) => Fact[]} */
function listCalibrationFacts(calibration) {
  const { cells, settings, budgetSeconds, alpha, hostNoise } = calibration;
  const { warmUpMs, warmUpCalls, batchCount, batchMs } = settings;
  const throttled =
    hostNoise.throttledMs === null ? 'unknown' : formatDuration(hostNoise.throttledMs);
  return [
    ...listStudyFacts(calibration),
    ['compared with itself', listCode(listSpecs(calibration))],
    ['cells', listCode(cells.map(({ id }) => id))],
    [
      'a comparison',
      `looks at ${listAllLooks(calibration).join(', ')} processes per variant, error rate ${formatShare(alpha)}, at most ${budgetSeconds} s`,
    ],
    [
      'job',
      `warm-up of at least ${warmUpMs} ms and ${countOf(warmUpCalls, 'call')}, then ${countOf(batchCount, 'batch', 'batches')} of ${batchMs} ms`,
    ],
    [
      'while measuring',
      `CPU time stolen ${formatShare(hostNoise.stealShare)}, used by others ${formatShare(hostNoise.othersShare)}, throttled ${throttled}`,
    ],
  ];
}

/** @type {(calibration: Calibration) => string[]} of one code: one spec, or that of each arm */
function listSpecs({ variant, against }) {
  return against === undefined ? [variant] : [variant, against];
}

/** @type {(calibration: Calibration) => string[]} */
function summarizeCalibration(calibration) {
  const { modes } = calibration;
  if (modes.every(({ falsePositives }) => falsePositives.of === 0)) {
    return ['No A/A comparison finished.'];
  }
  const specs = listWords(listSpecs(calibration));
  const errors = modes.map(summarizeErrors).join('; ');
  return [`On this host and with ${specs}, ${errors}.`, ...smallestEffects(modes)];
}

/** @type {(mode: ModeCalibration) => string} */
function summarizeErrors({ falsePositives, ...conditions }) {
  const where = describeConditions(conditions);
  const { count, of } = falsePositives;
  if (of === 0) return `no A/A comparison finished in ${where}`;
  const share = `${formatProportion(falsePositives)}, 95 % interval ${formatProportionInterval(falsePositives)}`;
  return `${formatCount(count)} of ${formatCount(of)} A/A ${of === 1 ? 'comparison' : 'comparisons'} in ${where} (${share}) ${count === 1 ? 'was' : 'were'} called different`;
}

/** @type {(modes: ModeCalibration[]) => string[]} */
function smallestEffects(modes) {
  const effects = modes.flatMap(({ curves, ...conditions }) => {
    const curve = chooseUsualBudget(curves);
    if (curve === null) return [];
    const { detectable, budgetSeconds, points } = curve;
    const largest = points.at(-1)?.effect ?? null;
    const effect =
      detectable === null ? `none up to ${formatShare(largest)}` : formatShare(detectable);
    return [`${effect} in ${describeConditions(conditions)} with ${budgetSeconds} s per cell`];
  });
  if (effects.length === 0) return [];
  return [
    `Smallest effect found in 4 of 5 comparisons, at a false-positive rate of 5 %: ${effects.join(', ')}.`,
  ];
}
