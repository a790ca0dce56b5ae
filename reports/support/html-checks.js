/** Whether the sides are right: the behaviour contract, differences in output, failed jobs. */

/** @import { Manifest, Verdict } from '../../harness/formats/types.ts' */
/** @import { ShownRow } from './contract-words.js' */
/** @import { Content } from '../document/markup.js' */

import { listBroken, listContractRows, OUTCOMES, summarizeContract } from './contract-words.js';
import { foldedPart, pageSection, remarkOnRest } from './html-blocks.js';
import {
  codeLines,
  codeName,
  joinBlocks,
  markName,
  markup,
  withNames,
} from '../document/markup.js';
import { htmlTable } from './html-table.js';
import { formatCount, NO_FIGURE } from '../../harness/lib/numbers.js';
import { failedJobLabel } from './verdict-words.js';

const LARGEST_DIFFERENCE_COUNT = 50;
const LARGEST_VALUE_LENGTH = 400;
const LARGEST_FAILED_COUNT = 20;

/**
 * How the variants stand to the behaviour contract.
 *
 * @param {Parameters<typeof listContractRows>[0]} manifest
 * @returns {Content} nothing where the family has no contract
 */
export function contractPart(manifest) {
  const entries = listContractRows(manifest);
  if (entries.length === 0) return null;
  const sentences = entries.map(
    ([spec, rows]) =>
      markup`<li>${withNames(summarizeContract(markName(spec), rows))}${brokenList(rows)}</li>`,
  );
  return pageSection('contract', 'Behaviour contract', [
    markup`<ul>\n${joinBlocks(sentences)}\n</ul>`,
    foldedPart('All promises', contractTable(entries)),
  ]);
}

/**
 * @param {ShownRow[]} rows
 * @returns {Content}
 */
function brokenList(rows) {
  const broken = listBroken(rows);
  if (broken.length === 0) return null;
  const items = broken.map(({ name, outcome, detail }) => {
    const { word, tone } = OUTCOMES[outcome];
    return markup`<li><span class="${tone}">${word}</span> ${codeName(name)}: ${detail ?? ''}</li>`;
  });
  return markup`<ul>${items}</ul>`;
}

/**
 * @param {[spec: string, rows: ShownRow[]][]} entries
 * @returns {Content} a row a promise, a column a variant
 */
function contractTable(entries) {
  const [, first] = entries[0] ?? ['', []];
  return htmlTable({
    caption: 'The behaviour contract, promise by promise',
    label: 'Behaviour contract',
    columns: [
      { title: 'row' },
      ...entries.map(([spec]) => ({ title: codeName(spec) })),
      { title: 'promise', wraps: true },
    ],
    rows: first.map(({ name, promise }) => [
      codeName(name),
      ...entries.map(([, rows]) => outcomePlace(rows.find((row) => row.name === name))),
      promise,
    ]),
  });
}

/**
 * @param {ShownRow | undefined} row
 */
function outcomePlace(row) {
  if (row === undefined) return NO_FIGURE;
  const { word, tone } = OUTCOMES[row.outcome];
  return { content: word, tone };
}

/**
 * Where outputs are not the reference's.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {Content} nothing where outputs are equal
 */
export function differencePart({ variants }, { differences }) {
  const shown = differences.slice(0, LARGEST_DIFFERENCE_COUNT);
  const table = htmlTable({
    caption: markup`The reference is ${codeName(variants.reference.spec)}.`,
    label: 'Differences from the reference',
    columns: ['variant', 'cell', 'document', 'path', 'expected', 'found'].map((title, index) => ({
      title,
      wraps: index > 3,
    })),
    rows: shown.map((one) => [
      codeName(one.variant),
      codeName(one.cellId),
      String(one.document),
      codeName(one.path),
      codeName(shorten(one.expected)),
      codeName(shorten(one.found)),
    ]),
  });
  return pageSection(
    'differences',
    `Differences from the reference (${formatCount(differences.length)})`,
    [table, remarkOnRest(differences.length - shown.length, 'differences')],
  );
}

/** @param {string} value */
function shorten(value) {
  if (value.length <= LARGEST_VALUE_LENGTH) return value;
  return `${value.slice(0, LARGEST_VALUE_LENGTH)}…`;
}

/**
 * The jobs that failed, with the last lines that their workers wrote.
 *
 * @param {Verdict} verdict
 * @returns {Content} nothing where every job measured at once
 */
export function failedJobPart({ failedJobs }) {
  if (failedJobs.length === 0) return null;
  const shown = failedJobs.slice(0, LARGEST_FAILED_COUNT);
  const blocks = shown.map((job) => {
    const { lastLines } = job.failure;
    const said = lastLines.length === 0 ? null : codeLines(lastLines.join('\n'));
    return joinBlocks([markup`<p>${failedJobLabel(job)}</p>`, said]);
  });
  return pageSection('failed-jobs', `Failed jobs (${formatCount(failedJobs.length)})`, [
    ...blocks,
    remarkOnRest(failedJobs.length - shown.length, 'failed jobs'),
  ]);
}
