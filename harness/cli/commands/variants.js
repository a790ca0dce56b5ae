import { UsageError } from '../../lib/errors.js';
import { EXIT } from '../../lib/exit-status.js';
import { PROJECT } from '../../lib/project.js';
import { didYouMean } from '../../lib/words.js';
import { wrapText } from '../../lib/wrap.js';
import { terminalOf } from '../terminal.js';

/** @import { Io } from '../cli.js' */
/** @import { CommandDeclaration } from '../types.ts' */
/** @import { FoundFamily } from '../../variants/families.js' */

/** @type {CommandDeclaration} */
export const command = {
  summary: 'list variants, axes and operations of each family',
  arguments: [['[names...]', 'families to list, or variants to describe in full']],
  run,
};

const FORMS = [
  ['NAME+AXIS=VALUE', 'a variant with another value of an axis'],
  ['npm:PACKAGE@1.2.3', 'a published version, installed into a cache without running its scripts'],
  ['git:DIRECTORY@REVISION', 'a revision of a checkout, built in a separate directory'],
  ['path:DIRECTORY', 'a built checkout, or any module with the same functions'],
];

/**
 * @param {[string[]]} args
 * @param {object} _options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 * @throws {UsageError} when there is no such family or variant
 */
async function run([names], _options, io) {
  const { listFamilies } = await import('../../variants/families.js');
  const { width } = terminalOf(io);
  const families = await listFamilies(PROJECT.experimentsPath);
  /** @param {string[]} lines */
  const print = (lines) => void io.stdout.write(`${lines.join('\n')}\n`);
  if (names.length > 0) {
    for (const name of names) {
      const family = families.find((one) => one.name === name);
      print(
        family === undefined
          ? await describeVariant(name, families, width)
          : [...(await listFamily(family, width)), ''],
      );
    }
    return EXIT.done;
  }
  for (const family of families) print([...(await listFamily(family, width)), '']);
  const registries = families.flatMap((family) => Object.entries(family.registries ?? {}));
  const packages = registries.flatMap(([registry, names]) =>
    names.map((name) => [
      `${registry}:${name}@1.2.3`,
      'a published version, downloaded into a cache',
    ]),
  );
  print(['Instead of a name', ...layOutPairs([...FORMS, ...packages], width), '']);
  print(
    wrapText(
      'To see the source, neighbour and differences of a variant: just variants NAME',
      width,
    ),
  );
  return EXIT.done;
}

/**
 * @param {FoundFamily} family
 * @param {number} width columns
 * @returns {Promise<string[]>}
 */
async function listFamily(family, width) {
  const { loadOperation, loadVariant } = await import('../../variants/families.js');
  const operations = [];
  for (const name of family.operations) {
    operations.push([name, (await loadOperation(family, name)).summary]);
  }
  const variants = [];
  for (const name of family.variants) {
    variants.push([name, (await loadVariant(family, name)).module.variant.idea]);
  }
  const axes = family.axes.map(({ name, summary, values }) => [
    name,
    `${summary}: ${values?.join(', ') ?? 'a whole number'}`,
  ]);
  const sections = /** @type {[string, string[][]][]} */ ([
    ['Variants', variants],
    ['Axes', axes],
    ['Operations', operations],
  ]);
  return [
    ...wrapText(`${family.name}: ${family.summary}; reference ${family.reference}`, width),
    ...sections.flatMap(([title, pairs]) =>
      pairs.length === 0 ? [] : ['', title, ...layOutPairs(pairs, width)],
    ),
  ];
}

/**
 * @param {string} text a name, or `FAMILY:NAME`
 * @param {FoundFamily[]} families
 * @param {number} width columns
 * @returns {Promise<string[]>}
 */
async function describeVariant(text, families, width) {
  const { loadVariant } = await import('../../variants/families.js');
  const prefixed = families.find(({ name }) => text.startsWith(`${name}:`));
  const name = prefixed === undefined ? text : text.slice(prefixed.name.length + 1);
  const where = prefixed === undefined ? families : [prefixed];
  const family = where.find(({ variants }) => variants.includes(name));
  if (family === undefined) {
    const known = where.flatMap(({ variants }) => variants);
    const familyNames = families.map((one) => one.name);
    throw new UsageError(
      `no variant or family '${text}'${didYouMean(name, [...known, ...familyNames])}`,
      { remedy: "'just variants' lists all of them" },
    );
  }
  const { variant } = (await loadVariant(family, name)).module;
  const { idea, source, neighbour, operations, differs = [], breaks = {} } = variant;
  const facts = [
    ['idea', idea],
    ['source', source],
    ...(neighbour === undefined ? [] : [['neighbour', neighbour]]),
    ...(operations === undefined ? [] : [['operations', `only ${operations.join(', ')}`]]),
    ...differs.map((text) => ['differs', text]),
    ...Object.entries(breaks).map(([row, reason]) => ['breaks', `${row}: ${reason}`]),
  ];
  return [`${family.name}:${name}`, ...layOutPairs(facts, width), ''];
}

/**
 * @param {string[][]} pairs name and text
 * @param {number} width columns
 * @returns {string[]} in two columns
 */
function layOutPairs(pairs, width) {
  const indent = Math.max(...pairs.map(([name]) => name.length)) + 4;
  return pairs.flatMap(([name, text]) =>
    wrapText(text, width, { first: `  ${name}`.padEnd(indent), next: ' '.repeat(indent) }),
  );
}
