import { pathToFileURL } from 'node:url';
import { didYouMean } from '../lib/did-you-mean.js';
import { UsageError } from '../lib/errors.js';

/** @import { FoundFamily, VariantModule } from './families.js' */

const WHOLE_NUMBER = /^[1-9]\d{0,8}$/;

/**
 * A built-in variant with some of its axes set otherwise: `linked-list+object-id=packed`.
 *
 * @param {FoundFamily} family
 * @param {VariantModule} module
 * @param {Record<string, string>} settings by axis
 * @param {{ buildPath?: string | null }} [built] of a family that builds something
 * @returns {Promise<VariantModule>} the module itself when nothing is set
 * @throws {UsageError} when there is no such axis or value, or the values do not go together
 */
export async function applySettings(family, module, settings, built = {}) {
  if (Object.keys(settings).length === 0) return module;
  checkSettings(family, settings);
  const { composeVariant } = await import(pathToFileURL(`${family.path}/compose.js`).href);
  return composeVariant(module, settings, built);
}

/**
 * @param {FoundFamily} family
 * @param {Record<string, string>} settings by axis
 * @throws {UsageError} when there is no such axis or value
 */
export function checkSettings(family, settings) {
  for (const [name, value] of Object.entries(settings)) checkSetting(family, name, value);
}

/**
 * @param {FoundFamily} family
 * @param {string} name
 * @param {string} value
 */
function checkSetting({ name: familyName, axes }, name, value) {
  const axis = axes.find((candidate) => candidate.name === name);
  if (axis === undefined) {
    const names = axes.map((candidate) => candidate.name);
    throw new UsageError(`${familyName} has no axis '${name}'${didYouMean(name, names)}`, {
      remedy: names.length === 0 ? 'leave it out' : `there are ${names.join(', ')}`,
    });
  }
  if (axis.values === undefined ? WHOLE_NUMBER.test(value) : axis.values.includes(value)) return;
  const allowed = axis.values?.join(', ') ?? 'a whole number from 1';
  throw new UsageError(`no ${name} '${value}'${didYouMean(value, axis.values ?? [])}`, {
    remedy: `it is ${axis.values === undefined ? '' : 'one of '}${allowed}`,
  });
}
