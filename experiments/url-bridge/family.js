/** @import { Family } from '../../harness/formats/types.ts' */

/** @type {Family} */
export const family = {
  name: 'url-bridge',
  summary: 'how a parsed URL gets from C++ to JavaScript, behind the interface of the class URL',
  // Newer versions do not support Node 19, with which the comparison starts.
  reference: 'npm:whatwg-url@14.2.0',
  packages: ['whatwg-url'],
  defaultOperations: ['construct', 'construct-href'],
  defaultCorpora: ['urls:10000'],
  takesCorpus: ({ firstDocument: { href, ...others } }) =>
    typeof href === 'string' && Object.keys(others).length === 0,
  // Short batches, because a reading of the reference loop shows only what is near. A pass over 10 000 URLs
  // takes 2–20 ms.
  settings: { warmUpMs: 400, warmUpCalls: 300_000, maxWarmUpMs: 3000, batchCount: 24, batchMs: 10 },
  // For 100 000 URLs, as in the claims.
  processMs: 2200,
};
