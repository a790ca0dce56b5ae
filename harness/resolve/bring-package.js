import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../errors.js';
import { openBuild } from './build-family.js';
import { makeOnce } from './make-once.js';

/** @import { FamilyWorker, VariantSpec } from '../types.ts' */
/** @import { ResolveContext } from './resolve-variant.js' */

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
 * Finds a version of a package of one of the family's registries: in the cache, or else brought by the
 * family's worker.
 *
 * @param {Extract<VariantSpec, { kind: 'package' }>} spec
 * @param {FamilyWorker} worker
 * @param {ResolveContext} context
 * @returns {Promise<BroughtPackage>}
 * @throws {UsageError} when the family knows no such package, or its registry no such version
 */
export async function bringPackage({ text, registry, packageName, version }, worker, context) {
  const { family, cachePath, signal, onNote } = context;
  const { bringPackage: bring } = worker;
  const known = Object.entries(family.registries ?? {}).flatMap(([name, packages]) =>
    packages.map((each) => `${name}:${each}`),
  );
  if (bring === undefined || !known.includes(`${registry}:${packageName}`)) {
    throw new UsageError(`'${text}' is no package of ${family.name}`, {
      remedy: `its packages are ${known.join(', ')}`,
    });
  }
  const folder = `${registry}-${packageName}@${version}`.replace(/[^\w@.-]+/g, '+');
  const packagePath = join(cachePath, family.name, 'packages', folder);
  await makeOnce(packagePath, async (staging) => {
    onNote?.(`brings ${packageName} ${version}; this is done once`);
    const build = openBuild(family.path, worker, { cachePath, outputPath: staging, signal });
    const record = await bring({ registry, name: packageName, version }, build);
    writeFileSync(join(staging, RECORD), JSON.stringify(record));
  });
  return { packagePath, ...JSON.parse(readFileSync(join(packagePath, RECORD), 'utf8')) };
}
