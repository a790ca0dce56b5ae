import { checkMoment, postComment, requireMarkerName, writeMarker } from './comment.js';

/** @import { PostedComment } from './comment.js' */

const OWN = { marker: 'default', runId: 'b', createdAt: '2025-06-12T10:00:00.000Z' };
const BODY = `${writeMarker(OWN)}\n\nfaster`;
const FUTURE = '2035-01-01T00:00:00.000Z';

/**
 * @param {string} id
 * @param {Partial<typeof OWN> | string} changes of the marker, or the whole body
 * @param {boolean} [viewerDidAuthor]
 * @returns {PostedComment}
 */
function makeComment(id, changes, viewerDidAuthor = true) {
  const body =
    typeof changes === 'string' ? changes : `${writeMarker({ ...OWN, ...changes })}\n\ntext`;
  return { id, url: `https://github.test/${id}`, body, viewerDidAuthor };
}

/** @param {PostedComment[]} existing */
const post = (existing) =>
  postComment(BODY, OWN, {
    list: async () => existing,
    read: async (id) => existing.find((comment) => comment.id === id) ?? null,
    create: async (body) => `created: ${body}`,
    edit: async (id, body) => `edited ${id}: ${body}`,
  });

const OLDER = makeComment('older', { createdAt: '2025-06-11T10:00:00.000Z' });
const OLDEST = makeComment('oldest', { createdAt: '2025-06-10T10:00:00.000Z' });
const NEWER = makeComment('newer', { createdAt: '2025-06-13T10:00:00.000Z' });

describe('a comment is created beside', () => {
  test.each([
    ['one without a marker', [makeComment('person', 'please merge')]],
    ['one that quotes a marker', [makeComment('quote', `> ${writeMarker(OWN)}`)]],
    ['a report by itself', [makeComment('report', '<!-- assay:run 20250612 -->')]],
    ['a marker without a time', [makeComment('x', '<!-- assay default 20250612 yesterday -->')]],
    ['one with another marker', [makeComment('other', { marker: 'node-22', createdAt: FUTURE })]],
    ['one by somebody else', [makeComment('foreign', { createdAt: FUTURE }, false)]],
  ])('%s', async (_, existing) => {
    expect(await post(existing)).toEqual({ url: `created: ${BODY}`, notes: [] });
  });
});

describe('the previous comment is edited', () => {
  test.each([
    ['of an older run', OLDER],
    ['of the same run', makeComment('same', {})],
    ['of a run of the same time with a lower name', makeComment('a', { runId: 'a' })],
    ['with line ends of another system', makeComment('crlf', BODY.replaceAll('\n', '\r\n'))],
  ])('%s', async (_, comment) => {
    expect(await post([comment])).toEqual({ url: `edited ${comment.id}: ${BODY}`, notes: [] });
  });

  test('if there are several, the newest of them, with a note on the others', async () => {
    expect(await post([OLDEST, OLDER])).toEqual({
      url: `edited older: ${BODY}`,
      notes: [`an older comment with the same marker was left unchanged: ${OLDEST.url}`],
    });
  });
});

test.each([
  ['a newer run', [NEWER, OLDER], /newer run, b of 2025-06-13T10:00:00\.000Z/],
  ['a run of the same time with a higher name', [makeComment('c', { runId: 'c' })], /newer run, c/],
])('the comment of %s is not edited', async (_, existing, message) => {
  await expect(post(existing)).rejects.toThrow(message);
});

describe('a marker', () => {
  const marker = { ...OWN, runId: '20250612-101502-bson@7.2.0-vs-linked-list' };

  test('is the hidden first line of a comment', () => {
    expect(writeMarker(marker)).toBe(
      '<!-- assay default 20250612-101502-bson@7.2.0-vs-linked-list 2025-06-12T10:00:00.000Z -->',
    );
  });

  test('of a hostile run can neither end the line nor imitate another marker', async () => {
    const runId = '--><img src=x>\n other 1';
    const line = writeMarker({ ...OWN, runId, createdAt: 'now -->' });
    expect(line).toMatch(/^<!-- assay default [\w.-]+ [\w.-]+ -->$/);
    expect(await post([makeComment('hostile', line)])).toMatchObject({
      url: expect.stringMatching(/^created/),
    });
    expect(writeMarker({ ...OWN, runId: 'x'.repeat(9999) }).length).toBeLessThan(400);
  });

  test.each([
    ['default', true],
    ['node-22.x', true],
    ['', false],
    ['two words', false],
    ['--', false],
    ['x'.repeat(65), false],
  ])('may be named %j: %p', (name, isValid) => {
    const check = expect(() => requireMarkerName(name));
    if (isValid) check.not.toThrow();
    else check.toThrow('is not a plain name');
  });
});

describe('the time of a run', () => {
  const nowMs = Date.parse('2025-06-12T10:15:02.417Z');

  test.each([
    ['2025-06-12T12:15:02.417+02:00', '2025-06-12T10:15:02.417Z'],
    ['2025-06-13T03:00:00Z', '2025-06-13T03:00:00.000Z'],
  ])('%s is written in UTC', (createdAt, utc) => {
    expect(checkMoment(createdAt, nowMs)).toBe(utc);
  });

  test.each(['9999-01-01T00:00:00.000Z', '2025-06-12T10:15:02 -->'])('%s is refused', (moment) => {
    expect(() => checkMoment(moment, nowMs)).toThrow(/cannot have been made at/);
  });
});
