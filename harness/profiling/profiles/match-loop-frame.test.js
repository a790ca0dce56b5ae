import { expect, test } from '@jest/globals';
import { matchLoopFrame } from './match-loop-frame.js';

const isLoop = matchLoopFrame(['run_passes', 'Work::run']);

test.each([
  ['run_passes', 'code', true],
  ['worker::work::run_passes', 'code', true],
  ['org.example.Work.run', 'code', true],
  ['run_passes', 'js', true],
  ['dry_run_passes', 'code', false],
  ['HomeWork.run', 'code', false],
  ['run_passes', 'native', false],
])('%s of the kind %s: %s', (name, kind, expected) => {
  const place = { file: null, line: null, column: null };
  const frame = {
    name,
    kind: /** @type {import('../../formats/profile-types.ts').FrameKind} */ (kind),
    ...place,
  };
  expect(isLoop(frame)).toBe(expected);
});
