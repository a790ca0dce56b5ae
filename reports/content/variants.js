/** Variants, axes and operations of families, and variants in full. */

/** @import { Document, Fact, Section } from '../document/model.ts' */

import { fact, paragraph, present } from './build.js';
import { PROGRAM } from '../../harness/lib/program.js';

/** @typedef {{ name: string, text: string }[]} Entries */

/**
 * @typedef {object} FamilyListing
 * @property {string} name
 * @property {string} summary
 * @property {string} reference
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
  return {
    title: 'Variants',
    eyebrow: 'Assay variants',
    source: `${PROGRAM} variants`,
    sections: [
      ...listings.map((one, index) =>
        'idea' in one ? variantSection(one, index) : familySection(one, index),
      ),
      {
        id: 'forms',
        title: 'Other forms of a variant',
        blocks:
          forms.length === 0
            ? []
            : [
                entryFacts(forms),
                paragraph(
                  `To see the source, neighbour and differences of a variant: ${PROGRAM} variants NAME`,
                ),
              ],
      },
    ],
    footer: `${PROGRAM} compare A B`,
  };
}

/** @type {(family: FamilyListing, index: number) => Section} */
function familySection({ name, summary, reference, variants, axes, operations }, index) {
  const groups = /** @type {const} */ ([
    ['Variants', variants],
    ['Axes', axes],
    ['Operations', operations],
  ]);
  return {
    id: `family-${index + 1}`,
    title: name,
    blocks: [
      paragraph([`${summary}; reference `, { code: reference }]),
      ...groups.map(([title, entries]) => ({
        kind: /** @type {const} */ ('group'),
        title,
        blocks: [entryFacts(entries)],
      })),
    ],
  };
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
  return { id: `variant-${index + 1}`, title: name, blocks: [{ kind: 'facts', facts }] };
}

/** @type {(entries: Entries) => { kind: 'facts', facts: Fact[] }} */
function entryFacts(entries) {
  return { kind: 'facts', facts: entries.map(({ name, text }) => [name, text]) };
}
