/** What a stranger needs to judge a run and to repeat it: host, method, command, digests. */

/** @import { Manifest, ResolvedVariant, Verdict } from '../../harness/types.ts' */
/** @import { Content } from './html-escape.js' */

import { factList, pageSection } from './html-blocks.js';
import { codeLines, codeName, joinBlocks, markup } from './html-escape.js';
import { htmlTable } from './html-table.js';
import {
  formatConfidence,
  formatCount,
  formatDuration,
  formatShare,
  formatSize,
  isFigure,
  NO_FIGURE,
} from './numbers.js';
import { measuredLabel, repeatCommand } from './verdict-words.js';

/**
 * Host fingerprint, and what disturbed the run.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {Content}
 */
export function hostPart({ environment }, { hostNoise }) {
  const known = (/** @type {unknown} */ value) => (value === null ? 'unknown' : String(value));
  const limit = environment.cgroupCpuLimit;
  const throttled = isFigure(hostNoise.throttledMs)
    ? formatDuration(hostNoise.throttledMs)
    : 'unknown';
  return pageSection('host', 'Host', [
    factList([
      ['Node', `${environment.node}, V8 ${environment.v8}`],
      ['system', `${environment.os}, kernel ${environment.kernel}, ${environment.arch}`],
      ['processor', `${environment.cpuCount} × ${environment.cpuModel}`],
      ['memory', formatSize(environment.memoryBytes)],
      ['virtualization', environment.virtualization ?? 'none found'],
      ['frequency governor', known(environment.governor)],
      ['autogroup scheduling', known(environment.autogroup)],
      ['CPU limit of the control group', limit === null ? 'none' : `${limit} CPUs`],
      [
        'before the first job',
        `load ${environment.loadAverage}, runnable processes ${known(environment.runnableProcesses)}`,
      ],
      [
        'while measuring',
        `CPU time stolen ${formatShare(hostNoise.stealShare)}, used by others ${formatShare(hostNoise.othersShare)}, throttled ${throttled}`,
      ],
    ]),
  ]);
}

/**
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {Content}
 */
export function methodPart({ question, settings }, { explanation }) {
  const margin = formatShare(question.minimumEffect);
  const confidence = formatConfidence(question.alpha);
  const sentences = [
    'Before any timing, both variants had to produce the same output as the reference for every document of every cell.',
    `Each observation is a fresh process, one at a time, that warms up and then times ${settings.batchCount} batches; baseline, candidate and control (the baseline again, under another name) run in random mirrored blocks.`,
    `The ratio is the difference of the 20 % trimmed means of log process medians, with a Yuen–Welch interval that holds with ${confidence} over all the looks at ${question.looks.join(', ')} processes a side.`,
    `A cell is equivalent when the interval lies within the minimum effect of ${margin}, faster or slower when it excludes 1 after Holm’s correction over all cells, strong when all of it lies beyond the minimum effect, and otherwise inconclusive.`,
    'A verdict is untrusted when the control shows a difference that could have made it; “detects” is the smallest effect that this many processes find with 80 % power.',
  ];
  const profiling =
    'Profiles come from a second pass of processes that were not timed for the verdict. The shares of each are scaled to the time per document of its side, so that the changes of all functions sum to the timed difference.';
  return pageSection('method', 'Method', [
    ...[...sentences, ...(explanation === undefined ? [] : [profiling])].map(
      (sentence) => markup`<p>${sentence}</p>`,
    ),
  ]);
}

/**
 * Command, seed, versions, and the digests of variants and corpora.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {Content}
 */
export function repeatPart(manifest, verdict) {
  const { question, assay, settings } = manifest;
  const revision = assay.revision === null ? 'unknown revision' : `revision ${assay.revision}`;
  const flags = question.nodeFlags.length === 0 ? 'none' : question.nodeFlags.join(' ');
  const budget =
    question.budgetSeconds === null ? 'none' : formatDuration(question.budgetSeconds * 1000);
  return pageSection('repeat', 'How to repeat it', [
    markup`<div class="command">${codeLines(repeatCommand(manifest))}<button type="button" class="copy" hidden>Copy</button></div>`,
    factList([
      ['seed', String(question.seed)],
      ['mode', `${question.mode}, node flags: ${flags}`],
      ['Assay', `${assay.version}, ${revision}${assay.dirty ? ', with uncommitted changes' : ''}`],
      ['run', manifest.runId],
      ['begun', manifest.createdAt],
      ['looks', `${question.looks.join(', ')} processes a side; time budget: ${budget}`],
      [
        'job',
        `warm-up of ${settings.warmUpMs} ms and ${formatCount(settings.warmUpCalls)} calls at least, then ${settings.batchCount} batches of ${settings.batchMs} ms`,
      ],
      ['measured', measuredLabel(verdict)],
    ]),
    variantTable(manifest),
    corpusTable(manifest),
  ]);
}

/**
 * @param {Manifest} manifest
 * @returns {Content}
 */
function variantTable({ variants }) {
  const sides = /** @type {const} */ (['baseline', 'candidate', 'reference']);
  return htmlTable({
    caption: 'Variants',
    label: 'Variants',
    columns: [
      { title: 'side' },
      { title: 'variant' },
      { title: 'version' },
      { title: 'idea', wraps: true },
      { title: 'digest' },
    ],
    rows: sides.map((side) => [side, ...describeVariant(variants[side])]),
  });
}

/**
 * @param {ResolvedVariant} variant
 * @returns {Content[]}
 */
function describeVariant({ spec, version, idea, digest, integrity }) {
  const digests = [digest, ...(integrity === undefined ? [] : [integrity])];
  return [
    codeName(spec),
    version === undefined ? NO_FIGURE : codeName(version),
    idea || NO_FIGURE,
    markup`<span class="digest">${joinBlocks(digests.map(codeName))}</span>`,
  ];
}

/**
 * @param {Manifest} manifest
 * @returns {Content}
 */
function corpusTable({ corpora }) {
  return htmlTable({
    caption: 'Corpora',
    label: 'Corpora',
    columns: [
      { title: 'corpus' },
      { title: 'provenance' },
      { title: 'documents', align: 'right' },
      { title: 'size', align: 'right' },
      { title: 'digest' },
    ],
    rows: corpora.map(({ label, provenance, documentCount, sizeBytes, digest }) => [
      codeName(label),
      provenance,
      formatCount(documentCount),
      formatSize(sizeBytes),
      markup`<span class="digest">${codeName(digest)}</span>`,
    ]),
  });
}
