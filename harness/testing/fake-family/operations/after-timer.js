import { setTimeout as sleep } from 'node:timers/promises';
import { makeAwaited } from './support/make-awaited.js';

export const operation = makeAwaited('reverse, a millisecond later', async (reverse) => {
  await sleep(1);
  return reverse();
});
