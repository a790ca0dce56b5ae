import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureSealedFile, readSeal } from './store.js';

/** @type {string} */
let directory;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'assay-sealed-'));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

describe('ensureSealedFile', () => {
  it('does not rewrite an intact file', () => {
    const path = join(directory, 'file');
    const produce = jest.fn(() => ['one', Buffer.from('two')]);
    ensureSealedFile(path, produce);
    ensureSealedFile(path, produce);
    expect(produce).toHaveBeenCalledTimes(1);
    expect(readFileSync(path, 'utf8')).toBe('onetwo');
  });

  it('rewrites a changed file', () => {
    const path = join(directory, 'file');
    ensureSealedFile(path, () => ['right']);
    writeFileSync(path, 'wrong');
    expect(readSeal(path)).toBeNull();
    ensureSealedFile(path, () => ['right']);
    expect(readFileSync(path, 'utf8')).toBe('right');
  });

  it('writes small and large pieces in order and returns the digest of all', () => {
    const path = join(directory, 'file');
    const pieces = ['small', 'x'.repeat(300_000), 'é'.repeat(100_000), 'small again'];
    const digest = ensureSealedFile(path, () => pieces);
    expect(readFileSync(path, 'utf8')).toBe(pieces.join(''));
    expect(digest).toBe(createHash('sha256').update(pieces.join('')).digest('hex'));
    expect(ensureSealedFile(path, () => [])).toBe(digest);
  });

  it('leaves no file when producing fails', () => {
    const fail = () => {
      throw new Error('no more');
    };
    expect(() => ensureSealedFile(join(directory, 'file'), fail)).toThrow('no more');
    expect(readdirSync(directory)).toEqual([]);
  });
});
