/** @import { Family } from '../../harness/formats/types.ts' */

/** Where the decoded bytes are. */
export const BUFFERS = ['heap', 'direct', 'netty-direct', 'netty-composite'];
/** How the end of a name is found. */
export const SCANS = ['relative', 'absolute', 'swar'];
/** How a string is made from bytes. */
export const STRINGS = ['copy', 'view', 'scratch'];

/** @type {Family} */
export const family = {
  name: 'java-decode',
  summary: 'BSON to documents in Java, with the reader of the MongoDB driver on different buffers',
  reference: '5.14.0',
  packages: [],
  registries: { maven: ['org.mongodb:bson'] },
  defaultOperations: ['decode'],
  defaultCorpora: ['flat', 'deep', 'full'],
  axes: [
    { name: 'buffer', summary: 'where the bytes are', values: BUFFERS },
    { name: 'scan', summary: 'how the end of a name is found', values: SCANS },
    { name: 'string', summary: 'how a string is made from bytes', values: STRINGS },
  ],
  // The optimising compiler of the JVM runs concurrently: on a busy machine with two cores it
  // had compiled all of the loop after 0.8 s, with a composite buffer of Netty's after 1.5 s.
  // Beside such a warm-up, more batches cost little.
  settings: { warmUpMs: 1500, warmUpCalls: 5000, maxWarmUpMs: 3000, batchCount: 40, batchMs: 5 },
  processMs: 2200,
  memory: ['allocation', 'collections'],
};
