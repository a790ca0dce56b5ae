import { ID_BYTES } from './object-id-corpus.js';
import { describeEach } from './object-id-output.js';

/** The process's five bytes follow the seconds and precede the counter. */
const PROCESS_OFFSET = 4;
const COUNTER_OFFSET = 9;
const COUNTER_BYTES = 3;

/** Releases of bson before 7.3 leave out the last number before they begin again. */
const LAST_COUNTS = [0xffffff, 0xfffffe];

/**
 * Describes ids that were just made by what the rules of ObjectIds promise of them, because their
 * bytes are never the same. Source: MongoDB specification "ObjectID generation".
 *
 * @param {number} count
 * @param {() => Uint8Array} makeBytes of a new id
 * @returns {Uint8Array[]} one description an id
 */
export function describeNewIds(count, makeBytes) {
  const earliest = Math.floor(Date.now() / 1000);
  // One more, so that each that is described has one before it.
  const ids = Array.from({ length: count + 1 }, function copyNext() {
    return Buffer.from(makeBytes());
  });
  const latest = Math.floor(Date.now() / 1000);

  return describeEach(ids.slice(1), function describeNew(id, index) {
    const sizeBytes = Math.min(id.length, ids[index].length);
    if (sizeBytes !== ID_BYTES) return { sizeBytes };
    const seconds = id.readUInt32BE(0);
    return {
      sizeBytes,
      seconds: seconds >= earliest && seconds <= latest ? 'of now' : `${seconds}`,
      process: readProcess(id) === readProcess(ids[index]) ? 'the same' : 'another',
      counter: describeStep(readCounter(ids[index]), readCounter(id)),
    };
  });
}

/**
 * @param {Buffer} id
 * @returns {string}
 */
function readProcess(id) {
  return id.toString('hex', PROCESS_OFFSET, COUNTER_OFFSET);
}

/**
 * @param {Buffer} id
 * @returns {number}
 */
function readCounter(id) {
  return id.readUIntBE(COUNTER_OFFSET, COUNTER_BYTES);
}

/**
 * @param {number} before
 * @param {number} now
 * @returns {string}
 */
function describeStep(before, now) {
  const isNext = now === before + 1 || (now === 0 && LAST_COUNTS.includes(before));
  return isNext ? 'the next number' : `${before} then ${now}`;
}
