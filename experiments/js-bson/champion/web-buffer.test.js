import { Buffer as WebBuffer } from './web-buffer.js';

const TEXTS = [
  ...['', 'ascii', 'é', 'a€', '\u{1f600}', '\ufeffmark', 'a\0b', '\ud800', 'a\udc00b'],
  'é€\u{1f600}'.repeat(100),
];
const BYTES = TEXTS.map((text) => Buffer.from(text));
const INVALID = ['ff', 'c3', 'e282', 'eda080', 'f0808080', '41c328'].map((hex) => {
  return Buffer.from(hex, 'hex');
});

test('writes text as Buffer does, also where there is no room for all of it', () => {
  for (const text of TEXTS) {
    const size = Buffer.byteLength(text);
    expect(WebBuffer.byteLength(text)).toBe(size);
    expect([...WebBuffer.from(text)]).toEqual([...Buffer.from(text)]);
    for (const room of [size + 3, size, Math.max(size - 1, 0), Math.max(size - 2, 0)]) {
      const [ours, theirs] = [WebBuffer.alloc(room + 2), Buffer.alloc(room + 2)];
      const end = 2 + theirs.write(text, 2);
      expect([2 + ours.utf8Write(text, 2), 2 + ours.write(text, 2)]).toEqual([end, end]);
      expect([...ours.subarray(0, end)]).toEqual([...theirs.subarray(0, end)]);
    }
  }
});

test('reads bytes as Buffer does, valid UTF-8 or not', () => {
  for (const bytes of [...BYTES, ...INVALID]) {
    const ours = WebBuffer.alloc(bytes.length + 2);
    ours.set(bytes, 1);
    const end = bytes.length + 1;
    expect(ours.utf8Slice(1, end)).toBe(bytes.toString());
    expect(ours.toString('utf8', 1, end)).toBe(bytes.toString());
  }
});

test('a view shares memory, and a copy does not', () => {
  const bytes = new Uint8Array([1, 2, 3, 4]);
  const view = /** @type {any} */ (WebBuffer.from(bytes.buffer, 1, 2));
  expect([WebBuffer.isBuffer(view), WebBuffer.isBuffer(bytes)]).toEqual([true, false]);
  view[0] = 9;
  expect([...bytes]).toEqual([1, 9, 3, 4]);
  const target = new Uint8Array(3);
  view.copy(target, 1, 0, 2);
  view[0] = 8;
  expect([...target]).toEqual([0, 9, 3]);
});

test('programs get plain arrays of bytes', () => {
  for (const result of [WebBuffer.alloc(4).subarray(1, 2), WebBuffer.allocUnsafe(1)]) {
    expect(Object.getPrototypeOf(result)).toBe(Uint8Array.prototype);
  }
});
