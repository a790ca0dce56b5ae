import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import * as zlib from 'node:zlib';
import { measureSizes } from './measure-sizes.js';

test('the sizes of messages are those of each compressed on its own', () => {
  const messages = [Buffer.from('a'.repeat(1_000)), Buffer.from('a'.repeat(1_000)), Buffer.of(7)];
  const { messages: count, raw, gzip, brotli, zstd } = measureSizes(messages);
  expect({ count, raw }).toEqual({ count: 3, raw: 2_001 });
  const packed = messages.map((message) => [
    zlib.gzipSync(message),
    zlib.brotliCompressSync(message),
  ]);
  expect(packed.map(([gzipped]) => gunzipSync(gzipped))).toEqual(messages);
  expect(packed.map(([, brotlied]) => brotliDecompressSync(brotlied))).toEqual(messages);
  expect(gzip).toBe(packed.reduce((sum, [{ length }]) => sum + length, 0));
  expect(brotli).toBe(packed.reduce((sum, [, { length }]) => sum + length, 0));
  expect(zstd !== undefined).toBe('zstdCompressSync' in zlib);
});
