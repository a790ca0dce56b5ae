import { ObjectId, serialize } from 'bson';
import { blankGeneratedIds } from './generated-ids.js';

/** @param {number} counter @param {{ process?: string, seconds?: number }} [changes] */
function makeId(counter, { process = '0102030405', seconds = Math.floor(Date.now() / 1000) } = {}) {
  const parts = [seconds.toString(16), process, counter.toString(16).padStart(6, '0')];
  return new ObjectId(parts.join(''));
}

/** @param {() => unknown[]} makeIds */
function blank(makeIds) {
  return blankGeneratedIds(() => makeIds().map((_id) => serialize({ _id, rest: 'kept' })));
}

describe('blankGeneratedIds', () => {
  test('replaces consecutive ids by zeros, also where the counter wraps', () => {
    const zeros = serialize({ _id: new ObjectId('0'.repeat(24)), rest: 'kept' });
    for (const counters of [
      [5, 6, 7],
      [0xfffffd, 0xfffffe, 0],
      [0xfffffe, 0xffffff, 0],
    ]) {
      const documents = blank(() => counters.map((counter) => makeId(counter)));
      expect(documents).toEqual(counters.map(() => Buffer.from(zeros)));
    }
  });

  test('does not change the documents', () => {
    const document = serialize({ _id: makeId(1) });
    const before = Buffer.from(document);
    blankGeneratedIds(() => [document]);
    expect(before.equals(document)).toBe(true);
  });

  test.each([
    ['has the same counter', () => [makeId(5), makeId(5)], /document 1, .* counter '5 then 5'/],
    ['counts down', () => [makeId(5), makeId(4)], /document 1, .* counter '5 then 4'/],
    ['wraps too early', () => [makeId(5), makeId(0)], /document 1, .* counter '5 then 0'/],
    [
      'is of another process',
      () => [makeId(5), makeId(6, { process: '0102030406' })],
      /document 1, .* process 'another'/,
    ],
    ['is of another time', () => [makeId(5, { seconds: 0x65000000 })], /document 0, .* seconds/],
    ['is a string', () => ['0'.repeat(24)], /document 0 does not begin with an ObjectId/],
  ])('rejects an id that %s', (_what, makeIds, message) => {
    expect(() => blank(makeIds)).toThrow(message);
  });
});
