import { findRuntimeFault } from './check-runtime.js';

afterEach(() => void jest.restoreAllMocks());

test('the running Node treats text right', () => {
  expect(findRuntimeFault()).toBeNull();
});

test('a runtime whose optimized code writes UTF-8 wrongly is found', () => {
  let calls = 0;
  const { write } = Buffer.prototype;
  /** As Node 22.7.0. @this {Buffer} @param {any[]} rest */
  function writeLatin1(...rest) {
    return calls++ < 20_000 ? Reflect.apply(write, this, rest) : this.fill(0xe9).length;
  }
  jest.spyOn(Buffer.prototype, 'write').mockImplementation(writeLatin1);
  expect(findRuntimeFault()).toBe(
    "Buffer.write writes 'é' as e9e9 instead of c3a9 in UTF-8 once V8 has optimized it",
  );
});

test('a runtime whose TextDecoder returns bytes is found', () => {
  // As Node 23.4.0.
  const returnBytes = /** @type {any} */ ((/** @type {Uint8Array} */ bytes) => Buffer.from(bytes));
  jest.spyOn(TextDecoder.prototype, 'decode').mockImplementation(returnBytes);
  expect(findRuntimeFault()).toBe("TextDecoder('utf-8') decodes text as a value that is no string");
});
