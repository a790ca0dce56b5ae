/** @import { Equipment, OperationJob } from '../formats/types.ts' */

/** @type {(() => Promise<unknown>)[]} */
const ends = [];

/**
 * @param {Pick<OperationJob, 'packages' | 'server'>} job
 * @returns {Equipment} what its operation may use
 */
export function listEquipment({ packages = {}, server }) {
  return { packages, server, atEnd: (end) => void ends.push(end) };
}

/** Has operations clean up, after the job. */
export async function endEquipment() {
  for (const end of ends.splice(0).reverse()) await end();
}
