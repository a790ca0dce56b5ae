import { MachineError, UsageError } from '../../lib/errors.js';

/** @import { ReplayRecord, Runtime } from '../../formats/types.ts' */

/**
 * @typedef {object} RecordedNode
 * @property {string | null} node exact version to measure under; null where nothing need be said: it
 *   is the running one, or every cell or side names its own
 * @property {boolean} isSame whether the figures come from the Node of the report
 * @property {string | null} note why they do not
 */

/**
 * The Node that measured the report, fetched where it is not the running one. Where it cannot be had
 * the running one serves, which is then a difference between the hosts.
 *
 * @param {Pick<ReplayRecord, 'question' | 'variants' | 'environment'>} record
 * @param {string} running exact version
 * @param {(wanted: string) => Promise<{ node: string, runtime: Runtime | null }>} findRuntime
 * @returns {Promise<RecordedNode>}
 */
export async function findRecordedNode(record, running, findRuntime) {
  const wanted = record.environment.node;
  if (wanted === running || !needsNode(record)) return { node: null, isSame: true, note: null };
  try {
    const { node } = await findRuntime(wanted);
    return { node, isSame: true, note: null };
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof MachineError)) throw error;
    const note = `the report was measured under Node ${wanted}, which cannot be had here: ${error.message}; Node ${running} measures instead`;
    return { node: null, isSame: false, note };
  }
}

/** @param {Pick<ReplayRecord, 'question' | 'variants'>} record */
function needsNode({ question, variants }) {
  const isPinned = [variants.baseline, variants.candidate].every(({ node }) => node !== undefined);
  return !isPinned && question.cells.some(({ node }) => node === undefined);
}
