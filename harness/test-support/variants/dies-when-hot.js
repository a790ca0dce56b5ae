/** Passes the check and kills its process once it has been called often. */
import { serialize as serializeRight } from 'bson';

export * from 'bson';

let calls = 0;

/** @param {object} document */
export function serialize(document) {
  calls += 1;
  if (calls > 1000) {
    process.stderr.write('dying now\n');
    process.kill(process.pid, 'SIGKILL');
  }
  return serializeRight(document);
}
