/** What the runtime did with a cell: deoptimisations, caches, compilers, values, allocation. */

/** @import { CellExplanation, ValueForms } from '../../../harness/formats/types.ts' */
/** @import { Block, Cell, Column } from '../../document/model.ts' */

import {
  formatBytes,
  formatBytesChange,
  formatChangeInterval,
  formatCount,
  formatDecimal,
  formatShare,
  formatTime,
  NO_FIGURE,
} from '../../../harness/lib/numbers.js';
import { figureColumn, figureColumns, nameFunction, noteLeftOut, toneOfChange } from '../build.js';

/** With the names of V8's compilers. */
const TIERS = {
  interpreter: 'interpreter (Ignition)',
  baseline: 'baseline (Sparkplug)',
  mid: 'mid (Maglev)',
  optimized: 'optimized (TurboFan)',
};

/** @type {Column[]} */
const ARMS = figureColumns('baseline', 'candidate');

/**
 * Deoptimisations, inline caches, compilers and values, as far as the arms differ.
 *
 * @param {CellExplanation} cell
 * @param {number} most rows of a table
 * @returns {Block[]}
 */
export function describeEngine(cell, most) {
  return [
    ...listDeopts(cell, most),
    ...listCaches(cell, most),
    ...listTiers(cell, most),
    describeValues(cell),
  ];
}

/** @type {(cell: CellExplanation, most: number) => Block[]} */
function listDeopts({ deopts }, most) {
  return [
    {
      kind: 'table',
      caption: 'Deoptimisations that differ between the arms; in brackets: after warm-up',
      label: 'Deoptimisations',
      columns: [
        { title: 'function', kind: 'name' },
        { title: 'reason' },
        { title: 'kind' },
        ...ARMS,
      ],
      rows: deopts
        .slice(0, most)
        .map((deopt) => [
          nameFunction(deopt.function, deopt.file, deopt.line),
          deopt.reason,
          deopt.kind,
          `${formatCount(deopt.baseline)} (${formatCount(deopt.late.baseline)})`,
          `${formatCount(deopt.candidate)} (${formatCount(deopt.late.candidate)})`,
        ]),
    },
    ...noteLeftOut(deopts.length - most, 'deoptimisations'),
  ];
}

/** @type {(cell: CellExplanation, most: number) => Block[]} */
function listCaches({ cacheSites }, most) {
  const stateOf = (/** @type {string | null} */ state) => state ?? 'monomorphic or absent';
  return [
    {
      kind: 'table',
      caption: 'Inline caches with several hidden classes that differ between the arms',
      label: 'Inline caches',
      columns: [
        { title: 'place', kind: 'name' },
        { title: 'access' },
        { title: 'baseline' },
        { title: 'candidate' },
      ],
      rows: cacheSites
        .slice(0, most)
        .map((site) => [
          nameFunction(site.function, site.file, site.line),
          site.key === null ? site.cache : [`${site.cache} of `, { code: site.key }],
          stateOf(site.baseline),
          stateOf(site.candidate),
        ]),
    },
    ...noteLeftOut(cacheSites.length - most, 'inline caches'),
  ];
}

/** @type {(cell: CellExplanation, most: number) => Block[]} */
function listTiers({ tiers }, most) {
  return [
    {
      kind: 'table',
      caption: 'Functions that reach different compilers in the two arms',
      label: 'Compilers',
      columns: [{ title: 'function', kind: 'name' }, { title: 'baseline' }, { title: 'candidate' }],
      rows: tiers
        .slice(0, most)
        .map((change) => [
          nameFunction(change.function, change.file, change.line),
          TIERS[change.baseline],
          TIERS[change.candidate],
        ]),
    },
    ...noteLeftOut(tiers.length - most, 'functions'),
  ];
}

/**
 * How V8 represents the values that the operation reads or makes, without the forms that neither arm
 * has.
 * @type {(cell: CellExplanation) => Block}
 */
function describeValues({ values: { baseline, candidate } }) {
  const [before, after] = [listForms(baseline), listForms(candidate)];
  const names = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => (before.get(name) ?? 0) + (after.get(name) ?? 0) > 0,
  );
  const title = 'How V8 represents the values that the operation reads or creates';
  /** @type {Block} */
  const table = {
    kind: 'table',
    caption: title,
    columns: [{ title: 'form', kind: 'name' }, ...ARMS],
    rows: names.map((name) => [
      name,
      baseline === null ? NO_FIGURE : formatCount(before.get(name) ?? 0),
      candidate === null ? NO_FIGURE : formatCount(after.get(name) ?? 0),
    ]),
  };
  const isSame = names.every((name) => before.get(name) === after.get(name));
  if (!isSame) return table;
  return {
    kind: 'group',
    title: 'How V8 represents the values: the same in both arms',
    folded: ['html'],
    only: ['html'],
    blocks: [table],
  };
}

/** @type {(forms: ValueForms | null) => Map<string, number>} counts by name of the form */
function listForms(forms) {
  if (forms === null) return new Map();
  return new Map([
    ['objects', forms.objects],
    ['objects in dictionary mode', forms.dictionaries],
    ['hidden classes', forms.hiddenClasses],
    ['keys of the largest object', forms.mostKeys],
    ['numbers as small integers', forms.smis],
    ['numbers as doubles', forms.doubles],
    ['arrays', forms.arrays],
    ...prefixed('arrays, elements', forms.elements),
    ...prefixed('strings', forms.strings),
  ]);
}

/** @type {(prefix: string, counts: Record<string, number>) => [string, number][]} */
function prefixed(prefix, counts) {
  return Object.entries(counts).map(([kind, count]) => [`${prefix} ${kind}`, count]);
}

/**
 * What is allocated where, and how often it is collected.
 *
 * @param {CellExplanation} cell
 * @param {number} most rows of a table
 * @returns {Block[]}
 */
export function describeAllocation(cell, most) {
  const { allocations } = cell;
  return [
    {
      kind: 'table',
      caption: 'Bytes allocated per document by call site, including collected objects',
      label: 'Allocation sites',
      columns: [
        { title: 'call site', kind: 'name' },
        { title: 'change', align: 'right', sortable: true },
        figureColumn('95 % interval'),
        { title: 'baseline', align: 'right', sortable: true },
        { title: 'candidate', align: 'right', sortable: true },
      ],
      rows: allocations
        .slice(0, most)
        .map(({ name, file, line, baselineBytes, candidateBytes, change }) => [
          nameFunction(name, file, line),
          {
            value: formatBytesChange(change.estimate),
            sort: change.estimate,
            tone: toneOfChange(change),
          },
          formatChangeInterval(change, formatBytesChange),
          { value: formatBytes(baselineBytes), sort: baselineBytes },
          { value: formatBytes(candidateBytes), sort: candidateBytes },
        ]),
    },
    ...noteLeftOut(allocations.length - most, 'call sites'),
    tabulateCollections(cell),
  ];
}

/**
 * Collections by kind, and their share of the time.
 * @type {(cell: CellExplanation) => Block} without rows where collections were not counted
 */
function tabulateCollections({ collections, pauseMs }) {
  const { baseline, candidate } = collections;
  const arms = /** @type {const} */ (['baseline', 'candidate']);
  const kinds = Object.keys({ ...baseline?.perThousand, ...candidate?.perThousand }).sort();
  /** @type {Cell[][]} */
  const rows = kinds.map((kind) => [
    `${kind}, per 1000 documents`,
    ...arms.map((arm) => {
      const summary = collections[arm];
      return summary === null ? NO_FIGURE : formatDecimal(summary.perThousand[kind] ?? 0);
    }),
  ]);
  const averages = [
    [
      'mean pause',
      ...arms.map((arm) => {
        const ms = pauseMs[arm];
        return ms === null ? NO_FIGURE : formatTime(ms * 1e6);
      }),
    ],
    ['share of time', ...arms.map((arm) => formatShare(collections[arm]?.timeShare))],
  ];
  return {
    kind: 'table',
    caption: 'Garbage collections; the share of time is from the timed jobs',
    label: 'Garbage collections',
    columns: [{ title: 'collections', kind: 'name' }, ...ARMS],
    rows: baseline === null && candidate === null ? [] : [...rows, ...averages],
  };
}
