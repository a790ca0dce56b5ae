import { didYouMean } from '../lib/did-you-mean.js';
import { UsageError } from '../lib/errors.js';

/** @import { ContractRow, Question } from '../formats/types.ts' */

/**
 * Refuses a name that `--accept` misspells: it would accept nothing.
 *
 * @param {Pick<Question, 'family' | 'acceptedRows'>} question
 * @param {Record<string, ContractRow[]>} contracts what the variants were checked for
 * @throws {UsageError} with the names that there are
 */
export function requireKnownRows({ family, acceptedRows }, contracts) {
  const names = [
    ...new Set(Object.values(contracts).flatMap((rows) => rows.map(({ name }) => name))),
  ];
  const unknown = acceptedRows.find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new UsageError(
    `the behaviour contract of ${family} has no row '${unknown}'${didYouMean(unknown, names)}`,
    { remedy: `it has ${names.join(', ')}` },
  );
}
