/** What the tables of an explanation say, the same in every report. */

/** @import { AllocationChange, CacheSiteChange, CellExplanation, DeoptChange, FunctionChange } from '../../harness/formats/types.ts' */

import {
  countOf,
  formatBytes,
  formatBytesChange,
  formatChangeInterval,
  formatCount,
  formatDuration,
  formatInterval,
  formatRatio,
  formatShare,
  formatTime,
  formatTimeChange,
} from '../../harness/lib/numbers.js';

/**
 * @typedef {object} ChangeRow
 * @property {string} label
 * @property {string} place file and line, where there is one
 * @property {string} baseline
 * @property {string} candidate
 * @property {string} change with its sign
 * @property {string} interval of the change
 */

/**
 * What is responsible, the largest part first.
 *
 * @param {CellExplanation} cell
 * @returns {{ label: string, change: string, interval: string, share: string }[]}
 */
export function listCauseRows({ causes }) {
  return causes.map(({ name, change, share }) => ({
    label: name,
    change: formatTimeChange(change.estimate),
    interval: formatChangeInterval(change, formatTimeChange),
    share: formatShare(share),
  }));
}

/**
 * Functions by the change of their own time.
 *
 * @param {CellExplanation} cell
 * @param {number} most
 * @returns {ChangeRow[]}
 */
export function listFunctionRows({ functions }, most) {
  return functions.slice(0, most).map((change) => ({
    label: change.name,
    place: describePlace(change),
    baseline: formatTime(change.baseline?.selfNs ?? null),
    candidate: formatTime(change.candidate?.selfNs ?? null),
    change: formatTimeChange(change.self.estimate),
    interval: formatChangeInterval(change.self, formatTimeChange),
  }));
}

/**
 * Call sites by the change of the bytes that they allocate.
 *
 * @param {CellExplanation} cell
 * @param {number} most
 * @returns {ChangeRow[]}
 */
export function listAllocationRows({ allocations }, most) {
  return allocations.slice(0, most).map((change) => ({
    label: change.name,
    place: describePlace(change),
    baseline: formatBytes(change.baselineBytes),
    candidate: formatBytes(change.candidateBytes),
    change: formatBytesChange(change.change.estimate),
    interval: formatChangeInterval(change.change, formatBytesChange),
  }));
}

/**
 * Instructions and whole processes, each a witness of its own.
 *
 * @param {CellExplanation} cell
 * @returns {{ label: string, baseline: string, candidate: string, ratio: string, interval: string }[]}
 */
export function listWitnessRows({ instructions, wholeProcess }) {
  const rows = [];
  if (instructions !== null) {
    const { baseline, candidate } = instructions.values;
    rows.push({
      label: 'instructions per document',
      baseline: formatCount(baseline),
      candidate: formatCount(candidate),
      ratio: formatRatio(instructions.ratio),
      interval: 'counted',
    });
  }
  if (wholeProcess !== null) {
    const { baseline, candidate } = wholeProcess.valuesMs;
    rows.push({
      label: 'whole process, start-up included',
      baseline: formatDuration(baseline),
      candidate: formatDuration(candidate),
      ratio: formatRatio(wholeProcess.ratio.estimate),
      interval: formatInterval(wholeProcess.ratio),
    });
  }
  return rows;
}

/**
 * The files that recorders left which the command names; those of the usual ones belong to the page.
 *
 * @param {CellExplanation} cell
 * @param {readonly string[]} recorders asked for by name
 * @returns {{ recorder: string, arm: string, path: string }[]} paths relative to the run's directory
 */
export function listRequestedFiles({ artefacts }, recorders) {
  return artefacts.filter(({ recorder }) => recorders.includes(recorder));
}

/** What the two kinds of witness are not. */
export const WITNESS_REMARK =
  'Instructions are work, not time; a whole process has its start-up in it.';

/**
 * @param {DeoptChange} change
 * @returns {string} one sentence's worth
 */
export function describeDeopt(change) {
  const { kind, reason, baseline, candidate, late } = change;
  const where = describePlace(change);
  const place = where === '' ? '' : ` (${where})`;
  const lateness = late.baseline + late.candidate === 0 ? 'during warm-up' : 'after warm-up too';
  return `${change.function}: ${kind} deoptimisation, ${reason}${place}, ${baseline} against ${countOf(candidate, 'time')}, ${lateness}`;
}

/**
 * @param {CacheSiteChange} change
 * @returns {string} one sentence's worth
 */
export function describeCacheSite(change) {
  const { cache, key, baseline, candidate } = change;
  const what = key === null ? cache : `${cache} of ${key}`;
  const states = [baseline, candidate].map((state) => state ?? 'monomorphic or absent');
  return `${change.function}: ${what} (${describePlace(change)}) is ${states.join(' against ')}`;
}

/**
 * @param {Pick<FunctionChange | AllocationChange | DeoptChange | CacheSiteChange, 'file' | 'line'>} change
 * @returns {string} the last part of the file and the line: `write-text.js:53`
 */
export function describePlace({ file, line }) {
  if (file === null) return '';
  const name = file.startsWith('node:') ? file : (file.split('/').at(-1) ?? file);
  return line === null ? name : `${name}:${line}`;
}
