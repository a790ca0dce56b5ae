import { compareLines } from './source-lines.js';

/** @import { Profile } from '../formats/profile-types.ts' */

/**
 * @param {[line: number, text: string, occurrence: number, ns: number][]} lines
 * @returns {Profile} of one function
 */
function profile(lines) {
  const frame = { name: 'go', kind: /** @type {const} */ ('js'), file: 'a.js', line: 1, column: 1 };
  return {
    source: 'v8-cpu-profile',
    unit: 'ns',
    frames: [frame],
    nodes: [],
    lines: lines.map(([line, text, occurrence, self]) => ({
      frame: 0,
      line,
      text,
      occurrence,
      self,
    })),
    samples: 1,
  };
}

test('lines of an edited file are compared with those that they were', () => {
  const baseline = profile([
    [2, '  one();', 1, 10],
    [3, '  two();', 1, 20],
    [4, '  two();', 2, 30],
  ]);
  const candidate = profile([
    [2, '  new();', 1, 1],
    [3, '  new();', 2, 2],
    [4, '  two();', 1, 3],
    [5, '  two();', 2, 40],
  ]);
  const lines = compareLines(baseline, candidate);
  expect(lines.map(({ text, line, ...ns }) => [text, line, ns.baseline, ns.candidate])).toEqual([
    ['  two();', 4, 30, 40],
    ['  two();', 3, 20, 3],
    ['  one();', 2, 10, 0],
    ['  new();', 3, 0, 2],
    ['  new();', 2, 0, 1],
  ]);
});

test('lines without their text are left out', () => {
  const ofOtherTool = profile([[2, '  one();', 1, 10]]);
  ofOtherTool.lines = [{ frame: 0, line: 2, self: 10 }];
  expect(compareLines(ofOtherTool, ofOtherTool)).toEqual([]);
});
