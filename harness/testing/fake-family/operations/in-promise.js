import { makeAwaited } from './support/make-awaited.js';

export const operation = makeAwaited('reverse, in a promise', async (reverse) => reverse());
