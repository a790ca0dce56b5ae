import { expect, test } from '@jest/globals';
import { formatProfile } from './terminal-profile.js';

const TERMINAL = { width: 80, color: false };

/**
 * @param {string} file that the recorder left
 * @returns {string}
 */
function profileWith(file) {
  const observation =
    /** @type {import('../../harness/formats/types.ts').ProfileObservationDone} */ ({
      cellId: 'serialize flat',
      recorder: 'perf',
      outcome: 'done',
      artefacts: [file],
    });
  const recorded = [{ observation, profile: null, functions: [] }];
  return formatProfile({ spec: 'a', path: 'reports/runs/x', recorded }, TERMINAL);
}

test.each([
  ['a.cpuprofile', /Chrome DevTools and speedscope open a \.cpuprofile file/],
  ['a.heapprofile', /Chrome DevTools and speedscope open a \.heapprofile file/],
  ['a.speedscope.json', /speedscope opens a \.speedscope\.json file/],
])('tells what opens %s, and nothing of files that are not there', (file, viewer) => {
  const text = profileWith(file);
  expect(text).toMatch(viewer);
  expect(text.match(/opens? a /g)).toHaveLength(1);
});

test('tells of no viewer where there is nothing to view', () => {
  expect(profileWith('a.json')).not.toMatch(/opens? a /);
});
