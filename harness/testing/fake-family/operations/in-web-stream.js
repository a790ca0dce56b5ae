import { makeAwaited } from './support/make-awaited.js';

export const operation = makeAwaited(
  'reverse, in a web stream',
  (reverse) =>
    new ReadableStream({
      pull(controller) {
        controller.enqueue(reverse());
        controller.close();
      },
    }),
);
