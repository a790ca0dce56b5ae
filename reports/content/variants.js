/** Variants, axes and operations of families, and variants in full. */

/** @import { Block, Column, Document, Fact, Inline, Row, Section, Table } from '../document/model.ts' */

import { group } from 'd3-array';
import {
  fact,
  factList,
  listCode,
  paragraph,
  present,
  section,
  titled,
  untitled,
} from './build.js';
import { PROGRAM } from '../../harness/lib/program.js';

/** @typedef {{ name: string, text: string }[]} Entries */

/**
 * @typedef {object} FamilyListing
 * @property {string} name
 * @property {string} summary
 * @property {string | null} reference null for the baseline of each comparison
 * @property {Entries} variants with their ideas
 * @property {Entries} axes
 * @property {Entries} operations
 */

/**
 * @typedef {object} VariantListing
 * @property {string} name `FAMILY:NAME`
 * @property {string} idea
 * @property {string} source
 * @property {string} [neighbour]
 * @property {string[]} [operations] where it has only some
 * @property {string[]} [differs]
 * @property {Record<string, string>} [breaks] reasons by rows of the contract
 */

/**
 * @param {(FamilyListing | VariantListing)[]} listings
 * @param {Entries} forms of variants that have no name; none where names were asked for
 * @returns {Document}
 */
export function describeVariants(listings, forms) {
  const isOfVariants = listings.every((one) => 'idea' in one);
  return {
    title: 'Variants',
    eyebrow: 'Assay variants',
    source: `${PROGRAM} variants`,
    brief: isOfVariants ? undefined : briefSections(listings, forms),
    sections: [
      ...listings.map((one, index) =>
        'idea' in one ? variantSection(one, index) : familySection(one, index),
      ),
      section(
        'forms',
        'Other forms of a variant',
        forms.length === 0
          ? []
          : [
              entryFacts(forms),
              paragraph(
                `To see the source, neighbour and differences of a variant: ${PROGRAM} variants NAME`,
              ),
            ],
      ),
    ],
    footer: `${PROGRAM} compare A B`,
  };
}

/** @type {(listings: (FamilyListing | VariantListing)[], forms: Entries) => Section[]} a line per variant of a family */
function briefSections(listings, forms) {
  return [
    ...listings.map((one, index) =>
      'idea' in one ? variantSection(one, index) : briefFamily(one, index),
    ),
    section('forms', 'Other forms of a variant', [
      lineTable(forms.map(({ name, text }) => [{ code: name }, text])),
    ]),
    untitled('more', [
      {
        kind: 'facts',
        facts: [
          ['All of a variant', { command: `${PROGRAM} variants NAME` }],
          ['All texts', { command: `${PROGRAM} variants --full` }],
        ],
        only: ['terminal'],
      },
    ]),
  ];
}

const OWN = 'Variants';
/** An idea that says what is changed in another variant. */
const CHANGE = /^(Like \S+, but) (.*)$/s;

/** @type {(family: FamilyListing, index: number) => Section} variants of their own first, then changed ones by what they change */
function briefFamily({ name, summary, reference, variants, axes, operations }, index) {
  const rows = variants.map((variant) => {
    const [, heading = OWN, text = variant.text] = CHANGE.exec(variant.text) ?? [];
    return [heading, { code: variant.name }, takeClause(text)];
  });
  const own = rows.filter(([heading]) => heading === OWN);
  const changed = rows.filter(([heading]) => heading !== OWN);
  const sorted = [...own, ...[...group(changed, ([heading]) => heading).values()].flat()];
  return section(`family-${index + 1}`, `${name}: ${summary}`, [
    lineTable(sorted, { title: '', kind: 'group' }),
    factList([
      ['Reference', describeReference(reference)],
      axes.length > 0 && ['Axes', listCode(axes.map((axis) => axis.name))],
      operations.length > 0 && ['Operations', listCode(operations.map((one) => one.name))],
    ]),
  ]);
}

/** @type {(reference: string | null) => Inline} */
function describeReference(reference) {
  return reference === null ? 'the baseline of each comparison' : { code: reference };
}

/** @type {(text: string) => string} its first clause, without the question that the variant answers */
function takeClause(text) {
  return text.replace(/: [^:]*\?.*$/s, '').replace(/(?:[.;] .*|\.)$/s, '');
}

/** @type {(rows: Row[], ...first: Column[]) => Table} names and texts, a line each */
function lineTable(rows, ...first) {
  return {
    kind: 'table',
    columns: [...first, { title: '', kind: 'name' }, { title: '', kind: 'text' }],
    rows,
  };
}

/** @type {(family: FamilyListing, index: number) => Section} */
function familySection({ name, summary, reference, variants, axes, operations }, index) {
  const groups = /** @type {const} */ ([
    ['Variants', variants],
    ['Axes', axes],
    ['Operations', operations],
  ]);
  return section(`family-${index + 1}`, name, [
    paragraph([`${summary}; reference: `, describeReference(reference)]),
    ...groups.map(([title, entries]) => titled(title, [entryFacts(entries)])),
  ]);
}

/** @type {(variant: VariantListing, index: number) => Section} */
function variantSection(variant, index) {
  const { name, idea, source, neighbour, operations, differs = [], breaks = {} } = variant;
  /** @type {Fact[]} */
  const facts = present([
    ['idea', idea],
    ['source', source],
    neighbour !== undefined && ['neighbour', { code: neighbour }],
    operations !== undefined && ['operations', `only ${operations.join(', ')}`],
    ...differs.map((text) => fact('differs', text)),
    ...Object.entries(breaks).map(([row, reason]) => fact('breaks', `${row}: ${reason}`)),
  ]);
  return section(`variant-${index + 1}`, name, [factList(facts)]);
}

/** @type {(entries: Entries) => Block} */
function entryFacts(entries) {
  return factList(entries.map(({ name, text }) => [name, text]));
}
