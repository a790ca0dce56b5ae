import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../lib/errors.js';
import { describeRevision } from './describe-revision.js';
import { digestFile } from './digest-files.js';
import { describePackage, findEntry } from './package-entry.js';

/** @import { ResolvedVariant, VariantSpec } from '../formats/types.ts' */

/**
 * Describes a directory or a module as a variant, as it is on disk.
 *
 * @param {Extract<VariantSpec, { kind: 'path' }>} spec
 * @param {{ workingPath: string }} context
 * @returns {Promise<Omit<ResolvedVariant, 'spec' | 'family' | 'kind' | 'settings'>>}
 * @throws {UsageError} when it is not there, or is a directory without a module
 */
export async function resolvePath(spec, { workingPath }) {
  const path = resolve(workingPath, spec.path);
  if (!existsSync(path)) {
    throw new UsageError(`'${spec.text}': there is no '${path}'`, {
      remedy: 'relative paths start from the directory in which the command was typed',
    });
  }
  const isFile = statSync(path).isFile();
  const modulePath = isFile ? path : await findEntry(path);
  const revision = describeRevision(path);
  return {
    modulePath,
    ...(isFile ? { idea: 'a module' } : describePackage(path)),
    source: path,
    digest: digestFile(modulePath),
    ...(revision === null ? {} : { revision }),
  };
}
