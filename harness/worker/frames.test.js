import { decodeFrames, digestFrames, encodeFrames, isSameFrame } from './frames.js';

const TEXT = 'text';
const BYTES = Buffer.from(TEXT);

describe('frames', () => {
  test('hold bytes as they are, and anything else with its type', () => {
    const frames = decodeFrames(encodeFrames([BYTES, TEXT, 4, { a: [null] }]));
    expect(frames.map(({ kind, bytes }) => [kind, String(bytes)])).toEqual([
      ['bytes', TEXT],
      ['value', '(whole document)\tstring\t"text"'],
      ['value', '(whole document)\tnumber\t4'],
      ['value', '(whole document)\tobject\t\na\tarray\tlength 1\na[0]\tnull\t'],
    ]);
  });

  test('of bytes are those of earlier versions and of other programs', () => {
    expect([...encodeFrames([BYTES])]).toEqual([4, 0, 0, 0, ...BYTES]);
  });

  // TextDecoder of Node 23.4.0 returns such a Buffer in the place of a string.
  const UNEQUAL = /** @type {[string, unknown, unknown][]} */ ([
    ['string and bytes', TEXT, BYTES],
    ['string and object of one', TEXT, new String(TEXT)],
    ['digits and number', '4', 4],
    ['number and bigint', 4, 4n],
    ['null and its name', null, 'null'],
    ['number and digits in an object', { a: 1 }, { a: '1' }],
    ['object and proxy', { a: 1 }, new Proxy({ a: 1 }, {})],
    [
      'value and getter',
      { a: 1 },
      Object.defineProperty({}, 'a', { get: () => 1, enumerable: true }),
    ],
    ['object and frozen object', { a: 1 }, Object.freeze({ a: 1 })],
    ['array and object', [1], { 0: 1, length: 1 }],
    [
      'bytes and array with another length',
      BYTES,
      Object.defineProperty(Buffer.alloc(0), 'length', { value: 4 }),
    ],
    ['bytes and bytes that threads share', BYTES, new Uint8Array(new SharedArrayBuffer(4)).fill(1)],
    ['bytes and proxy', BYTES, new Proxy(BYTES, {})],
  ]);
  test.each(UNEQUAL.map(([what], index) => ({ what, index })))('of $what differ', ({ index }) => {
    const [, one, other] = UNEQUAL[index];
    expect(isSameFrame(one, other)).toBe(false);
    expect(digestFrames([one])).not.toBe(digestFrames([other]));
    expect(isSameFrame(other, other)).toBe(true);
  });

  test('of bytes are read from memory, whatever their properties say', () => {
    const bytes = Object.defineProperties(Buffer.from(TEXT), {
      length: { value: 1 },
      buffer: { value: new ArrayBuffer(9) },
      byteOffset: { value: 3 },
    });
    expect(isSameFrame(bytes, BYTES)).toBe(true);
  });

  test('that end too early are refused', () => {
    expect(() => decodeFrames(encodeFrames([BYTES]).subarray(0, 6))).toThrow(/frame 0 ends after/);
  });
});
