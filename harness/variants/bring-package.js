import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../lib/errors.js';
import { openBuild } from './build-family.js';
import { makeOnce } from './make-once.js';
import { readCached } from './read-cached.js';

/** @import { FamilyWorker, VariantSpec } from '../formats/types.ts' */
/** @import { FoundFamily } from './families.js' */
/** @import { ResolveContext } from './resolve-variant.js' */

/** @typedef {Extract<VariantSpec, { kind: 'package' }>} PackageSpec */

/** What is known of a package lies beside what was brought. */
const RECORD = 'package-record.json';

/**
 * @typedef {object} BroughtPackage
 * @property {string} packagePath absolute
 * @property {string} integrity of what was downloaded
 * @property {string} idea
 * @property {string} source
 */

/**
 * Nothing is brought, or built, for a package that the family does not name.
 *
 * @param {Pick<PackageSpec, 'text' | 'registry' | 'packageName'>} spec
 * @param {Pick<FoundFamily, 'name' | 'registries'>} family
 * @throws {UsageError} when it is none of the family's
 */
export function requireKnownPackage({ text, registry, packageName }, { name, registries = {} }) {
  const known = Object.entries(registries).flatMap(([each, packages]) =>
    packages.map((ofRegistry) => `${each}:${ofRegistry}`),
  );
  if (known.includes(`${registry}:${packageName}`)) return;
  throw new UsageError(`'${text}' is no package of ${name}`, {
    remedy: known.length === 0 ? 'it has none' : `its packages are ${known.join(', ')}`,
  });
}

/**
 * Finds a version of a package of one of the family's registries: in the cache, or else brought by the
 * family's worker.
 *
 * @param {PackageSpec} spec of a known package
 * @param {FamilyWorker} worker
 * @param {Pick<ResolveContext, 'family' | 'cachePath' | 'signal' | 'onNote'>} context
 * @returns {Promise<BroughtPackage>}
 * @throws {UsageError} when the registry has no such version
 * @throws {import('../lib/errors.js').FormatError} when what the cache holds of it is broken
 */
export async function bringPackage({ registry, packageName, version }, worker, context) {
  const { family, cachePath, signal, onNote } = context;
  const folder = `${registry}-${packageName}@${version}`.replace(/[^\w@.-]+/g, '+');
  const packagePath = join(cachePath, family.name, 'packages', folder);
  await makeOnce(packagePath, async (staging) => {
    onNote?.(`brings ${packageName} ${version}; this is done once`);
    const build = openBuild(family.path, worker, { cachePath, outputPath: staging, signal });
    const record = await worker.bringPackage?.({ registry, name: packageName, version }, build);
    if (record === undefined) throw new Error(`the worker of ${family.name} brings no packages`);
    writeFileSync(join(staging, RECORD), JSON.stringify(record));
  });
  return { packagePath, ...readCached(packagePath, RECORD, takeRecord) };
}

/**
 * @param {Record<string, unknown>} content
 * @returns {Omit<BroughtPackage, 'packagePath'> | undefined}
 */
function takeRecord({ integrity, idea, source }) {
  const isWhole = [integrity, idea, source].every((text) => typeof text === 'string');
  return isWhole ? /** @type {any} */ ({ integrity, idea, source }) : undefined;
}
