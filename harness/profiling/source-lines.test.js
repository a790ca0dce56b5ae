import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT } from '../lib/project.js';
import { compareLines, findSources } from './source-lines.js';

/** @import { Profile } from '../formats/profile-types.ts' */

const roots = {
  baseline: mkdtempSync(join(tmpdir(), 'assay-lines-')),
  candidate: mkdtempSync(join(tmpdir(), 'assay-lines-')),
};
afterAll(() => Object.values(roots).forEach((root) => rmSync(root, { recursive: true })));

/**
 * @param {[line: number, ns: number][]} lines
 * @returns {Profile} of one function, which begins on the first line of its file
 */
function profile(lines) {
  const frame = { name: 'go', kind: /** @type {const} */ ('js'), file: 'a.js', line: 1, column: 1 };
  return {
    source: 'v8-cpu-profile',
    unit: 'ns',
    frames: [frame],
    nodes: [],
    lines: lines.map(([line, self]) => ({ frame: 0, line, self })),
    samples: 1,
  };
}

test('lines of a patched file are compared with those that they were', () => {
  writeFileSync(join(roots.baseline, 'a.js'), 'function go() {\n  one();\n  two();\n  two();\n}\n');
  writeFileSync(
    join(roots.candidate, 'a.js'),
    'function go() {\n  new();\n  two();\n  two();\n  end();\n}\n',
  );
  const baseline = profile([
    [2, 10],
    [3, 20],
    [4, 30],
  ]);
  const candidate = profile([
    [2, 1],
    [3, 2],
    [4, 3],
    [5, 40],
  ]);
  const lines = compareLines(baseline, candidate, roots);
  expect(
    lines.map(({ text, line, ...times }) => [text, line, times.baseline, times.candidate]),
  ).toEqual([
    ['  end();', 5, 0, 40],
    ['  two();', 4, 30, 3],
    ['  two();', 3, 20, 2],
    ['  one();', 2, 10, 0],
    ['  new();', 2, 0, 1],
  ]);
  expect(compareLines(baseline, candidate, { ...roots, candidate: null })).toHaveLength(3);
});

test('sources are those of the checkout, or of a patched copy in the cache', () => {
  const familyPath = join(PROJECT.experimentsPath, 'words');
  expect(findSources({}, familyPath)).toBe(PROJECT.projectPath);
  expect(findSources({}, null)).toBe(PROJECT.projectPath);
  const home = join(PROJECT.cachePath, 'patched', 'words', '0123456789abcdef');
  expect(findSources({ patchedPath: join(home, 'experiments/words') }, familyPath)).toBe(home);
  for (const patchedPath of [
    '/etc/experiments/words',
    join(home, '../../../../x/experiments/words'),
  ]) {
    expect(findSources({ patchedPath }, familyPath)).toBeNull();
  }
});
