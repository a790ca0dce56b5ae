import { UsageError } from '../lib/errors.js';

/** A built-in name, or a package of a registry other than npm's. */
const WITH_AXES = /^(?!npm:|git:|path:)/;
const PIN = /@node=.*$/s;

/**
 * Sets axes of a variant that are asked for beside it: `5.4.0` and `buffer=direct` make
 * `5.4.0+buffer=direct`.
 *
 * @param {string} spec as typed
 * @param {string[]} settings `AXIS=VALUE`
 * @returns {string}
 * @throws {UsageError} when it is a variant without axes
 */
export function setAxes(spec, settings) {
  if (!WITH_AXES.test(spec)) {
    throw new UsageError(
      `'${spec}' has no axes, and ${settings.join(', ')} is set for both sides`,
      {
        remedy: 'set the axes of one side in its own name: NAME+AXIS=VALUE',
      },
    );
  }
  const pin = PIN.exec(spec)?.[0] ?? '';
  return [spec.slice(0, spec.length - pin.length), ...settings].join('+') + pin;
}
