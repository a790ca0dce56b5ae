/** Offset of the first element of a document, after its size. */
const ELEMENT_OFFSET = 4;
/** Type ObjectId, `_id`, terminator. */
const ELEMENT_HEADER = Buffer.from('\u0007_id\0', 'latin1');
const ID_OFFSET = ELEMENT_OFFSET + ELEMENT_HEADER.length;
/**
 * Layout of an ObjectId: seconds (uint32), five bytes of the process, a counter (uint24), big
 * endian.
 */
const ID_BYTES = 12;
const PROCESS_OFFSET = 4;
const COUNTER_OFFSET = 9;
const COUNTER_BYTES = 3;
/** bson's counter wraps to 0 after this. */
const LAST_COUNTER = 0xfffffe;

/**
 * Makes documents whose first element is a generated ObjectId `_id`, checks that each id is
 * plausible for this time, process and counter, and replaces it by zeros, so that the rest can be
 * compared with the output of another process.
 *
 * @param {() => Uint8Array[]} makeDocuments
 * @returns {Buffer[]} copies of the documents
 * @throws {Error} that names the invalid id
 */
export function blankGeneratedIds(makeDocuments) {
  const earliest = Math.floor(Date.now() / 1000);
  const documents = makeDocuments().map((bytes) => Buffer.from(bytes));
  const latest = Math.floor(Date.now() / 1000);

  const ids = documents.map((bytes, index) => {
    const header = bytes.subarray(ELEMENT_OFFSET, ID_OFFSET);
    if (!header.equals(ELEMENT_HEADER) || bytes.length <= ID_OFFSET + ID_BYTES) {
      throw new Error(`document ${index} does not begin with an ObjectId '_id'`);
    }
    return Buffer.from(bytes.subarray(ID_OFFSET, ID_OFFSET + ID_BYTES));
  });
  for (const [index, id] of ids.entries()) {
    const problem = findProblem(id, ids[index - 1] ?? null, { earliest, latest });
    if (problem !== null) {
      throw new Error(`the generated _id of document ${index}, ${id.toString('hex')}, ${problem}`);
    }
    documents[index].fill(0, ID_OFFSET, ID_OFFSET + ID_BYTES);
  }
  return documents;
}

/**
 * @param {Buffer} id
 * @param {Buffer | null} previous
 * @param {{ earliest: number, latest: number }} seconds since 1970
 * @returns {string | null}
 */
function findProblem(id, previous, { earliest, latest }) {
  const seconds = id.readUInt32BE(0);
  if (seconds < earliest || seconds > latest) return 'is not of the present time';
  if (previous === null) return null;
  const [process, previousProcess] = [id, previous].map((each) =>
    each.subarray(PROCESS_OFFSET, COUNTER_OFFSET),
  );
  if (!process.equals(previousProcess)) return 'is of another process than the one before';
  const [counter, previousCounter] = [id, previous].map((each) =>
    each.readUIntBE(COUNTER_OFFSET, COUNTER_BYTES),
  );
  const hasWrapped = counter === 0 && previousCounter >= LAST_COUNTER;
  return counter === previousCounter + 1 || hasWrapped
    ? null
    : `does not count on from the one before, ${previous.toString('hex')}`;
}
