/** @import { HeldGroup, HeldPart } from '../../../formats/types.ts' */
/** @import { ClassSums } from './measure-classes.js' */

/** Fields listed per class; the rest is one more. */
const MAX_PARTS = 32;

/**
 * Converts sums over the instances of a class to means per instance.
 * @type {(sums: ClassSums) => HeldGroup} `perDocument` is still the number of all instances
 */
export function describeClass({
  name,
  instances,
  shallowBytes,
  retainedBytes,
  offHeapBytes,
  parts,
}) {
  const means = [...parts.values()].map((part) => ({
    ...part,
    heapBytes: part.heapBytes / instances,
    offHeapBytes: part.offHeapBytes / instances,
  }));
  const shared = means.filter((part) => part.shared);
  const sum = (/** @type {'heapBytes' | 'offHeapBytes'} */ key) =>
    shared.reduce((total, part) => total + part[key], 0);
  const group = {
    name,
    perDocument: instances,
    shallowBytes: shallowBytes / instances,
    heapBytes: (retainedBytes - offHeapBytes) / instances + sum('heapBytes'),
    offHeapBytes: offHeapBytes / instances + sum('offHeapBytes'),
    parts: means.sort(compareParts).slice(0, MAX_PARTS),
  };
  return { ...group, parts: [...group.parts, ...describeRest(group)] };
}

/**
 * Remainder: fields beyond the limit, and objects held by two fields together.
 * @type {(group: HeldGroup) => HeldPart[]} one part or none
 */
function describeRest({ shallowBytes, heapBytes, offHeapBytes, parts }) {
  const heap = parts.reduce((left, part) => left - part.heapBytes, heapBytes - shallowBytes);
  const offHeap = parts.reduce((left, part) => left - part.offHeapBytes, offHeapBytes);
  // Means of whole bytes over many instances are not exact in the last digits.
  if (heap < 0.001 && offHeap < 0.001) return [];
  const bytes = { heapBytes: Math.max(0, heap), offHeapBytes: Math.max(0, offHeap) };
  return [{ field: '(others)', holds: '', shared: false, ...bytes }];
}

/**
 * Orders by descending size, then by name, so that both arms list the same parts.
 * @type {(a: HeldPart, b: HeldPart) => number}
 */
function compareParts(a, b) {
  const difference = b.heapBytes + b.offHeapBytes - a.heapBytes - a.offHeapBytes;
  if (difference !== 0) return difference;
  return a.field < b.field ? -1 : 1;
}
