import { serialize } from 'bson';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FormatError } from '../../harness/lib/errors.js';
import { splitBsonDocuments, streamBsonDocuments, streamLines } from './document-files.js';

/** @type {string} */
let directory;
/** @type {string} */
let path;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'assay-documents-'));
  path = join(directory, 'documents');
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

/** @param {number[]} textLengths of one document each */
function makeDocuments(textLengths) {
  return Buffer.concat(textLengths.map((length) => serialize({ text: 'x'.repeat(length) })));
}

describe('streamBsonDocuments', () => {
  it.each([
    ['none', []],
    ['one', [10]],
    ['more than a chunk of small ones', new Array(12_000).fill(100)],
    ['some larger than a chunk', [10, 3_000_000, 5, 1_048_560, 7]],
  ])('yields the same documents as splitting the whole file: %s', (_what, textLengths) => {
    const bytes = makeDocuments(textLengths);
    writeFileSync(path, bytes);
    const streamed = [...streamBsonDocuments(path)];
    const split = [...splitBsonDocuments(bytes)];
    expect(streamed).toHaveLength(textLengths.length);
    expect(streamed.every((each, index) => each.equals(split[index] ?? Buffer.of()))).toBe(true);
  });

  it.each([
    ['cut off within a document', makeDocuments([10, 20]).subarray(0, -1)],
    ['cut off within a length', Buffer.concat([makeDocuments([10]), Buffer.of(9, 0)])],
    ['followed by an impossible length', Buffer.concat([makeDocuments([10]), Buffer.alloc(8)])],
  ])('reports the offset at which a file is %s', (_what, bytes) => {
    writeFileSync(path, bytes);
    const read = () => [...streamBsonDocuments(path)];
    const offset = makeDocuments([10]).length;
    expect(read).toThrow(`no whole document at byte ${offset}`);
    expect(read).toThrow(FormatError);
  });
});

describe('streamLines', () => {
  it.each([
    ['nothing', []],
    ['short lines and an empty one', ['a', '', 'ü']],
    // Three-byte characters cross the chunk boundary.
    ['lines longer than a chunk', ['名'.repeat(500_000), 'b', '名'.repeat(1_000_000)]],
  ])('returns the lines of a file: %s', (_what, lines) => {
    for (const ending of lines.length > 0 ? ['', '\n'] : ['']) {
      writeFileSync(path, lines.join('\n') + ending);
      const found = [...streamLines(path)];
      expect(found.length).toBe(lines.length);
      expect(found.every((line, index) => line === lines[index])).toBe(true);
    }
  });
});
