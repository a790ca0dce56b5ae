/**
 * The figures that the manual quotes are those of kept reports: `node scripts/quoted-figures.js` takes them from there and
 * writes them into the pages, for instance after a report was measured again. A test compares them.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

/**
 * A part of a sentence of a page, with `{name}` in place of each figure, and one of the report that has the same figures.
 * Both begin and end with a word.
 *
 * @typedef {object} Sentence
 * @property {string} page
 * @property {string} report
 * @property {string} says
 * @property {string} [reads] in the report, where its words are others
 */

/**
 * A table of a page: columns of the table of the report that has all of them, and the rows that are kept.
 *
 * @typedef {object} Table
 * @property {string} page
 * @property {string} report
 * @property {string[]} columns
 * @property {(row: string[]) => boolean} [keeps] by the cells of these columns
 */

/**
 * Lines of a report in a terminal, which the page indents.
 *
 * @typedef {object} Lines
 * @property {string} page
 * @property {string} report
 * @property {string} from the beginning of the first line
 * @property {string} until the beginning of the line after the last one
 */

/** @typedef {Sentence | Table | Lines} Quote */

const EXAMPLES = 'reports/examples';
const COMPARISON = `${EXAMPLES}/recursive-vs-generator/report.md`;
const QUIET = `${EXAMPLES}/quiet-hour/calibration.md`;
const BUSY = `${EXAMPLES}/busy-hour/calibration.md`;
const SIMULATION = `${EXAMPLES}/simulation/simulation.md`;
const YEARS = `${EXAMPLES}/simulation/continuous.md`;
const ERRORS =
  'with linked-list, {a} of {n} A/A comparisons in default mode ({s} %, 95 % interval {x}) {verb} called different; {b} of {m} A/A comparisons in default mode in pairs ({t} %, 95 % interval {y})';

/** @type {Quote[]} */
export const QUOTES = [
  {
    page: 'README.md',
    report: `${EXAMPLES}/recursive-vs-generator/report.txt`,
    from: 'generator is slower than recursive',
    until: 'Open ',
  },
  {
    page: 'README.md',
    report: COMPARISON,
    says: '--seed 1`: {count} processes in {time}, under',
    reads: 'Measured: {count} processes in {time}, ',
  },
  {
    page: 'README.md',
    report: QUIET,
    says: 'on one host, {a} of {n} comparisons of a variant with itself were called different one job at a time, and {b} of {m} in pairs (95 % intervals {x} and {y}) in a quiet hour',
    reads: ERRORS,
  },
  {
    page: 'README.md',
    report: BUSY,
    says: 'beside a defined load, {a} of {n} one job at a time and {b} of {m} in pairs ({x} and {y}). The rule',
    reads: ERRORS,
  },
  {
    page: 'README.md',
    report: SIMULATION,
    says: 'each of {count} scenarios]',
    reads: 'in any of {count} scenarios',
  },
  {
    page: 'README.md',
    report: `${EXAMPLES}/peers/peers.md`,
    columns: ['tool', 'same code: different', '5 % cost: slower', '10 % cost: slower'],
  },
  {
    page: 'README.md',
    report: `${EXAMPLES}/peers-again/peers.md`,
    says: 'it found {a} and {b}, and called {c} different ([report]',
    reads: 'assay | {c}, {x} % | {a}, {y} % | {b}, {z} %',
  },
  {
    page: 'README.md',
    report: `${EXAMPLES}/champion/second-round.md`,
    says: '×{read} the throughput of bson 7.3.4 in reading',
    reads:
      'champion is faster than npm:bson@7.3.4 on {n} of {m} cells: deserialize ×{c} time ({d}, throughput ×{read}, 98 % interval',
  },
  {
    page: 'docs/calibrate.md',
    report: QUIET,
    says: 'quiet-hour/calibration.md)): {a} of {n} comparisons one at a time and {b} of {m} in pairs were called different (95 % intervals {x} and {y});',
    reads: ERRORS,
  },
  {
    page: 'docs/calibrate.md',
    report: BUSY,
    says: 'busy-hour/calibration.md)): {a} of {n} comparisons one at a time and {b} of {m} in pairs were called different (95 % intervals {x} and {y}) there',
    reads: ERRORS,
  },
  {
    page: 'docs/calibrate.md',
    report: QUIET,
    columns: ['mode', 'cell', '48', 'process'],
  },
  {
    page: 'docs/calibrate.md',
    report: BUSY,
    columns: ['mode', 'cell', '48'],
  },
  {
    page: 'docs/calibrate.md',
    report: SIMULATION,
    says: 'each of {count} scenarios]',
    reads: 'in any of {count} scenarios',
  },
  {
    page: 'docs/calibrate.md',
    report: SIMULATION,
    columns: ['scenario', '8', '12', '24', '48', '96', 'all'],
    keeps: ([scenario]) => /^normal, (?:3|5|10) % slower$/.test(scenario),
  },
  {
    page: 'docs/continuous.md',
    report: YEARS,
    says: 'at most {count} are expected on a branch on which nothing changes, and no 95 % interval ends above {high}, with',
  },
  {
    page: 'docs/continuous.md',
    report: YEARS,
    columns: [
      'cells are',
      'cells',
      'merges',
      'with a suspicion',
      'suspected cells',
      'confirmations',
    ],
  },
  {
    page: 'docs/continuous.md',
    report: YEARS,
    columns: ['size', 'changes', 'at its own merge', 'median', '90th percentile', 'never'],
  },
  {
    page: 'docs/explain.md',
    report: COMPARISON,
    says: 'A document takes {a} instead of {b}: {c} more ({d}). More time goes into Object.entries ({e}, {f} of the difference, only the candidate runs it), garbage collection ({g}, {h}), resuming generators ({i}, {j}, only the candidate runs it) and array iterators ({k}, {l}, only the candidate runs it)',
  },
  {
    page: 'docs/memory.md',
    report: `${EXAMPLES}/linked-list-vs-packed-objectid/report.md`,
    columns: ['constructor', 'part', 'baseline', 'candidate'],
    keeps: ([constructor]) => constructor === 'ObjectId',
  },
  {
    page: 'docs/read-a-report.md',
    report: 'reports/golden/mixed.terminal.txt',
    from: 'linked-list is slower than generator on 1 of 6 cells, faster on 1, equivalent on',
    until: '==== 120 columns',
  },
  {
    page: 'docs/read-a-report.md',
    report: 'reports/golden/mixed.full.txt',
    from: 'Time per document; baseline',
    until: 'Ratio: ',
  },
];

/** @type {(path: string) => URL} */
const locate = (path) => new URL(`../${path}`, import.meta.url);

if (process.argv[1] === fileURLToPath(import.meta.url)) await updatePages();

async function updatePages() {
  for (const page of new Set(QUOTES.map((quote) => quote.page))) {
    const path = fileURLToPath(locate(page));
    const text = QUOTES.filter((quote) => quote.page === page).reduce(
      takeFigures,
      readFileSync(path, 'utf8'),
    );
    writeFileSync(path, await format(text, { ...(await resolveConfig(path)), filepath: path }));
  }
}

/**
 * @param {string} page its text
 * @param {Quote} quote
 * @returns {string} the page with the figures of the report
 * @throws {Error} when the page or the report has no such words
 */
export function takeFigures(page, quote) {
  const report = readFileSync(locate(quote.report), 'utf8');
  if ('says' in quote) return takeSentence(page, report, quote);
  return 'columns' in quote ? takeTable(page, report, quote) : takeLines(page, report, quote);
}

/** @type {(page: string, report: string, quote: Sentence) => string} */
function takeSentence(page, report, { says, reads = says, ...quote }) {
  const found = matchWords(reads).exec(plain(report))?.groups;
  const match = matchWords(says).exec(page);
  if (found === undefined || match?.indices?.groups === undefined) throw explain(quote, says);
  const places = Object.entries(match.indices.groups).sort(([, a], [, b]) => b[0] - a[0]);
  return places.reduce(
    (text, [name, [start, end]]) =>
      plain(text.slice(start, end)) === found[name]
        ? text
        : text.slice(0, start) + found[name] + text.slice(end),
    page,
  );
}

/** @type {(words: string) => RegExp} with a group for each name */
function matchWords(words) {
  const parts = words.split(/(\{\w+\}|\s+)/).map((part) =>
    part
      .replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')
      .replace(/^\s+$/, '\\s+')
      .replace(/^\{(\w+)\}$/, '(?<$1>[^]{1,40}?)'),
  );
  return new RegExp(parts.join(''), 'd');
}

/** @type {(text: string) => string} without emphasis, code marks, escapes and line ends */
function plain(text) {
  return text
    .replaceAll(/[*`\\]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** @type {(page: string, report: string, quote: Table) => string} */
function takeTable(page, report, { columns, keeps = () => true, ...quote }) {
  const source = listTables(report).find(({ rows: [titles] }) => holdsAll(titles, columns));
  const target = listTables(page).find(({ rows: [titles] }) => titles.join() === columns.join());
  if (source === undefined || target === undefined) throw explain(quote, columns.join(', '));
  const [titles, , ...rows] = source.rows;
  const kept = rows.map((row) => columns.map((title) => row[titles.indexOf(title)])).filter(keeps);
  if (JSON.stringify(kept) === JSON.stringify(target.rows.slice(2))) return page;
  const head = target.text.split('\n', 2);
  const lines = [...head, ...kept.map((row) => `| ${row.join(' | ')} |`)];
  return page.replace(target.text, () => `${lines.join('\n')}\n`);
}

/** @type {(titles: string[], columns: string[]) => boolean} */
function holdsAll(titles, columns) {
  return columns.every((title) => titles.includes(title));
}

/** @type {(text: string) => { text: string, rows: string[][] }[]} tables, with their titles and the line below them */
function listTables(text) {
  return [...text.matchAll(/(?:^\|.*\|\n)+/gm)].map(([table]) => ({
    text: table,
    rows: table
      .trim()
      .split('\n')
      .map((line) => line.slice(1, -1).split('|').map(plain)),
  }));
}

/** @type {(page: string, report: string, quote: Lines) => string} */
function takeLines(page, report, { from, until, ...quote }) {
  const start = report.indexOf(from);
  const end = report.indexOf(`\n${until}`, start);
  const [block] = page.match(new RegExp(`^ {4}${from}.*\n(?:(?: {4}.*)?\n)*`, 'm')) ?? [];
  if (start < 0 || end < 0 || block === undefined) throw explain(quote, from);
  const lines = report.slice(start, end).trimEnd().split('\n');
  const indented = lines.map((line) => (line === '' ? '' : `    ${line}`)).join('\n');
  return page.replace(block, () => `${indented}\n\n`);
}

/** @type {(quote: { page: string, report: string }, words: string) => Error} */
function explain({ page, report }, words) {
  return new Error(`${page} or ${report} lacks what scripts/quoted-figures.js looks for: ${words}`);
}
