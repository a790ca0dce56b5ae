import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTestDirectory } from '../../../testing/support/directories.js';
import { readElfSymbols } from './elf-symbols.js';

const directory = makeTestDirectory('elf-symbols');
const LABEL = 0;
const OBJECT = 1;
const FUNCTION = 2;
const GLOBAL = 1 << 4;
const WEAK = 2 << 4;
/** The file is loaded from here on, at an address that is so much higher. */
const LOADED_FROM = 0x1000;
const ADDRESS = 0x40_0000;
const ALL = 2;
const EXPORTED = 11;

/**
 * Writes a program with one section of code.
 *
 * @param {Record<string, { at: number, size: number, info?: number, section?: number }>} symbols by name; `at`: offset in the file
 * @param {number} [type] of the table
 * @returns {string} its path
 */
function writeProgram(symbols, type = ALL) {
  const names = Buffer.from(`\0${Object.keys(symbols).join('\0')}\0`);
  const table = Object.entries(symbols).map(
    ([name, { at, size, info = FUNCTION | GLOBAL, section = 1 }]) =>
      writeWords([
        [names.indexOf(`\0${name}\0`) + 1, 4],
        [info, 1],
        [0, 1],
        [section, 2],
        [at + ADDRESS, 8],
        [size, 8],
      ]),
  );
  const tableAt = 64 + 56 + 3 * 64;
  const section = (
    /** @type {number} */ kind,
    /** @type {number} */ at,
    /** @type {number} */ size,
    link = 0,
  ) =>
    writeWords([
      [0, 4],
      [kind, 4],
      [0, 16],
      [at, 8],
      [size, 8],
      [link, 4],
      [0, 20],
    ]);
  const symbolBytes = table.length * 24;
  const path = join(directory, `program-${Object.keys(symbols).join('-')}`);
  writeFileSync(
    path,
    Buffer.concat([
      Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, ...Array(26).fill(0)]),
      writeWords([
        [64, 8],
        [120, 8],
        [0, 8],
        [1, 2],
        [0, 2],
        [3, 2],
        [0, 2],
      ]),
      writeWords([
        [1, 4],
        [5, 4],
        [LOADED_FROM, 8],
        [LOADED_FROM + ADDRESS, 8],
        [0, 8],
        [0x1000, 8],
        [0, 16],
      ]),
      section(type, tableAt, symbolBytes, 2),
      section(1, LOADED_FROM, 0x800),
      section(3, tableAt + symbolBytes, names.length),
      ...table,
      names,
    ]),
  );
  return path;
}

/** @param {[value: number, bytes: number][]} fields */
function writeWords(fields) {
  return Buffer.concat(
    fields.map(([value, bytes]) => {
      const field = Buffer.alloc(bytes);
      field.writeUIntLE(value, 0, Math.min(6, bytes));
      return field;
    }),
  );
}

test('the symbol at an offset is found, up to its end', () => {
  const find = readElfSymbols(
    writeProgram({ one: { at: 0x1000, size: 0x10 }, two: { at: 0x1020, size: 0x10 } }),
  );
  expect([0xfff, 0x1000, 0x100f, 0x1010, 0x1020, 0x1030].map(find)).toEqual([
    null,
    'one',
    'one',
    null,
    'two',
    null,
  ]);
});

test('of symbols at one place, the one with a size and without a weak binding is found', () => {
  const find = readElfSymbols(
    writeProgram({
      open: { at: 0x1100, size: 0 },
      strong: { at: 0x1200, size: 8, info: FUNCTION },
      weak: { at: 0x1200, size: 8, info: FUNCTION | WEAK },
      sized: { at: 0x1100, size: 8, info: FUNCTION },
    }),
  );
  expect([0x1100, 0x1200].map(find)).toEqual(['sized', 'strong']);
});

test('a symbol without a size reaches to the end of its section', () => {
  const find = readElfSymbols(writeProgram({ start: { at: 0x1700, size: 0 } }));
  expect([0x17ff, 0x1800].map(find)).toEqual(['start', null]);
});

test('labels, data and what another file defines name no code', () => {
  const find = readElfSymbols(
    writeProgram({
      whole: { at: 0x1000, size: 0x100 },
      label: { at: 0x1010, size: 0, info: LABEL },
      data: { at: 0x1020, size: 8, info: OBJECT },
      imported: { at: 0x1030, size: 8, section: 0 },
    }),
  );
  expect([0x1010, 0x1020, 0x1030].map(find)).toEqual(['whole', 'whole', 'whole']);
});

test('a library without further symbols has those that it exports', () => {
  const find = readElfSymbols(writeProgram({ exported: { at: 0x1000, size: 8 } }, EXPORTED));
  expect(find(0x1004)).toBe('exported');
});

test.each([
  ['is missing', null],
  ['is empty', ''],
  ['has another format', `#!/bin/sh\n${'#'.repeat(100)}`],
  ['is truncated', `\u007fELF\u0002\u0001${'\u0001'.repeat(80)}`],
])('a file that %s has no symbols', (name, text) => {
  const path = join(directory, name);
  if (text !== null) writeFileSync(path, text);
  expect(readElfSymbols(path)(0)).toBeNull();
});
