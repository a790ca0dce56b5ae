import { Readable } from 'node:stream';
import { makeAwaited } from './support/make-awaited.js';

export const operation = makeAwaited('reverse, in a stream of Node', (reverse) =>
  Readable.from([reverse()]),
);
