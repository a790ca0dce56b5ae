/** Offset of the first element of a document, after its size. */
const ELEMENT_OFFSET = 4;
/** Type ObjectId, `_id`, terminator. */
const ELEMENT_HEADER = Buffer.from('\u0007_id\0', 'latin1');
const ID_OFFSET = ELEMENT_OFFSET + ELEMENT_HEADER.length;
const ID_BYTES = 12;

// An ObjectId is a uint32 of seconds, five bytes of the process and a uint24 counter, big endian.
const PROCESS_OFFSET = 4;
const COUNTER_OFFSET = 9;
const COUNTER_BYTES = 3;
/** After these the counter continues with 0: bson before 7.3 skips the largest number. */
const LAST_COUNTS = [0xffffff, 0xfffffe];

/** @typedef {Record<'seconds' | 'process' | 'counter', string>} IdDescription */

/** @type {IdDescription} */
const CORRECT = { seconds: 'of now', process: 'the same', counter: 'the next number' };

/**
 * Compares a generated ObjectId with the one before it, because its bytes are never the same. Source:
 * MongoDB specification "ObjectID generation".
 * @param {Buffer} id 12 bytes
 * @param {Buffer | null} previous null for the first
 * @param {{ earliest: number, latest: number }} span seconds since 1970 in which it was generated
 * @returns {IdDescription} the same for all ids that follow the rules
 */
export function describeNewId(id, previous, { earliest, latest }) {
  const seconds = id.readUInt32BE(0);
  return {
    seconds: seconds >= earliest && seconds <= latest ? CORRECT.seconds : `${seconds}`,
    process: previous === null || isSameProcess(id, previous) ? CORRECT.process : 'another',
    counter: previous === null ? CORRECT.counter : describeStep(previous, id),
  };
}

/** @param {Buffer} id @param {Buffer} other */
function isSameProcess(id, other) {
  const [bytes, otherBytes] = [id, other].map((each) =>
    each.subarray(PROCESS_OFFSET, COUNTER_OFFSET),
  );
  return bytes.equals(otherBytes);
}

/** @param {Buffer} previous @param {Buffer} id */
function describeStep(previous, id) {
  const [before, now] = [previous, id].map((each) =>
    each.readUIntBE(COUNTER_OFFSET, COUNTER_BYTES),
  );
  const isNext = now === before + 1 || (now === 0 && LAST_COUNTS.includes(before));
  return isNext ? CORRECT.counter : `${before} then ${now}`;
}

/**
 * Replaces the generated ObjectIds of documents by zeros, so that the documents can be compared with
 * those of another process.
 * @param {() => Uint8Array[]} makeDocuments the first element of each is a generated ObjectId `_id`
 * @returns {Buffer[]} copies of the documents
 * @throws {Error} if an id is not one that was generated now by this process, after the one before it
 */
export function blankGeneratedIds(makeDocuments) {
  const earliest = Math.floor(Date.now() / 1000);
  const documents = makeDocuments().map((bytes) => Buffer.from(bytes));
  const latest = Math.floor(Date.now() / 1000);
  const ids = documents.map(copyId);
  for (const [index, id] of ids.entries()) {
    const found = describeNewId(id, ids[index - 1] ?? null, { earliest, latest });
    for (const [part, correct] of /** @type {[keyof IdDescription, string][]} */ (
      Object.entries(CORRECT)
    )) {
      if (found[part] === correct) continue;
      throw new Error(
        `the generated _id of document ${index}, ${id.toString('hex')}, has ${part} ` +
          `'${found[part]}', expected '${correct}'`,
      );
    }
    documents[index].fill(0, ID_OFFSET, ID_OFFSET + ID_BYTES);
  }
  return documents;
}

/** @param {Buffer} bytes @param {number} index */
function copyId(bytes, index) {
  const header = bytes.subarray(ELEMENT_OFFSET, ID_OFFSET);
  if (!header.equals(ELEMENT_HEADER) || bytes.length <= ID_OFFSET + ID_BYTES) {
    throw new Error(`document ${index} does not begin with an ObjectId '_id'`);
  }
  return Buffer.from(bytes.subarray(ID_OFFSET, ID_OFFSET + ID_BYTES));
}
