/** What a stranger needs to repeat a run and to judge it, as folded Markdown sections. */

/** @import { Manifest, ResolvedVariant, Verdict } from '../../harness/types.ts' */

import { codeBlock, codeSpan, escapeProse } from './escape.js';
import { folded, markdownTable } from './markdown-table.js';
import {
  formatConfidence,
  formatCount,
  formatDuration,
  formatShare,
  formatSize,
  isFigure,
} from './numbers.js';
import { measuredLabel, repeatCommand } from './verdict-words.js';

/**
 * Command, seed, versions, and the digests of variants and corpora.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {string}
 */
export function describeRepeat(manifest, verdict) {
  const { question, assay, settings } = manifest;
  const revision = assay.revision === null ? 'unknown revision' : `revision ${assay.revision}`;
  const flags = question.nodeFlags.length === 0 ? 'none' : question.nodeFlags.join(' ');
  const budget =
    question.budgetSeconds === null ? 'none' : formatDuration(question.budgetSeconds * 1000);
  const facts = [
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
  ];
  const body = [
    codeBlock(repeatCommand(manifest), 'sh'),
    factList(facts),
    variantTable(manifest),
    corpusTable(manifest),
  ];
  return folded('How to repeat it', body.join('\n\n'));
}

/**
 * @param {string[][]} facts name and text
 * @returns {string}
 */
function factList(facts) {
  return facts.map(([name = '', text = '']) => `- ${name}: ${escapeProse(text)}`).join('\n');
}

/**
 * @param {Manifest} manifest
 * @returns {string}
 */
function variantTable({ variants }) {
  const columns = ['side', 'variant', 'version', 'idea', 'digest'].map(leftColumn);
  const sides = /** @type {const} */ (['baseline', 'candidate', 'reference']);
  return markdownTable(
    columns,
    sides.map((side) => [side, ...describeVariant(variants[side])]),
  );
}

/**
 * @param {ResolvedVariant} variant
 * @returns {string[]}
 */
function describeVariant(variant) {
  const version = variant.version === undefined ? '–' : codeSpan(variant.version);
  const digests = [variant.digest, variant.integrity].filter((digest) => digest !== undefined);
  return [
    codeSpan(variant.spec),
    version,
    escapeProse(variant.idea) || '–',
    digests.map(codeSpan).join('<br>'),
  ];
}

/**
 * @param {Manifest} manifest
 * @returns {string}
 */
function corpusTable({ corpora }) {
  const columns = ['corpus', 'provenance', 'documents', 'size', 'digest'].map(leftColumn);
  const rows = corpora.map((corpus) => [
    codeSpan(corpus.label),
    escapeProse(corpus.provenance),
    formatCount(corpus.documentCount),
    formatSize(corpus.sizeBytes),
    codeSpan(corpus.digest),
  ]);
  return markdownTable(columns, rows);
}

/**
 * @param {string} title
 * @returns {{ title: string, align: 'left' }}
 */
function leftColumn(title) {
  return { title, align: 'left' };
}

/**
 * Host fingerprint, and what disturbed the run.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {string}
 */
export function describeHost({ environment }, { hostNoise }) {
  const known = (/** @type {unknown} */ value) => (value === null ? 'unknown' : String(value));
  const limit = environment.cgroupCpuLimit;
  const throttled = isFigure(hostNoise.throttledMs)
    ? formatDuration(hostNoise.throttledMs)
    : 'unknown';
  const facts = [
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
  ];
  return folded('Host', factList(facts));
}

/**
 * The method, in five sentences.
 *
 * @param {Manifest} manifest
 * @returns {string}
 */
export function describeMethod({ question, settings }) {
  const margin = formatShare(question.minimumEffect);
  const confidence = formatConfidence(question.alpha);
  const sentences = [
    'Before any timing, both variants had to produce the same output as the reference for every document of every cell.',
    `Each observation is a fresh process, one at a time, that warms up and then times ${settings.batchCount} batches; baseline, candidate and control (the baseline again, under another name) run in random mirrored blocks.`,
    `The ratio is the difference of the 20 % trimmed means of log process medians, with a Yuen–Welch interval that holds with ${confidence} over all the looks at ${question.looks.join(', ')} processes a side.`,
    `A cell is equivalent when the interval lies within the minimum effect of ${margin}, faster or slower when it excludes 1 after Holm's correction over all cells, strong when all of it lies beyond the minimum effect, and otherwise inconclusive.`,
    'A verdict is untrusted when the control shows a difference that could have made it; "detects" is the smallest effect that this many processes find with 80 % power.',
  ];
  return folded('Method', sentences.join('\n'));
}
