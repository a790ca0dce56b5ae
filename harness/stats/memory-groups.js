import { takeSamples } from './memory-samples.js';

/** @import { HeldGroup, SnapshotResult } from '../formats/types.ts' */
/** @import { MetricDraft } from './judge-memory.js' */
/** @import { ArmResults } from './memory-samples.js' */

/**
 * The constructors that both sides retain instances of, with what one instance retains.
 *
 * @param {ArmResults<SnapshotResult>} snapshots
 * @returns {{ name: string, baseline: HeldGroup, candidate: HeldGroup, draft: MetricDraft }[]} in the
 *   order of the baseline, the documents first
 */
export function compareGroups(snapshots) {
  const [before] = snapshots.baseline;
  const [after] = snapshots.candidate;
  if (before === undefined || after === undefined) return [];
  return before.groups.flatMap((baseline) => {
    const { name } = baseline;
    const candidate = findGroup(after, name);
    if (candidate === undefined) return [];
    const having = {
      baseline: snapshots.baseline.filter((snapshot) => findGroup(snapshot, name) !== undefined),
      candidate: snapshots.candidate.filter((snapshot) => findGroup(snapshot, name) !== undefined),
      control: snapshots.control.filter((snapshot) => findGroup(snapshot, name) !== undefined),
    };
    const samples = takeSamples(having, (snapshot) => {
      const { heapBytes, offHeapBytes } = /** @type {HeldGroup} */ (findGroup(snapshot, name));
      return heapBytes + offHeapBytes;
    });
    const draft = {
      name: /** @type {const} */ ('retained'),
      unit: /** @type {const} */ ('bytes'),
      samples,
      deterministic: true,
    };
    return [{ name, baseline, candidate, draft }];
  });
}

/**
 * @param {SnapshotResult} snapshot
 * @param {string} name
 */
function findGroup({ groups }, name) {
  return groups.find((group) => group.name === name);
}
