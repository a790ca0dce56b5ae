import { PROJECT } from '../lib/project.js';

/** @import { Io } from '../cli/cli.js' */
/** @import { ResolveContext } from './resolve-variant.js' */

/**
 * What finding and building variants has of the outside world.
 *
 * @param {Pick<ResolveContext, 'families' | 'family' | 'build'>} found
 * @param {Pick<Io, 'workingPath' | 'signal' | 'stderr'>} io is told what takes long
 * @returns {ResolveContext}
 */
export function openContext(found, { workingPath, signal, stderr }) {
  return {
    ...PROJECT,
    ...found,
    workingPath,
    signal,
    onNote: (text) => void stderr.write(`note: ${text}\n`),
  };
}
