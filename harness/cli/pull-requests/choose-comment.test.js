import { expect, test } from '@jest/globals';
import { chooseComment } from './choose-comment.js';
import { writeMarker } from './comment-marker.js';

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

test('without an earlier comment a new one is written', () => {
  const person = { ...OLDER, body: 'please merge' };
  expect(chooseComment([person], OWN)).toEqual({ action: 'create' });
});

test('the newest of the earlier ones is edited, and the others are told', () => {
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

test('the comment of a newer run is left alone, wherever it stands', () => {
  expect(chooseComment([NEWER, OLDER], OWN)).toMatchObject({
    action: 'refuse',
    comment: NEWER,
    newer: { runId: 'b', createdAt: '2025-06-13T10:00:00.000Z' },
  });
});

test('of two runs of one moment the name decides', () => {
  expect(chooseComment([makeComment('c', { runId: 'c' })], OWN).action).toBe('refuse');
  expect(chooseComment([makeComment('a', { runId: 'a' })], OWN).action).toBe('edit');
});

test('comments of other markers and of other people do not count', () => {
  const foreign = makeComment('foreign', { createdAt: '2035-01-01T00:00:00.000Z' }, false);
  const other = makeComment('other', { marker: 'node-22', createdAt: '2035-01-01T00:00:00.000Z' });
  expect(chooseComment([foreign, other], OWN)).toEqual({ action: 'create' });
});
