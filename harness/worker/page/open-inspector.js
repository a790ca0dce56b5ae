/** Replaces `harness/worker/open-inspector.js` in a page. */

import { askLater } from './ask.js';

/** @type {() => { post: (method: string, params?: object) => Promise<any>, close: () => void }} */
export function openInspector() {
  return {
    post: (method, params) => askLater('devtools', { method, params }),
    close() {},
  };
}
