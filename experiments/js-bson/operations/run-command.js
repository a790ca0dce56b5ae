import { makeDriverOperation } from '../driver/operation.js';

/** The drivers' benchmark "Run command" (NODE-7606). */
export const operation = makeDriverOperation({
  summary: 'MongoDB driver: run the command buildInfo',
  call: ({ db }) => db.command({ buildInfo: 1 }),
});
