import { EXIT, UsageError } from '../../lib/errors.js';
import { PROGRAM } from '../../lib/program.js';
import { PROJECT } from '../../lib/project.js';
import { didYouMean } from '../../lib/words.js';
import { FORMAT, FULL, printedFormat } from '../options.js';

/** @import { Io } from '../cli.js' */
/** @import { FamilyListing, VariantListing } from '../../../reports/content/variants.js' */
/** @import { CommandDeclaration, OptionValues } from '../types.ts' */
/** @import { FoundFamily } from '../../variants/families.js' */

const OPTIONS = { format: FORMAT, full: FULL };

/** @type {CommandDeclaration} */
export const command = {
  summary: 'list variants, axes and operations of each family',
  arguments: [['[names...]', 'families to list, or variants to describe in full']],
  options: OPTIONS,
  run,
};

const FORMS = [
  { name: 'NAME+AXIS=VALUE', text: 'a variant with another value of an axis' },
  {
    name: 'npm:PACKAGE@1.2.3',
    text: 'a published version, installed into a cache without running its scripts; a range, a tag or an archive is looked up once: npm:PACKAGE@^1.2, npm:./package-1.2.3.tgz',
  },
  {
    name: 'git:DIRECTORY@REVISION',
    text: 'a revision of a checkout, built in a separate directory',
  },
  { name: 'path:DIRECTORY', text: 'a built checkout, or any module with the same functions' },
];

/**
 * @param {[string[]]} args
 * @param {OptionValues<typeof OPTIONS>} options
 * @param {Io} io
 * @returns {Promise<number>} exit status
 * @throws {UsageError} when there is no such family or variant
 */
async function run([names], options, io) {
  const { describeVariants } = await import('../../../reports/content/variants.js');
  const { listFamilies } = await import('../../variants/families.js');
  const { formatFinding } = await import('../publish.js');
  const families = await listFamilies(PROJECT.experimentsPath);
  const listings = [];
  for (const family of names.length === 0 ? families : []) listings.push(await listFamily(family));
  for (const name of names) listings.push(await listByName(name, families));
  const forms = names.length === 0 ? [...FORMS, ...registryForms(families)] : [];
  const document = describeVariants(listings, forms);
  io.stdout.write(await formatFinding({ document, data: listings }, printedFormat(options), io));
  return EXIT.done;
}

/** @param {FoundFamily[]} families */
function registryForms(families) {
  return families
    .flatMap(({ registries }) => Object.entries(registries ?? {}))
    .flatMap(([registry, packages]) =>
      packages.map((name) => ({
        name: `${registry}:${name}@1.2.3`,
        text: 'a published version, downloaded into a cache',
      })),
    );
}

/** @type {(name: string, families: FoundFamily[]) => Promise<FamilyListing | VariantListing>} */
async function listByName(name, families) {
  const family = families.find((one) => one.name === name);
  return family === undefined ? listVariant(name, families) : listFamily(family);
}

/** @type {(family: FoundFamily) => Promise<FamilyListing>} */
async function listFamily(family) {
  const { loadIdea, loadOperation } = await import('../../variants/families.js');
  const operations = [];
  for (const operation of family.operations) {
    const { summary: text } = await loadOperation(family, operation);
    operations.push({ name: operation, text });
  }
  const variants = [];
  for (const variant of family.variants) {
    variants.push({ name: variant, text: await loadIdea(family, variant) });
  }
  const axes = family.axes.map(({ name, summary, values }) => ({
    name,
    text: `${summary}: ${values?.join(', ') ?? 'a whole number'}`,
  }));
  const { name, summary, reference = null } = family;
  return { name, summary, reference, variants, axes, operations };
}

/**
 * @param {string} text a name, or `FAMILY:NAME`
 * @param {FoundFamily[]} families
 * @returns {Promise<VariantListing>}
 */
async function listVariant(text, families) {
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
      { remedy: `'${PROGRAM} variants' lists all of them` },
    );
  }
  const { variant } = (await loadVariant(family, name)).module;
  return { ...variant, name: `${family.name}:${name}` };
}
