/**
 * Prints, as JSON, whether code can be generated from text in this process, and a digest of documents that were
 * written and read until the champion had compiled their shapes, if it may.
 */
import { createHash } from 'node:crypto';
import { describeValue } from '../../../../harness/worker/describe-value.js';
import { Chance, randomDocument } from '../../fuzz/documents.js';
import { deserialize, serialize } from '../../variants/champion.js';

const DOCUMENTS = 8;
const ROUNDS = 30;

const digest = createHash('sha256');
for (let seed = 1; seed <= DOCUMENTS; seed++) {
  const document = randomDocument(new Chance(seed), 3);
  for (let round = 0; round < ROUNDS; round++) digest.update(describeRoundTrip(document));
}
process.stdout.write(JSON.stringify({ generates: canGenerate(), digest: digest.digest('hex') }));

/** @param {object} document */
function describeRoundTrip(document) {
  try {
    const bytes = serialize(document);
    return bytes.toString('hex') + describeValue(deserialize(bytes));
  } catch (error) {
    return String(error);
  }
}

/** @returns {boolean} */
function canGenerate() {
  try {
    return new Function('return true')();
  } catch {
    return false;
  }
}
