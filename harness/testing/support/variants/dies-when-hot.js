/** Passes the check and kills its process once it has been called often. */
import { writeSync } from 'node:fs';
import { serialize as serializeRight } from 'bson';

export * from 'bson';

let calls = 0;

/**
 * @param {object} document
 * @param {object} [options]
 */
export function serialize(document, options) {
  calls += 1;
  if (calls > 1000) {
    writeSync(2, 'dying now\n');
    process.kill(process.pid, 'SIGKILL');
  }
  return serializeRight(document, options);
}
