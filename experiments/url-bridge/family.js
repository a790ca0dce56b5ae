/** @import { Family } from '../../harness/formats/types.ts' */

/** @type {Family} */
export const family = {
  name: 'url-bridge',
  summary: 'how a parsed URL gets from C++ to JavaScript, behind the interface of the class URL',
  // Newer versions do not promise to run under Node 19, where the story begins.
  reference: 'npm:whatwg-url@14.2.0',
  packages: ['whatwg-url'],
  defaultOperations: ['construct', 'construct-href'],
  defaultCorpora: ['urls:10000'],
  takesCorpus: ({ firstDocument: { href, ...others } }) =>
    typeof href === 'string' && Object.keys(others).length === 0,
  // A pass over 100 000 URLs takes 20–200 ms, so these are a warm-up and batches of a few passes.
  settings: { warmUpMs: 400, warmUpCalls: 300_000, maxWarmUpMs: 3000, batchCount: 3, batchMs: 100 },
  // With 100 000 URLs, which the claims are about.
  processMs: 1400,
};
