import { makeDriverOperation } from '../driver/operation.js';

/** The drivers' benchmark "Find many and empty the cursor" (NODE-7606), with the documents of the corpus. */
export const operation = makeDriverOperation({
  summary: 'MongoDB driver: find all documents, one by one from the cursor',
  async call({ collection }) {
    let last = null;
    for await (const document of collection.find()) last = document;
    return last;
  },
  observe: ({ collection }) => collection.find().toArray(),
});
