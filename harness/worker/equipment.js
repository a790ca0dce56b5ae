/** @import { Equipment, OperationJob } from '../formats/types.ts' */

/** @type {(() => Promise<unknown>)[]} */
const ends = [];

/**
 * @param {Pick<OperationJob, 'packages' | 'server'>} job
 * @returns {Equipment} what its operation may use
 */
export function listEquipment({ packages = {}, server }) {
  return { packages, server, readDocuments, atEnd: (end) => void ends.push(end) };
}

/** @type {Equipment['readDocuments']} */
async function readDocuments(corpus) {
  // Loaded on demand: families whose variants make the documents import it themselves.
  const { materializeDocuments } = await import('../../corpora/support/materialize.js');
  return materializeDocuments({}, corpus);
}

/** Has operations clean up, after the job. */
export async function endEquipment() {
  for (const end of ends.splice(0).reverse()) await end();
}
