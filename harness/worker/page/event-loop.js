/** Replaces `harness/worker/event-loop.js` in a page, whose event loop nobody can read. */

throw new Error('asynchronous operations cannot be measured in a browser; choose another runtime');
