import { describeEnvironment } from '../host/environment.js';
import { UsageError } from '../lib/errors.js';
import { describeAssay } from '../lib/project.js';

/** @import { Calibration, Environment } from '../formats/types.ts' */

/**
 * What is gone on with, for messages.
 *
 * @typedef {object} Begun
 * @property {string} name `the run`
 * @property {string} again what to start where it cannot be gone on with: `a new comparison`
 */

/** @type {Readonly<Begun>} */
const RUN = Object.freeze({ name: 'the run', again: 'a new comparison' });

/**
 * @param {string} what
 * @param {string} before
 * @param {string} now
 * @param {Begun} [begun]
 * @throws {UsageError} when it is another
 */
export function requireSame(what, before, now, { name, again } = RUN) {
  if (before === now) return;
  throw new UsageError(`${what} is not what it was when ${name} began (${before}, now ${now})`, {
    remedy: `figures of two different things cannot be mixed; start ${again}`,
  });
}

/**
 * @param {Pick<Environment, 'node' | 'cpuModel' | 'kernel'>} before
 * @param {Begun} [begun]
 * @throws {UsageError} when this is another host, or another Node
 */
export function requireSameHost(before, begun = RUN) {
  const now = describeEnvironment();
  requireSame('Node', before.node, now.node, begun);
  requireSame('the processor', before.cpuModel, now.cpuModel, begun);
  requireSame('the kernel', before.kernel, now.kernel, begun);
}

/**
 * @param {Pick<Calibration, 'environment' | 'assay'>} before
 * @param {Begun} begun
 * @throws {UsageError} when this is another host, another Node or another Assay
 */
export function requireSameHostAndAssay({ environment, assay }, begun) {
  requireSameHost(environment, begun);
  requireSame('Assay', assay.version, describeAssay().version, begun);
}
