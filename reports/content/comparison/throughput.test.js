import { recordedRun } from '../../fixtures/runs.js';
import { writeSection } from '../../document/markdown.js';
import { makePercentilesSection, makeThroughputSection } from './throughput.js';

/** @param {string} name */
function sectionsOf(name) {
  const { manifest, verdict } = recordedRun(name);
  return [makeThroughputSection(manifest, verdict), makePercentilesSection(manifest, verdict)];
}

test('each variant has a row; what is unknown has no figure', () => {
  const [throughput, percentiles] = sectionsOf('calibrated').map(writeSection);
  expect(throughput).toMatch(/generator.*28.401.*199/);
  expect(throughput).toMatch(/linked-list.*28.282.*198/);
  expect(percentiles).toMatch(/generator.*35\.1.µs.*91\.3.µs.*67\.4.µs–99\.8.µs.*860.µs/);
  expect(percentiles).toMatch(/linked-list.*35\.2.µs.*–.*–.*495.µs/);
  expect(percentiles).toMatch(/310.*85\.6.µs \| – \| – \| 2\.68.ms \| –/);
});

test('calls that were timed in groups are named with the documents of a group', () => {
  const percentiles = writeSection(sectionsOf('calibrated')[1]);
  expect(percentiles).toMatch(/Timed in groups.*serialize flat 2\./);
});

test('a run without them has no section', () => {
  expect(sectionsOf('faster').map(({ blocks }) => blocks)).toEqual([[], []]);
});
