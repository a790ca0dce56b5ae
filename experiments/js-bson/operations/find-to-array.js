import { makeDriverOperation } from '../driver/operation.js';

/** As `find-many`, with the cursor's own loop. */
export const operation = makeDriverOperation({
  summary: 'MongoDB driver: find all documents, as an array',
  call: ({ collection }) => collection.find().toArray(),
  observe: ({ collection }) => collection.find().toArray(),
});
