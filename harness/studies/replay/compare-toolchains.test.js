import { expect, test } from '@jest/globals';
import { compareToolchains } from './compare-toolchains.js';

/** @param {Record<string, string>} [toolchain] */
const sides = (toolchain) => ({
  baseline: toolchain === undefined ? {} : { toolchain },
  candidate: toolchain === undefined ? {} : { toolchain },
});

test('the same programs, or none, make no difference', () => {
  expect(compareToolchains(sides({ cc: '12.2.0' }), sides({ cc: '12.2.0' }))).toEqual([]);
  expect(compareToolchains(sides(), sides())).toEqual([]);
});

test('a program of another version, or one that the other host did not use, is named', () => {
  expect(compareToolchains(sides({ cc: '12.2.0', ld: '2.40.0' }), sides({ cc: '13.1.0' }))).toEqual(
    [
      { part: 'cc', recorded: '12.2.0', here: '13.1.0' },
      { part: 'ld', recorded: '2.40.0', here: 'none' },
    ],
  );
});
