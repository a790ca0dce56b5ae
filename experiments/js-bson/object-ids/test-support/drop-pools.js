/**
 * Runs in a separate process with --expose-gc: prints, as JSON, which pools remain after their ids
 * were dropped and garbage was collected.
 */
import { ObjectId } from '../pooled.js';

const collect = /** @type {() => void} */ (globalThis.gc);
ObjectId.poolSize = 5;

const abandoned = fillPool(5);
const { ids: kept, pool: keptPool } = fillPool(5);
const survivor = kept[2];
const survivorHex = survivor?.toHexString();
kept.length = 0;
const halfFull = fillPool(2);
abandoned.ids.length = 0;
halfFull.ids.length = 0;

// A WeakRef keeps its target alive until the end of the job that created or dereferenced it.
await new Promise((resolve) => setImmediate(resolve));
collect();
const report = {
  abandoned: isThere(abandoned.pool),
  kept: isThere(keptPool),
  halfFull: isThere(halfFull.pool),
  survivorIsWhole: survivor?.toHexString() === survivorHex,
};
process.stdout.write(JSON.stringify(report));

/** @param {number} count */
function fillPool(count) {
  const ids = Array.from({ length: count }, () => new ObjectId());
  return { ids, pool: new WeakRef(/** @type {ObjectId} */ (ids[0]).pool) };
}

/** @type {(pool: WeakRef<object>) => boolean} */
function isThere(pool) {
  return pool.deref() !== undefined;
}
