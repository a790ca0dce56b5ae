import { FormatError } from '../../lib/errors.js';

/** `PERFILE2`, as a file of this byte order begins. */
const MAGIC = 'PERFILE2';
const REMEDY =
  'record with perf record -g, without --compression-level, on a machine of the same byte order';
const WORD = 8;
const HEADER_BYTES = 8;
const FILE_HEADER_BYTES = 72;

/** Places of the header of the file, and of its first event, in bytes. */
const FILE = { attributes: 24, data: 40 };
const ATTRIBUTE = { sampleType: 24 };
/** Kinds of records (`enum perf_event_type`). */
const MMAP = 1;
const SAMPLE = 9;
const MMAP2 = 10;
/** Fields of a sample (`PERF_SAMPLE_…`) before its call chain, in their order; each is a word. */
const IDENTIFIER = 1 << 16;
const [IP, TID, TIME, ADDRESS, ID, STREAM, CPU, PERIOD] = [0, 1, 2, 3, 6, 9, 7, 8].map(
  (bit) => 1 << bit,
);
const BEFORE_CHAIN = [IDENTIFIER, IP, TID, TIME, ADDRESS, ID, STREAM, CPU, PERIOD];
const READ = 1 << 4;
const CHAIN = 1 << 5;
/** Half of a word that no address in user space reaches: addresses of the kernel, and marks in a call chain. */
const MIN_KERNEL_HALF = 0x8000_0000;
const HALF = 2 ** 32;
const NS_PER_MS = 1e6;

/**
 * @typedef {object} RecordedSample
 * @property {string} thread
 * @property {RecordedPlace[]} stack the innermost first; equal places of a process are mostly the same object
 *
 * @typedef {object} RecordedPlace
 * @property {number} address
 * @property {string} object the mapped file that contains it, `//anon`, or `[unknown]`
 * @property {number} offset in that file
 */

/**
 * Reads the samples in user space of a recording of one event (`perf.data`). The layout of the records is that of the kernel,
 * which keeps it.
 *
 * @param {Buffer} file
 * @param {{ startMs: number, endMs: number }} window by the clock of the recording; other samples are left out
 * @returns {RecordedSample[]} in the order in which they were written
 * @throws {FormatError} when it is no such recording
 */
export function readPerfData(file, window) {
  if (file.length < FILE_HEADER_BYTES || file.toString('latin1', 0, WORD) !== MAGIC) {
    throw new FormatError('not a recording of perf: it does not begin with PERFILE2', {
      remedy: REMEDY,
    });
  }
  const sampleType = readWord(file, readWord(file, FILE.attributes) + ATTRIBUTE.sampleType);
  if ((sampleType & CHAIN) === 0 || (sampleType & READ) !== 0) {
    throw new FormatError('the recording of perf has no call stacks', { remedy: REMEDY });
  }
  const start = readWord(file, FILE.data);
  const end = Math.min(file.length, start + readWord(file, FILE.data + WORD));
  /** By process. @type {Map<number, AddressSpace>} */
  const spaces = new Map();
  const spaceOf = (/** @type {number} */ process) => {
    const space = spaces.get(process) ?? { mappings: [], places: new Map() };
    spaces.set(process, space);
    return space;
  };
  /** @type {RecordedSample[]} */
  const samples = [];
  let at = start;
  while (at + HEADER_BYTES <= end) {
    const kind = file.readUInt32LE(at);
    const size = file.readUInt16LE(at + 6);
    if (size < HEADER_BYTES || at + size > end) {
      throw new FormatError('the recording of perf is truncated', { remedy: REMEDY });
    }
    const record = file.subarray(at + HEADER_BYTES, at + size);
    at += size;
    if (kind === MMAP || kind === MMAP2) {
      addMapping(spaceOf(record.readUInt32LE(0)), record, kind);
    } else if (kind === SAMPLE) {
      const { process, thread, timeMs, bytes } = readHeader(record, sampleType);
      if (timeMs < window.startMs || timeMs > window.endMs) continue;
      samples.push({ thread: String(thread), stack: readStack(record, bytes, spaceOf(process)) });
    }
  }
  return samples;
}

/**
 * @typedef {object} AddressSpace
 * @property {{ start: number, end: number, offset: number, object: string }[]} mappings a later one covers earlier ones
 * @property {Map<number, RecordedPlace>} places that were found in them, by address
 */

/** @type {(space: AddressSpace, record: Buffer, kind: number) => void} */
function addMapping({ mappings, places }, record, kind) {
  const [start, length, offset] = [1, 2, 3].map((word) => readWord(record, word * WORD));
  const nameAt = kind === MMAP ? 4 * WORD : 8 * WORD;
  const object = record.toString('utf8', nameAt, record.indexOf(0, nameAt));
  mappings.push({ start, end: start + length, offset, object });
  places.clear();
}

/** @type {(record: Buffer, sampleType: number) => { process: number, thread: number, timeMs: number, bytes: number }} */
function readHeader(record, sampleType) {
  const header = { process: 0, thread: 0, timeMs: NaN, bytes: 0 };
  for (const field of BEFORE_CHAIN) {
    if ((sampleType & field) === 0) continue;
    if (field === TID) {
      header.process = record.readUInt32LE(header.bytes);
      header.thread = record.readUInt32LE(header.bytes + 4);
    } else if (field === TIME) {
      header.timeMs = readWord(record, header.bytes) / NS_PER_MS;
    }
    header.bytes += WORD;
  }
  return header;
}

/** @type {(record: Buffer, start: number, space: AddressSpace) => RecordedPlace[]} without frames of the kernel */
function readStack(record, start, { mappings, places }) {
  /** @type {RecordedPlace[]} */
  const stack = [];
  const end = start + WORD + readWord(record, start) * WORD;
  for (let at = start + WORD; at < end; at += WORD) {
    if (record.readUInt32LE(at + 4) >= MIN_KERNEL_HALF) continue;
    const address = readWord(record, at);
    const place = places.get(address) ?? findPlace(address, mappings);
    places.set(address, place);
    stack.push(place);
  }
  return stack;
}

/** @type {(address: number, mappings: AddressSpace['mappings']) => RecordedPlace} */
function findPlace(address, mappings) {
  const found = mappings.findLast(({ start, end }) => start <= address && address < end);
  if (found === undefined) return { address, object: '[unknown]', offset: 0 };
  return { address, object: found.object, offset: address - found.start + found.offset };
}

/** A number up to 2^53. @type {(bytes: Buffer, at: number) => number} */
function readWord(bytes, at) {
  return bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * HALF;
}
