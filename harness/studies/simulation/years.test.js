import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../../lib/errors.js';
import { callAssay } from '../../testing/support/project.js';
import { makeTestDirectory } from '../../testing/support/directories.js';
import { listParts, nameOfPart, playPart } from './years.js';

/** @import { YearPart } from '../../formats/types.ts' */

const SMALL = /** @type {const} */ ({ host: 'differing', cells: 2, count: 2 });
/** @type {YearPart} */
const CHANGED = { ...SMALL, kind: 'changed', size: 0.5, changed: 1, levels: [0.05, 1e-3] };

test('parts have different names, and more runs make them larger', () => {
  const parts = listParts(1000);
  expect(new Set(parts.map(nameOfPart)).size).toBe(parts.length);
  const counts = (/** @type {YearPart[]} */ of) => of.map(({ count }) => count);
  expect(counts(listParts(4000))).toEqual(counts(parts).map((count) => 4 * count));
});

test('a large change is an alert at once, at every level', () => {
  const { found } = playPart(CHANGED, 1);
  expect(found).toEqual([
    { level: 0.05, atMerge: 2, byNight: 2 },
    { level: 1e-3, atMerge: 2, byNight: 2 },
  ]);
  const delay = { ...CHANGED, kind: /** @type {const} */ ('delay'), mergesPerNight: 3 };
  expect(playPart(delay, 1).delays).toEqual([0, 0]);
});

test('a change that is no change is none, in series of points neither', () => {
  expect(playPart({ ...CHANGED, size: 0 }, 1).found?.[1]).toMatchObject({ byNight: 0 });
  const series = playPart({ ...SMALL, kind: 'series', points: 12 }, 1);
  expect(series.levels).toEqual([{ level: 0.05, confirmations: 0, alerts: 0 }]);
});

test('of merges that change nothing each is counted, the same with the same seed', () => {
  const unchanged = /** @type {YearPart} */ ({ ...SMALL, kind: 'unchanged', cells: 12 });
  const result = playPart(unchanged, 3);
  expect(result.suspected).toHaveLength(2);
  expect(result.confirmations).toHaveLength(2);
  expect(playPart(unchanged, 3)).toEqual(result);
});

const workingPath = makeTestDirectory('years');

test.each([
  ['{', /is not valid JSON/],
  ['{"seed":1,"runs":1000}', /is no simulation of years/],
  ['{"seed":2,"runs":1000,"parts":[]}', /is of --runs 1000 --seed 2/],
])('a file with %s is not continued', async (text, message) => {
  writeFileSync(join(workingPath, 'years.json'), text);
  const args = ['simulate', '--years', 'years.json'];
  const { status, stderr } = await callAssay(args, { workingPath });
  expect(status).toBe(EXIT.usage);
  expect(stderr).toMatch(message);
});
