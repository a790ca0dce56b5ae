/** The list of corpora as text for a terminal: a line of figures and a line of words each. */
import { countOf, formatCount, formatSize } from '../../harness/lib/numbers.js';
import { wrapText } from '../../harness/lib/wrap.js';
import { PROVENANCES } from './label.js';

/** @import { CorpusRow } from './catalog.js' */

/** Groups that a reader looks for first; others follow in the order of their names. */
const FIRST_GROUPS = ['driver-specification', 'mflix', 'granular', 'adversarial'];
const LAST_GROUP = 'imported';

const NAME_WIDTH = 18;
const FIGURE_WIDTHS = [6, 13, 8, 8];
const TITLES = ['docs', 'size each', 'fields', 'levels'];
const INDENT = '    ';
const NO_BREAK_SPACE = '\u00a0';

/**
 * @param {CorpusRow[]} rows
 * @param {number} width columns, at least 80
 * @returns {string[]} lines
 */
export function formatCatalog(rows, width) {
  const groups = [...new Set(rows.map(({ group }) => group))].sort(compareGroups);
  const header = formatLine('', TITLES, 'dictionary when');
  const lines = [];
  for (const group of groups) {
    const members = rows.filter((row) => row.group === group);
    const heading = group.replaceAll('-', ' ');
    lines.push(heading + header.slice(heading.length));
    lines.push(...members.flatMap((row) => formatRow(row, width)), '');
  }
  return lines;
}

/**
 * Everything about one corpus.
 *
 * @param {CorpusRow} row
 * @param {number} width columns
 * @returns {string[]} lines
 */
export function formatCorpus(row, width) {
  const objects = PROVENANCES.flatMap((provenance) => {
    const counts = row.objects[provenance];
    return counts === null ? [] : [`${counts.dictionary} ${provenance}`];
  });
  const total = PROVENANCES.map((name) => row.objects[name]).find((counts) => counts !== null);
  const sampled =
    row.sampledDocuments < row.documentCount
      ? ` in the first ${countOf(row.sampledDocuments, 'document')}`
      : '';
  return [
    `${row.name}  (${row.group.replaceAll('-', ' ')})`,
    row.stresses,
    `${countOf(row.documentCount, 'document')}, ${formatSize(row.sizeBytes)}; ` +
      `${countOf(row.elements, 'field')} (and array items) on ` +
      `${countOf(row.levels, 'level')}${sampled}`,
    row.digest,
    row.takesCount ? `takes a count: ${row.name}:1000` : 'takes no count',
    `dictionary mode: ${objects.join(', ')}, of ${countOf(total?.total ?? 0, 'object')}${sampled}`,
    ...row.problems,
  ].flatMap((text, index) => (index === 0 ? [text] : indent(text, width)));
}

/**
 * @param {CorpusRow} row
 * @param {number} width
 * @returns {string[]}
 */
function formatRow(row, width) {
  const figures = [
    formatCount(row.documentCount),
    formatSize(row.sizeBytes / row.documentCount),
    formatCount(row.elements / row.sampledDocuments),
    String(row.levels),
  ];
  const name = `  ${row.name}`;
  const fits = row.name.length <= NAME_WIDTH;
  return [
    ...(fits ? [] : [name]),
    formatLine(fits ? name : '', figures, nameDictionaryProvenances(row)),
    ...indent(row.stresses, width),
    ...(row.siblings.length > 0 ? indent(`also as ${listEndings(row)}`, width) : []),
    ...row.problems.flatMap((problem) => indent(problem, width)),
  ];
}

/**
 * Their names begin with that of the file.
 *
 * @param {CorpusRow} row
 */
function listEndings({ name, siblings }) {
  return siblings.map((sibling) => sibling.slice(name.length)).join(', ');
}

/** @param {CorpusRow} row */
function nameDictionaryProvenances({ objects }) {
  const names = PROVENANCES.filter((name) => (objects[name]?.dictionary ?? 0) > 0);
  return names.length === PROVENANCES.length ? 'always' : names.join(', ');
}

/**
 * @param {string} name
 * @param {string[]} figures
 * @param {string} words
 */
function formatLine(name, figures, words) {
  const cells = figures.map((figure, index) => figure.padStart(FIGURE_WIDTHS[index] ?? 0));
  const line = `${name.padEnd(NAME_WIDTH + 2)}${cells.join('')}  ${words}`;
  return line.replaceAll(NO_BREAK_SPACE, ' ').trimEnd();
}

/**
 * @param {string} text
 * @param {number} width
 */
function indent(text, width) {
  return wrapText(text, width, { first: INDENT, next: INDENT });
}

/**
 * @param {string} one
 * @param {string} other
 */
function compareGroups(one, other) {
  return rankGroup(one) - rankGroup(other) || one.localeCompare(other);
}

/** @param {string} group */
function rankGroup(group) {
  const rank = FIRST_GROUPS.indexOf(group);
  if (rank !== -1) return rank;
  return group === LAST_GROUP ? FIRST_GROUPS.length + 1 : FIRST_GROUPS.length;
}
