import { describe, expect, test } from '@jest/globals';
import { nameArtefact } from './name-artefact.js';

/** @param {string[]} ids */
function namesOf(ids) {
  const cells = ids.map((id) => ({ id }));
  return ids.map((cellId) =>
    nameArtefact({ id: 'x', recorder: 'perf', cellId, arm: 'baseline', process: 2 }, cells),
  );
}

describe('artefacts', () => {
  test('are named by cell, side and process', () => {
    expect(namesOf(['serialize flat', 'serialize comments:10@literal'])).toEqual([
      'serialize-flat-baseline-2',
      'serialize-comments-10-literal-baseline-2',
    ]);
  });

  test('of cells that differ in odd characters or capitals alone have different names', () => {
    expect(namesOf(['serialize a:1', 'serialize a-1', 'serialize A-1', 'serialize b'])).toEqual([
      'serialize-a-1-baseline-2',
      'serialize-a-1~2-baseline-2',
      'serialize-A-1~3-baseline-2',
      'serialize-b-baseline-2',
    ]);
  });
});
