import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { streamLines } from './json-documents.js';

/** @type {string} */
let directory;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'assay-lines-'));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

describe('streamLines', () => {
  it.each([
    ['nothing', []],
    ['short lines, an empty one among them', ['a', '', 'ü']],
    // Characters of three bytes come to lie across the border of a chunk.
    ['lines longer than a chunk', ['名'.repeat(500_000), 'b', '名'.repeat(1_000_000)]],
  ])('gives the lines of a file back: %s', (_what, lines) => {
    const path = join(directory, 'lines');
    for (const ending of lines.length > 0 ? ['', '\n'] : ['']) {
      writeFileSync(path, lines.join('\n') + ending);
      const found = [...streamLines(path)];
      expect(found.length).toBe(lines.length);
      expect(found.every((line, index) => line === lines[index])).toBe(true);
    }
  });
});
