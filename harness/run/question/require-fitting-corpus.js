import { sampleCorpus } from '../../../corpora/support/prepare.js';
import { listCorpusNames } from '../../../corpora/support/registry.js';
import { didYouMean } from '../../lib/did-you-mean.js';
import { AssayError, UsageError } from '../../lib/errors.js';

/** @import { CorpusSample, Family, OperationDescription } from '../../formats/types.ts' */

/**
 * Refuses a corpus that a family, or one of its operations, cannot read, before a worker fails on it.
 *
 * @param {string} name of the corpus
 * @param {object} cell
 * @param {Pick<Family, 'name' | 'takesCorpus'>} cell.family
 * @param {string} cell.operation name
 * @param {Pick<OperationDescription, 'takesCorpus'>} cell.description of the operation
 * @param {{ directory: string }} place absolute path of the folder for corpora
 * @throws {UsageError} with the corpora that do fit
 */
export async function requireFittingCorpus(name, { family, operation, description }, place) {
  const demands = [family, description].filter(({ takesCorpus }) => takesCorpus !== undefined);
  if (demands.length === 0) return;
  const fits = (/** @type {CorpusSample} */ sample) =>
    demands.every(({ takesCorpus }) => takesCorpus?.(sample));
  if (fits(await sampleCorpus(name, place))) return;
  const fitting = [];
  for (const other of await listCorpusNames(place)) {
    const sample = await sampleCorpus(other, place).catch(passOver);
    if (sample !== null && fits(sample)) fitting.push(other);
  }
  throw new UsageError(
    `${operation} of ${family.name} cannot read the corpus '${name}'${didYouMean(name, fitting)}`,
    { remedy: `it reads ${fitting.join(', ')}` },
  );
}

/**
 * An imported corpus that is damaged is nobody's choice here.
 *
 * @param {unknown} error
 * @returns {null}
 */
function passOver(error) {
  if (error instanceof AssayError) return null;
  throw error;
}
