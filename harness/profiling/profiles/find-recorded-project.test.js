import { describe, expect, test } from '@jest/globals';
import { findRecordedProject } from './find-recorded-project.js';

const LOOP = 'harness/worker/exercise-operation.js';

/** @param {string} url */
function makeText(url) {
  return JSON.stringify({ nodes: [{ url: 'file:///a/b.js' }, { url }] });
}

describe('the checkout that a profile was recorded in', () => {
  test('is told by the module of the exercise', () => {
    expect(findRecordedProject(makeText(`file:///home/me/assay/${LOOP}`))).toBe('/home/me/assay');
  });

  test('may have odd characters in its path', () => {
    expect(findRecordedProject(makeText(`file:///home/my%20work/${LOOP}`))).toBe('/home/my work');
    expect(findRecordedProject(makeText(`file:///home/100%/${LOOP}`))).toBe('/home/100%');
  });

  test('is not told by a profile of something else', () => {
    expect(findRecordedProject(makeText('file:///x/y.js'))).toBeNull();
  });
});
