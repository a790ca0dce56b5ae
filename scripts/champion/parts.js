/** The parts of the measurement of the champion, and how long each may take. */

import { table } from '../elsewhere/table.js';

/** @import { Operation, Section } from './tables.js' */

/** @type {(half: string) => string[]} */
function listHalf(half) {
  return table.corpora.filter((corpus) => corpus.half === half).map(({ name }) => name);
}

const TYPES = ['binary', 'boolean', 'date', 'decimal128', 'double', 'int32', 'int64'];
const MORE_TYPES = ['object-id', 'regexp', 'string', 'timestamp'];
const VALUES = [...TYPES, ...MORE_TYPES];

/**
 * A look with 8 processes per variant follows from 96 of them, one with 4 from 16: the cells of most sections differ so much
 * that the first look settles them, and its processes make the interval.
 *
 * @typedef {Section & { seconds: number, processes: number, flags?: string[] }} PlannedSection seconds: of one part
 */

/** @type {PlannedSection[]} */
export const SECTIONS = [
  {
    name: 'built-in',
    title: 'Corpora of this repository',
    corpora: [
      ...['flat', 'deep', 'full', 'tweet', 'small-doc', 'comments', 'movies', 'embedded-movies'],
      ...['theaters', 'users', 'sessions'],
    ],
    least: 1.2,
    seconds: 50,
    processes: 96,
  },
  {
    name: 'held-back',
    title: 'Documents from elsewhere, held back',
    corpora: listHalf('held back'),
    least: 1.2,
    seconds: 95,
    processes: 96,
  },
  {
    name: 'development',
    title: 'Documents from elsewhere, used in development',
    corpora: listHalf('development'),
    least: 1.2,
    seconds: 95,
    processes: 96,
  },
  {
    name: 'adversarial',
    title: 'Adversarial corpora',
    corpora: [
      ...['many-shapes', 'many-shapes:8000', 'nested-500', 'wide-10000', 'non-ascii-keys'],
      ...['long-string', 'flat-127', 'flat-128', 'empty', 'large-doc', 'movies:1000'],
    ],
    least: 0.97,
    seconds: 90,
    processes: 16,
  },
  {
    name: 'granular',
    title: 'One type of value',
    corpora: VALUES.flatMap((name) => [name, `${name}-array-100`]),
    least: 0.97,
    seconds: 85,
    processes: 16,
  },
  {
    name: 'cold',
    title: 'Without a warm-up',
    corpora: ['flat', 'tweet', 'comments', 'movies'],
    least: 0.95,
    seconds: 50,
    processes: 16,
    flags: ['--cold'],
  },
];

const NODES = ['20', '24'];
/** @type {Operation[]} */
const OPERATIONS = ['serialize', 'deserialize'];
/** For the correctness check of a part, and for preparing it. */
const CHECK_SECONDS = 6;

/**
 * @typedef {object} Part
 * @property {PlannedSection} section
 * @property {string} node major version
 * @property {Operation} operation
 * @property {string} name of its directory
 * @property {number} budgetSeconds
 * @property {number} seconds in all
 */

/**
 * @param {PlannedSection[]} sections
 * @param {number} [minutes] for all of these parts; each section's own time by default
 * @returns {Part[]}
 */
export function planParts(sections, minutes) {
  const parts = sections.flatMap((section) =>
    NODES.flatMap((node) => OPERATIONS.map((operation) => ({ section, node, operation }))),
  );
  const usual = parts.reduce((sum, { section }) => sum + section.seconds, 0);
  const wanted = minutes === undefined ? usual : minutes * 60 - parts.length * CHECK_SECONDS;
  const scale = Math.max(wanted, parts.length) / usual;
  return parts.map((part) => {
    const { section, node, operation } = part;
    const budgetSeconds = Math.max(1, Math.round(section.seconds * scale));
    const name = `${section.name}-node${node}-${operation}`;
    return { ...part, name, budgetSeconds, seconds: budgetSeconds + CHECK_SECONDS };
  });
}
