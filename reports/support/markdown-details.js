/** What a stranger needs to repeat a run and to judge it, as folded Markdown sections. */

/** @import { Manifest, ResolvedVariant, Verdict } from '../../harness/formats/types.ts' */

import { codeBlock, codeSpan, escapeProse } from '../../harness/lib/escape.js';
import { folded, markdownTable } from './markdown-table.js';
import { formatCount, formatSize } from '../../harness/lib/numbers.js';
import { listHosts, listMethodSentences, listRepeatFacts } from './run-facts.js';

/**
 * The command that asks the same question again.
 *
 * @param {Manifest} manifest
 * @returns {string}
 */
export function describeCommand(manifest) {
  return `Measure it again:\n\n${codeBlock(manifest.command, 'sh')}`;
}

/**
 * Seed, versions, and the digests of variants and corpora.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {string}
 */
export function describeRepeat(manifest, verdict) {
  const body = [
    factList(listRepeatFacts(manifest, verdict)),
    variantTable(manifest),
    corpusTable(manifest),
  ];
  return folded('What was measured', body.join('\n\n'));
}

/**
 * @param {import('./run-facts.js').Fact[]} facts
 * @returns {string}
 */
function factList(facts) {
  return facts.map(([name, text]) => `- ${name}: ${escapeProse(text)}`).join('\n');
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
export function describeHost(manifest, verdict) {
  const hosts = listHosts(manifest, verdict);
  const blocks = hosts.map(({ title, facts }) =>
    title === null ? factList(facts) : `**${title}**\n\n${factList(facts)}`,
  );
  return folded(hosts.length === 1 ? 'Host' : 'Hosts', blocks.join('\n\n'));
}

/**
 * The method, a sentence a line.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {string}
 */
export function describeMethod(manifest, verdict) {
  return folded('Method', listMethodSentences(manifest, verdict).join('\n'));
}
