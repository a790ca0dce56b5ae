import { closeSync, openSync, readSync } from 'node:fs';

/** Where separate symbols of a library are, as Debian, Fedora and Arch install them. */
const DEBUG_PATH = '/usr/lib/debug/.build-id';

/** The first bytes of an ELF file of 64 bits in the byte order of this module. */
const MAGIC = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1]);
const FILE_HEADER_BYTES = 64;
const SEGMENT_BYTES = 56;
const SECTION_BYTES = 64;
const SYMBOL_BYTES = 24;
const LOADED = 1;
/** Types of sections. */
const ALL_SYMBOLS = 2;
const NOTE = 7;
const EXPORTED_SYMBOLS = 11;
const BUILD_ID = 3;
/** Types of symbols that name code: a function, and one that is chosen when it is linked. A label in a function is none. */
const CODE = [2, 10];
const GLOBAL = 1;
const WEAK = 2;
/** Numbers of sections from here on are none, such as that of an absolute value. */
const MIN_RESERVED_SECTION = 0xff00;

/**
 * Looks up the symbol of the code at an offset in a file.
 *
 * @callback FindSymbol
 * @param {number} offset in bytes
 * @returns {string | null} as the compiler wrote it
 */

/**
 * Reads the symbols of a program or library: all of them if it has them or a separate file does, else those that it exports.
 *
 * @param {string} path
 * @returns {FindSymbol} which finds nothing if the file does not exist or is of another format
 */
export function readElfSymbols(path) {
  const file = readLayout(path);
  if (file === null) return () => null;
  const { buildId } = file;
  const debugPath = `${DEBUG_PATH}/${buildId.slice(0, 2)}/${buildId.slice(2)}.debug`;
  const table =
    readTable(path, file, ALL_SYMBOLS) ??
    (buildId === '' ? null : readTable(debugPath, readLayout(debugPath), ALL_SYMBOLS)) ??
    readTable(path, file, EXPORTED_SYMBOLS);
  return table === null ? () => null : indexSymbols(table, file);
}

/**
 * @typedef {object} Layout
 * @property {{ offset: number, address: number, size: number }[]} segments that are loaded
 * @property {{ type: number, offset: number, size: number, link: number }[]} sections
 * @property {string} buildId in hexadecimal; empty without one
 *
 * @typedef {{ symbols: Buffer, names: Buffer }} Table
 */

/** @type {(path: string) => Layout | null} null if it is no such file */
function readLayout(path) {
  const header = readPart(path, 0, FILE_HEADER_BYTES);
  if (header === null || !header.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  const segments = readEntries(path, readWord(header, 32), header.readUInt16LE(56), SEGMENT_BYTES);
  const sections = readEntries(
    path,
    readWord(header, 40),
    header.readUInt16LE(60),
    SECTION_BYTES,
  ).map((entry) => ({
    type: entry.readUInt32LE(4),
    offset: readWord(entry, 24),
    size: readWord(entry, 32),
    link: entry.readUInt32LE(40),
  }));
  const notes = sections.filter(({ type }) => type === NOTE);
  return {
    segments: segments
      .filter((entry) => entry.readUInt32LE(0) === LOADED)
      .map((entry) => ({
        offset: readWord(entry, 8),
        address: readWord(entry, 16),
        size: readWord(entry, 32),
      })),
    sections,
    buildId: notes.map(({ offset, size }) => readBuildId(readPart(path, offset, size))).join(''),
  };
}

/** @type {(note: Buffer | null) => string} */
function readBuildId(note) {
  if (note === null || note.readUInt32LE(8) !== BUILD_ID) return '';
  const start = 12 + 4 * Math.ceil(note.readUInt32LE(0) / 4);
  return note.toString('hex', start, start + note.readUInt32LE(4));
}

/** @type {(path: string, layout: Layout | null, wanted: number) => Table | null} */
function readTable(path, layout, wanted) {
  const section = layout?.sections.find(({ type }) => type === wanted);
  const strings = section === undefined ? undefined : layout?.sections[section.link];
  if (section === undefined || strings === undefined) return null;
  const symbols = readPart(path, section.offset, section.size);
  const names = readPart(path, strings.offset, strings.size);
  return symbols === null || names === null ? null : { symbols, names };
}

/** @type {(table: Table, layout: Layout) => FindSymbol} */
function indexSymbols({ symbols, names }, { segments, sections }) {
  /** @type {{ start: number, end: number, rank: number, name: number }[]} */
  const found = [];
  for (let at = 0; at + SYMBOL_BYTES <= symbols.length; at += SYMBOL_BYTES) {
    const name = symbols.readUInt32LE(at);
    const info = symbols[at + 4];
    const section = symbols.readUInt16LE(at + 6);
    if (name === 0 || section === 0 || section >= MIN_RESERVED_SECTION) continue;
    if (!CODE.includes(info & 0xf)) continue;
    const address = readWord(symbols, at + 8);
    const segment = segments.find(
      (one) => one.address <= address && address < one.address + one.size,
    );
    if (segment === undefined) continue;
    const start = address - segment.address + segment.offset;
    const size = readWord(symbols, at + 16);
    const { offset, size: sectionSize } = sections[section];
    const binding = info >> 4;
    const rank = (size > 0 ? 4 : 0) + (binding === WEAK ? 0 : 2) + (binding === GLOBAL ? 1 : 0);
    found.push({ start, end: size > 0 ? start + size : offset + sectionSize, rank, name });
  }
  found.sort((one, two) => one.start - two.start || one.rank - two.rank);
  const starts = Float64Array.from(found, ({ start }) => start);
  return function findSymbol(offset) {
    const index = countUpTo(starts, offset) - 1;
    if (index < 0) return null;
    const { end, name } = found[index];
    return offset >= end ? null : names.toString('utf8', name, names.indexOf(0, name));
  };
}

/** @type {(ascending: Float64Array, limit: number) => number} how many are not above the limit */
function countUpTo(ascending, limit) {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @type {(path: string, offset: number, count: number, size: number) => Buffer[]} */
function readEntries(path, offset, count, size) {
  const bytes = readPart(path, offset, count * size);
  if (bytes === null) return [];
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

/**
 * Reads a part of a file, since programs are large.
 * @type {(path: string, offset: number, length: number) => Buffer | null} null if there is no such part
 */
function readPart(path, offset, length) {
  let file;
  try {
    file = openSync(path, 'r');
    const bytes = Buffer.alloc(length);
    return readSync(file, bytes, 0, length, offset) === length ? bytes : null;
  } catch {
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** A number up to 2^53. @type {(bytes: Buffer, at: number) => number} */
function readWord(bytes, at) {
  return bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * 2 ** 32;
}
