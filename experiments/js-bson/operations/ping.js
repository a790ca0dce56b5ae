import { makeDriverOperation } from '../driver/operation.js';

/** The drivers' benchmark "Run command" (NODE-7606) with the least a server can be asked. */
export const operation = makeDriverOperation({
  summary: 'MongoDB driver: run the command ping',
  call: ({ db }) => db.command({ ping: 1 }),
});
