/** Writes the tables of CHAMPION.md from verdicts: throughput of the candidate relative to the baseline. */

/** @import { ColdFigure, RatioInterval, Verdict } from '../../harness/formats/types.ts' */

/**
 * @typedef {'serialize' | 'deserialize'} Operation
 *
 * @typedef {object} Section
 * @property {string} name
 * @property {string} title
 * @property {string[]} corpora
 * @property {number} least throughput that is aimed at in every cell
 *
 * @typedef {object} MeasuredPart
 * @property {Section} section
 * @property {string} node major version
 * @property {Operation} operation
 * @property {Pick<Verdict, 'cells' | 'summaries'>} verdict
 *
 * @typedef {{ ratio: RatioInterval, cellCount: number }} Mean
 */

/** @type {Operation[]} */
const OPERATIONS = ['serialize', 'deserialize'];
const NODES = ['20', '24'];
const COLUMNS = OPERATIONS.flatMap((operation) => NODES.map((node) => ({ operation, node })));
const HEAD = COLUMNS.map(({ operation, node }) => `${operation}, Node ${node}`);
/** What cells without a warm-up time. */
const COLD = [
  { title: 'load and first call', calls: 1, withLoad: true },
  { title: 'first call', calls: 1, withLoad: false },
  { title: 'first 10', calls: 10, withLoad: false },
  { title: 'first 100', calls: 100, withLoad: false },
];
/** Cells that are named where more miss the aim. */
const MOST_NAMED = 8;

/**
 * @param {MeasuredPart[]} parts
 * @param {Section[]} sections in the order of the tables
 * @returns {string} Markdown
 */
export function writeTables(parts, sections) {
  const tables = sections.flatMap((section) => {
    const own = parts.filter((part) => part.section.name === section.name);
    if (own.length === 0) return [];
    const rows = own.some(isCold) ? listColdRows(own) : listCorpusRows(own, section);
    const table = writeTable(['', ...HEAD], rows);
    return [`## ${section.title}`, table, describeLow(own, section)];
  });
  return [...writeMeans(parts, sections), ...tables].join('\n\n');
}

/** @param {MeasuredPart} part */
function isCold({ verdict }) {
  return verdict.summaries.some(({ cold }) => cold !== undefined);
}

/** @type {(parts: MeasuredPart[], sections: Section[]) => string[]} one table, or none */
function writeMeans(parts, sections) {
  const warm = parts.filter((part) => !isCold(part));
  const elsewhere = warm.filter(({ section }) => section.title.startsWith('Documents from'));
  const groups = /** @type {[string, MeasuredPart[]][]} */ ([
    ...sections.map(({ name, title }) => [
      title,
      warm.filter((part) => part.section.name === name),
    ]),
    ['All documents from elsewhere', elsewhere],
  ]);
  const rows = groups
    .filter(([, own]) => own.length > 0)
    .map(([title, own]) => [
      title,
      ...OPERATIONS.flatMap((operation) => {
        const ofOperation = own.filter((part) => part.operation === operation);
        const byNode = NODES.map((node) =>
          ofOperation
            .filter((part) => part.node === node)
            .flatMap(({ verdict }) => verdict.summaries),
        );
        const counts = byNode.map(countCells);
        // A mean over both is one of as many cells of each.
        const both = counts.every((count) => count === counts[0]) ? byNode.flat() : [];
        return [...byNode, both].map(formatMean);
      }),
    ]);
  const head = OPERATIONS.flatMap((operation) =>
    ['Node 20', 'Node 24', 'both'].map((what) => `${operation}, ${what}`),
  );
  return rows.length === 0 ? [] : [writeTable(['geometric mean', ...head], rows)];
}

/** @type {(means: Pick<Mean, 'cellCount'>[]) => number} */
function countCells(means) {
  return means.reduce((sum, { cellCount }) => sum + cellCount, 0);
}

/** @type {(parts: MeasuredPart[], section: Section) => string[][]} */
function listCorpusRows(parts, { corpora }) {
  return corpora.map((corpus) => [
    corpus,
    ...COLUMNS.map(({ operation, node }) =>
      formatMean(
        listCells(parts, operation, node)
          .filter((cell) => cell.corpus === corpus)
          .map(({ ratio }) => ({ ratio, cellCount: 1 })),
      ),
    ),
  ]);
}

/** @type {(parts: MeasuredPart[]) => string[][]} */
function listColdRows(parts) {
  return COLD.map(({ title }) => [
    title,
    ...COLUMNS.map(({ operation, node }) =>
      formatMean(
        parts
          .filter((part) => part.operation === operation && part.node === node)
          .flatMap(({ verdict }) => verdict.summaries)
          .filter(({ cold }) => nameCold(cold) === title),
      ),
    ),
  ]);
}

/** @param {ColdFigure | undefined} cold */
function nameCold(cold) {
  const named = COLD.find(
    ({ calls, withLoad }) => calls === cold?.calls && withLoad === cold.withLoad,
  );
  return named?.title;
}

/** @type {(parts: MeasuredPart[], operation: string, node: string) => { name: string, corpus: string, ratio: RatioInterval }[]} */
function listCells(parts, operation, node) {
  const own = parts.filter((part) => part.operation === operation && part.node === node);
  return own.flatMap(({ verdict }) =>
    verdict.cells.flatMap(({ cell: { corpus, cold }, effect }) => {
      if (effect === null) return [];
      const calls = cold === undefined ? '' : `, ${nameCold(cold)}`;
      return [
        { name: `${operation} ${corpus}${calls}, Node ${node}`, corpus, ratio: effect.ratio },
      ];
    }),
  );
}

/** @type {(parts: MeasuredPart[], section: Section) => string} a sentence about cells that miss the aim, lowest first */
function describeLow(parts, { least }) {
  const cells = COLUMNS.flatMap(({ operation, node }) => listCells(parts, operation, node));
  const low = cells
    .filter(({ ratio }) => 1 / ratio.estimate < least)
    .sort((a, b) => b.ratio.estimate - a.ratio.estimate);
  const others = parts.flatMap(({ verdict }) => verdict.cells.filter(({ effect }) => !effect));
  const refused = others.filter(({ verdict }) => verdict === 'refused').map(({ cell }) => cell.id);
  const wrong = refused.length === 0 ? '' : ` Refused for their output: ${refused.join(', ')}.`;
  const without = others.length === 0 ? '' : ` ${others.length} more have no figure.${wrong}`;
  if (low.length === 0) return `None of ${cells.length} cells is below ×${least}.${without}`;
  const list = low
    .slice(0, MOST_NAMED)
    .map(({ name, ratio }) => `${name}: ${formatThroughput(ratio)}`)
    .join('; ');
  const lowest = low.length > MOST_NAMED ? 'the lowest: ' : '';
  return `Below ×${least}: ${low.length} of ${cells.length} cells (${lowest}${list}).${without}`;
}

/**
 * Of several runs, the interval is the mean of theirs on the log scale: wider than it had to be, since their noise is independent.
 * @type {(means: Mean[]) => string} `–` for none
 */
function formatMean(means) {
  const count = countCells(means);
  if (count === 0) return '–';
  const average = (/** @type {keyof RatioInterval} */ key) =>
    Math.exp(
      means.reduce((sum, { ratio, cellCount }) => sum + cellCount * Math.log(ratio[key]), 0) /
        count,
    );
  return formatThroughput({
    estimate: average('estimate'),
    low: average('low'),
    high: average('high'),
  });
}

/** Of a time ratio, the inverse is the ratio of throughputs. @param {RatioInterval} ratio */
function formatThroughput({ estimate, low, high }) {
  const [middle, least, most] = [estimate, high, low].map((ratio) => (1 / ratio).toFixed(2));
  return `×${middle} (${least}–${most})`;
}

/** @type {(head: string[], rows: string[][]) => string} */
function writeTable(head, rows) {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
