import { makeAwaited } from './support/make-awaited.js';

export const operation = makeAwaited('reverse, from an async generator', async function* (reverse) {
  const bytes = reverse();
  yield bytes.subarray(0, 1);
  yield bytes.subarray(1);
});
