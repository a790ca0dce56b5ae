import { materializeDocuments } from '../../../../corpora/support/materialize.js';
import { UsageError } from '../../../../harness/lib/errors.js';
import { describeValue } from '../../../../harness/worker/describe-value.js';
import { describeRoundTrip, isCarried } from '../../codec/values.js';

/** @import { PreparedCorpus } from '../../../../harness/formats/types.ts' */
/** @import { Format, FormatModule, Value } from '../../codec/types.ts' */

/**
 * @param {object} module namespace of the variant
 * @param {PreparedCorpus} corpus
 * @returns {Promise<Format & { documents: Value[], describe: (index: number, received: unknown) => Uint8Array }>}
 *   `describe`: what came back of a document, as it is now
 * @throws {UsageError} when a document has a value that not all formats carry
 */
export async function openDocuments(module, corpus) {
  const { openFormat, variant } = /** @type {FormatModule} */ (module);
  const documents = await materializeDocuments({}, corpus);
  const strange = documents.findIndex((document) => !isCarried(document));
  if (strange !== -1) {
    throw new UsageError(
      `document ${strange} of ${corpus.label} has a value that not all formats carry`,
      {
        remedy:
          'choose a corpus of strings, numbers, booleans, nulls, dates and ObjectIds, such as movies',
      },
    );
  }
  return {
    ...openFormat(documents),
    documents,
    describe: (index, received) =>
      describeRoundTrip(documents[index], received, variant.breaks ?? {}),
  };
}

/** @type {(value: unknown) => Uint8Array} a description that is the same for the same result only */
export function describeRead(value) {
  return Buffer.from(describeValue(value));
}

/** @param {Uint8Array} expected @param {Uint8Array} found */
export async function explainValueDifference(expected, found) {
  const { explainTextDifference } = await import('../../../support/explain-difference.js');
  return explainTextDifference(expected, found);
}
