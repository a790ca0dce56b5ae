/** IP, TID, TIME, CALLCHAIN and PERIOD, as perf record -g asks for. */
const FIELDS = 0b1_0010_0111;
const MMAP2 = 10;
const SAMPLE = 9;
const HEADER_BYTES = 104;
const ATTRIBUTE_BYTES = 136;

/**
 * A mapped file, or a sample.
 *
 * @typedef {{ process: number, mapping: { start: number, length: number, offset: number, object: string } }
 *   | { process: number, thread: number, timeMs: number, stack: number[] }} WrittenRecord
 */

/**
 * Writes a recording of perf.
 *
 * @param {WrittenRecord[]} records
 * @param {{ fields?: number }} [event] `fields`: those of a sample
 * @returns {Buffer}
 */
export function writePerfData(records, { fields = FIELDS } = {}) {
  const data = Buffer.concat(records.map(writeRecord));
  const header = writeWords(
    'PERFILE2',
    HEADER_BYTES,
    ATTRIBUTE_BYTES,
    HEADER_BYTES,
    ATTRIBUTE_BYTES,
  );
  const place = writeWords(HEADER_BYTES + ATTRIBUTE_BYTES, data.length);
  const attribute = writeWords(1, 0, 2_999, fields);
  return Buffer.concat([
    Buffer.concat([header, place], HEADER_BYTES),
    Buffer.concat([attribute], ATTRIBUTE_BYTES),
    data,
  ]);
}

/** @param {WrittenRecord} record */
function writeRecord(record) {
  if ('mapping' in record) {
    const { start, length, offset, object } = record.mapping;
    const name = Buffer.from(`${object}\0`);
    const padded = Buffer.concat([name], 8 * Math.ceil(name.length / 8));
    return frame(
      MMAP2,
      writePair(record.process, record.process),
      writeWords(start, length, offset, 0, 0, 0, 0),
      padded,
    );
  }
  const { process, thread, timeMs, stack } = record;
  const [leaf = 0] = stack;
  return frame(
    SAMPLE,
    writeWords(leaf),
    writePair(process, thread),
    writeWords(timeMs * 1e6, 333_444, stack.length, ...stack),
  );
}

/** @param {number} kind  @param {Buffer[]} parts */
function frame(kind, ...parts) {
  const body = Buffer.concat(parts);
  const header = Buffer.alloc(8);
  header.writeUInt32LE(kind, 0);
  header.writeUInt16LE(8 + body.length, 6);
  return Buffer.concat([header, body]);
}

/** @param {number} one  @param {number} two */
function writePair(one, two) {
  const pair = Buffer.alloc(8);
  pair.writeUInt32LE(one, 0);
  pair.writeUInt32LE(two, 4);
  return pair;
}

/** @param {(number | string)[]} words  a text has eight characters */
function writeWords(...words) {
  return Buffer.concat(
    words.map((word) => {
      const bytes = Buffer.alloc(8);
      if (typeof word === 'string') bytes.write(word, 'latin1');
      else bytes.writeBigInt64LE(BigInt(word));
      return bytes;
    }),
  );
}
