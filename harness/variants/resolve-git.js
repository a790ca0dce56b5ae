import { resolve } from 'node:path';
import { buildCheckout } from './build-checkout.js';
import { digestFile } from './digest-files.js';
import { findCommit, requireCheckout } from './find-revision.js';
import { askGit, runGit } from './git.js';
import { describePackage, findEntry } from './package-entry.js';

/** @import { ResolvedVariant, VariantSpec } from '../formats/types.ts' */
/** @import { BuildContext } from './build-checkout.js' */

const SHORT = 10;
const MAX_SUBJECT_CHARACTERS = 100;

/**
 * Builds a revision of a checkout aside and describes it as a variant. The checkout is only read.
 *
 * @param {Extract<VariantSpec, { kind: 'git' }>} spec
 * @param {BuildContext & { workingPath: string }} context
 * @returns {Promise<Omit<ResolvedVariant, 'spec' | 'family' | 'kind' | 'settings'>>}
 * @throws {import('../lib/errors.js').UsageError} when there is no such checkout or revision
 * @throws {import('../lib/errors.js').MachineError} when it cannot be built
 */
export async function resolveGit({ directory, ref }, context) {
  const repositoryPath = resolve(context.workingPath, directory);
  const checkout = { path: repositoryPath, typed: directory };
  requireCheckout(checkout);
  const commit = findCommit(checkout, ref);
  const name = `commit ${commit.slice(0, SHORT)} of ${directory}`;
  // Empty at the root of a checkout and in a bare repository, `packages/bson/` below the root.
  const prefix = askGit(repositoryPath, ['rev-parse', '--show-prefix']) ?? '';
  const { path, build } = await buildCheckout({ repositoryPath, commit, prefix, name }, context);
  const modulePath = await findEntry(path);
  const subject = runGit(repositoryPath, ['log', '-1', '--no-color', '--format=%s', commit, '--']);
  return {
    modulePath,
    ...describePackage(path),
    source: `${name}, ${subject.slice(0, MAX_SUBJECT_CHARACTERS)}`,
    revision: { commit, changes: null },
    ...(build === '' ? {} : { build }),
    digest: digestFile(modulePath),
  };
}
