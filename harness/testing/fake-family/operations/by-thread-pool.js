import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import { makeAwaited } from './support/make-awaited.js';

const compress = promisify(deflateRaw);

export const operation = makeAwaited('reverse, compressed by another thread', (reverse) =>
  compress(reverse()),
);
