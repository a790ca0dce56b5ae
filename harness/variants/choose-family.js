import { resolve } from 'node:path';
import { didYouMean } from '../lib/did-you-mean.js';
import { UsageError } from '../lib/errors.js';
import { findFamily } from './families.js';
import { readPackage } from './package-entry.js';

/** @import { VariantSpec } from '../formats/types.ts' */
/** @import { FoundFamily } from './families.js' */

/**
 * The family that a comparison of these specs is about: the one that is named, or the only one that
 * fits.
 *
 * @param {VariantSpec[]} specs
 * @param {FoundFamily[]} families
 * @param {string | undefined} wanted by option
 * @param {string} [workingPath] what paths are relative to; without it, the directory of the process
 * @returns {FoundFamily}
 * @throws {UsageError} when they belong to different families or it is not clear to which
 */
export function chooseFamily(specs, families, wanted, workingPath = '.') {
  if (wanted !== undefined) return findFamily(families, wanted);
  const choices = specs.map((spec) =>
    families.filter((family) => mayBelong(spec, family, { families, workingPath })),
  );
  const fitting = families.filter((family) => choices.every((choice) => choice.includes(family)));
  if (fitting.length === 1) return fitting[0];
  for (const spec of specs) checkBuiltIn(spec, families);
  if (fitting.length === 0 && choices.every((choice) => choice.length > 0)) {
    const belongings = choices.map(
      (choice, index) => `'${specs[index].text}' to ${choice.map(({ name }) => name).join(' or ')}`,
    );
    throw new UsageError(`the variants belong to different families: ${belongings.join(', ')}`, {
      remedy: "name variants of one family; 'just variants' lists them by family",
    });
  }
  const texts = specs.map((spec) => `'${spec.text}'`).join(' and ');
  const names = families.map(({ name }) => name).join(', ');
  throw new UsageError(
    `it is not clear which family ${texts} belong${specs.length > 1 ? '' : 's'} to`,
    {
      remedy: `add --family with one of: ${names}`,
    },
  );
}

/**
 * @param {VariantSpec} spec
 * @param {FoundFamily[]} families
 * @throws {UsageError} when it is a built-in name that none of them has
 */
export function checkBuiltIn(spec, families) {
  if (spec.kind !== 'built-in') return;
  const where = spec.family === null ? families : [findFamily(families, spec.family)];
  const names = where.flatMap(({ variants }) => variants);
  if (names.includes(spec.name)) return;
  throw new UsageError(`no variant '${spec.name}'${didYouMean(spec.name, names)}`, {
    remedy: `'just variants' lists all ${names.length} and tells what each is`,
  });
}

/**
 * @param {VariantSpec} spec
 * @param {FoundFamily} family
 * @param {{ families: FoundFamily[], workingPath: string }} context
 */
function mayBelong(spec, family, { families, workingPath }) {
  if (spec.kind === 'built-in') {
    return (spec.family ?? family.name) === family.name && family.variants.includes(spec.name);
  }
  if (spec.kind === 'npm') return family.packages.includes(spec.packageName);
  if (spec.kind === 'package') return Object.hasOwn(family.registries ?? {}, spec.registry);
  // A directory is of the family that names its package, or else of one that takes any module.
  const directory = spec.kind === 'git' ? spec.directory : spec.path;
  const { name = '' } = readPackage(resolve(workingPath, directory));
  const owners = families.filter(({ packages }) => packages.includes(name));
  return owners.length === 0 ? family.takesModules === true : owners.includes(family);
}
