import { describe, expect, test } from '@jest/globals';
import {
  checkMoment,
  chooseComment,
  compareAge,
  isMarkerName,
  readMarker,
  writeMarker,
} from './comment.js';

const OWN = { marker: 'default', runId: 'b', createdAt: '2025-06-12T10:00:00.000Z' };

/**
 * @param {string} id
 * @param {Partial<typeof OWN>} changes of the marker
 * @param {boolean} [viewerDidAuthor]
 */
function makeComment(id, changes, viewerDidAuthor = true) {
  const body = `${writeMarker({ ...OWN, ...changes })}\n\ntext`;
  return { id, url: `https://github.test/${id}`, body, viewerDidAuthor };
}

const OLDER = makeComment('older', { createdAt: '2025-06-11T10:00:00.000Z' });
const OLDEST = makeComment('oldest', { createdAt: '2025-06-10T10:00:00.000Z' });
const NEWER = makeComment('newer', { createdAt: '2025-06-13T10:00:00.000Z' });

test('without a previous comment a new one is created', () => {
  const person = { ...OLDER, body: 'please merge' };
  expect(chooseComment([person], OWN)).toEqual({ action: 'create' });
});

test('the newest of the previous comments is edited, and the others are listed', () => {
  expect(chooseComment([OLDEST, OLDER], OWN)).toEqual({
    action: 'edit',
    comment: OLDER,
    duplicates: [OLDEST],
  });
});

test('the same run may be posted again', () => {
  const same = makeComment('same', {});
  expect(chooseComment([same], OWN)).toMatchObject({ action: 'edit', comment: same });
});

test('the comment of a newer run is not edited, wherever it is', () => {
  expect(chooseComment([NEWER, OLDER], OWN)).toMatchObject({
    action: 'refuse',
    comment: NEWER,
    newer: { runId: 'b', createdAt: '2025-06-13T10:00:00.000Z' },
  });
});

test('of two runs of the same time the name decides', () => {
  expect(chooseComment([makeComment('c', { runId: 'c' })], OWN).action).toBe('refuse');
  expect(chooseComment([makeComment('a', { runId: 'a' })], OWN).action).toBe('edit');
});

test('comments with other markers and by other people are ignored', () => {
  const foreign = makeComment('foreign', { createdAt: '2035-01-01T00:00:00.000Z' }, false);
  const other = makeComment('other', { marker: 'node-22', createdAt: '2035-01-01T00:00:00.000Z' });
  expect(chooseComment([foreign, other], OWN)).toEqual({ action: 'create' });
});

const MARKER = {
  marker: 'default',
  runId: '20250612-101502-bson@7.2.0-vs-linked-list',
  createdAt: '2025-06-12T10:15:02.417Z',
};

test('a marker is read back, whatever follows it', () => {
  const line = writeMarker(MARKER);
  expect(line).toBe(
    '<!-- assay default 20250612-101502-bson@7.2.0-vs-linked-list 2025-06-12T10:15:02.417Z -->',
  );
  expect(readMarker(`${line}\n\n**faster**`)).toEqual(MARKER);
  expect(readMarker(`${line}\r\n\r\n**faster**`)).toEqual(MARKER);
});

test('a hostile run can neither end the line nor imitate another marker', () => {
  const line = writeMarker({ ...MARKER, runId: '--><img src=x>\n other 1', createdAt: 'now -->' });
  expect(line).toMatch(/^<!-- assay default [\w.-]+ [\w.-]+ -->$/);
  expect(readMarker(line)).toBeNull();
  expect(writeMarker({ ...MARKER, runId: 'x'.repeat(9999) }).length).toBeLessThan(400);
});

test.each([
  ['of a person', 'looks good'],
  ['that quotes one', `> ${writeMarker(MARKER)}`],
  ['of a report on its own', '<!-- assay:run 20250612 -->'],
  ['without a time', '<!-- assay default 20250612 yesterday -->'],
])('a comment %s is not taken for one', (_, body) => {
  expect(readMarker(body)).toBeNull();
});

describe('age', () => {
  test('is by the time of the run, then by its name', () => {
    const later = { ...MARKER, createdAt: '2025-06-12T10:15:02.418Z' };
    expect(compareAge(later, MARKER)).toBeGreaterThan(0);
    expect(compareAge(MARKER, later)).toBeLessThan(0);
    expect(compareAge({ ...MARKER, runId: '3' }, MARKER)).toBeGreaterThan(0);
    expect(compareAge(MARKER, { ...MARKER })).toBe(0);
  });
});

test.each([
  ['default', true],
  ['node-22.x', true],
  ['', false],
  ['two words', false],
  ['--', false],
  ['x'.repeat(65), false],
])('%j as the name of a marker: %p', (name, isOne) => {
  expect(isMarkerName(name)).toBe(isOne);
});

const MOMENT = '2025-06-12T10:15:02.417Z';

test('the time of a run can be read back', () => {
  const nowMs = Date.parse(MOMENT);
  expect(checkMoment('2025-06-12T12:15:02.417+02:00', nowMs)).toBe(MOMENT);
  expect(checkMoment('2025-06-13T03:00:00Z', nowMs)).toBe('2025-06-13T03:00:00.000Z');
});

test.each(['9999-01-01T00:00:00.000Z', '2025-06-12T10:15:02 -->'])(
  'a run of %s would hold its comment for ever',
  (createdAt) => {
    expect(() => checkMoment(createdAt, Date.parse(MOMENT))).toThrow(/cannot have been made at/);
  },
);
