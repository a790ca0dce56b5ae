import { pathToFileURL } from 'node:url';

/** @import { Equipment, Job, OperationJob } from '../formats/types.ts' */

/** @type {(() => Promise<unknown>)[]} */
const ends = [];

/**
 * @param {Pick<OperationJob, 'packages' | 'server'> & Partial<Pick<Job, 'variant'>>} job
 * @returns {Equipment} what its operation may use
 */
export function listEquipment({ packages = {}, server, variant }) {
  return {
    packages,
    server,
    readDocuments,
    async importModule(name) {
      const path = variant?.modules?.[name];
      if (path === undefined) throw new Error(`${variant?.spec} has no module '${name}'`);
      return import(pathToFileURL(path).href);
    },
    atEnd: (end) => void ends.push(end),
  };
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
