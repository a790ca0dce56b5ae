/** Sections of a report as GitHub Markdown. */

/** @import { Fact } from '../../support/run-facts.js' */
/** @import { PartColumn, PartTable, ReportPart } from '../types.ts' */

import { codeBlock, codeSpan, escapeProse } from '../../../harness/lib/escape.js';
import { folded, markdownTable } from '../../support/markdown-table.js';

/**
 * Sections in their order; where space is short, details go first, then the later ones.
 *
 * @param {ReportPart[]} parts
 * @returns {import('../../support/join-sections.js').Section[]}
 */
export function makeSections(parts) {
  return parts.map((part, index) => ({
    name: part.title,
    rank: (part.isDetail === true ? 100 : 1) + index,
    text: describePart(part),
  }));
}

/**
 * @param {ReportPart} part
 * @returns {string} empty where there is nothing in its tables
 */
function describePart({ title, sentences, tables, isDetail }) {
  const drawn = tables.filter(({ rows }) => rows.length > 0).map(describeTable);
  if (drawn.length === 0) return '';
  const body = [...sentences.map(escapeProse), ...drawn];
  if (isDetail === true) return folded(escapeProse(title), body.join('\n\n'));
  return [`### ${escapeProse(title)}`, ...body].join('\n\n');
}

/**
 * @param {PartTable} table
 * @returns {string}
 */
function describeTable({ caption, columns, rows }) {
  const entries = rows.map((row) =>
    columns.map((column, index) => describeEntry(column, row[index] ?? '')),
  );
  return `${escapeProse(caption)}\n\n${markdownTable(columns, entries)}`;
}

/**
 * @param {PartColumn} column
 * @param {string} text
 * @returns {string}
 */
function describeEntry({ kind }, text) {
  return kind === 'name' ? codeSpan(text) : escapeProse(text);
}

/**
 * @param {string} command
 * @param {Fact[]} facts
 * @returns {string}
 */
export function describeRepeat(command, facts) {
  return folded('How to repeat it', `${codeBlock(command, 'sh')}\n\n${listFacts(facts)}`);
}

/**
 * @param {Fact[]} facts
 * @returns {string}
 */
export function listFacts(facts) {
  return facts.map(([name, text]) => `- ${name}: ${escapeProse(text)}`).join('\n');
}
