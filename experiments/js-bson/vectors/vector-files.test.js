import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FormatError } from '../../../harness/lib/errors.js';
import { makeTestDirectory } from '../../../harness/testing/support/directories.js';
import { loadVectors, parseVectorFile } from './vector-files.js';

const VALID = { name: 'one', kind: 'valid', bson: '05000000 00', extendedJson: {} };

/** @type {(vector: object) => string} */
function fileWith(vector) {
  return JSON.stringify({ type: 'x', typeByte: null, summary: 'x', vectors: [vector] });
}

describe('parseVectorFile', () => {
  test('returns bytes, options and expected outcomes', () => {
    const vector = { ...VALID, relaxed: { a: 1 }, options: { index: 1 }, note: 'odd' };
    expect(parseVectorFile(fileWith(vector), 'x.json').vectors).toEqual([
      {
        name: 'one',
        kind: 'valid',
        bytes: Uint8Array.of(5, 0, 0, 0, 0),
        options: { index: 1 },
        extendedJson: '{}',
        relaxedJson: '{"a":1}',
        jsonIsLossy: false,
        reencoded: Uint8Array.of(5, 0, 0, 0, 0),
        refusedBy: [],
      },
    ]);
  });

  test.each([
    ['{', 'x.json: not valid JSON'],
    ['null', 'x.json: "type" must be a string'],
    ['{"type":"x","summary":"x"}', 'x.json: "typeByte" must be two hex digits or null'],
    ['{"type":"x","summary":"x","typeByte":"08"}', 'x.json: "vectors" must be an array'],
    [fileWith({}), 'x.json, vector 1: "name" must be a string'],
    [
      fileWith({ ...VALID, kind: 'good' }),
      '("one"): "kind" must be one of valid, degenerate, decode-error',
    ],
    [fileWith({ ...VALID, bson: '0500 0' }), '"bson" must be pairs of lower-case hex digits'],
    [fileWith({ ...VALID, bson: 5 }), '"bson" must be pairs of lower-case hex digits'],
    [fileWith({ ...VALID, kind: 'degenerate' }), '"reencoded" is missing'],
    [
      fileWith({ ...VALID, kind: 'decode-error' }),
      '"extendedJson" is not a field of this kind of vector',
    ],
    [fileWith({ ...VALID, options: 3 }), '"options" must be an object'],
    [fileWith({ ...VALID, note: 3 }), '"note" must be a string'],
    [
      fileWith({ name: 'e', kind: 'decode-error', bson: '', readings: ['raw'] }),
      '"readings" must be an array',
    ],
    [
      fileWith({ name: 'd', kind: 'degenerate', bson: '05', reencoded: '0 5' }),
      '"reencoded" must differ from "bson"',
    ],
    [
      JSON.stringify({ ...JSON.parse(fileWith(VALID)), vectors: [VALID, VALID] }),
      'x.json, vector 2: another vector has the name "one"',
    ],
  ])('rejects %s with place and reason', (text, message) => {
    const parse = () => parseVectorFile(text, 'x.json');
    expect(parse).toThrow(FormatError);
    expect(parse).toThrow(message);
  });
});

const folder = makeTestDirectory('vectors');

test('loadVectors reads the JSON files of a folder, sorted by name', () => {
  for (const name of ['b.json', 'a.json']) writeFileSync(join(folder, name), fileWith(VALID));
  writeFileSync(join(folder, 'README.md'), 'no JSON');
  const two = { ...JSON.parse(fileWith(VALID)), type: 'first' };
  writeFileSync(join(folder, 'a.json'), JSON.stringify(two));
  expect(loadVectors(folder).map(({ type }) => type)).toEqual(['first', 'x']);
});
