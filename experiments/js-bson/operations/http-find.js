import { once } from 'node:events';
import { createServer } from 'node:http';
import { Worker } from 'node:worker_threads';
import { makeDriverOperation, storeDocuments } from '../driver/operation.js';

/** The application of NODE-6246 with its database: each request reads documents and sends them as JSON. */
export const operation = makeDriverOperation({
  summary: 'MongoDB driver: an HTTP server reads 100 documents and answers with them as JSON',

  async start(context) {
    await storeDocuments(context);
    const { collection } = context;
    const server = createServer(async function answer(_request, response) {
      const documents = await collection.find().limit(100).toArray();
      response.setHeader('content-type', 'application/json').end(JSON.stringify(documents));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    const requester = new Worker(new URL('../driver/requester.js', import.meta.url));
    context.get = async (wantsBody) => {
      requester.postMessage({ url: `http://127.0.0.1:${port}/`, wantsBody });
      return (await once(requester, 'message'))[0];
    };
  },

  call: ({ get }) => get(false),
  observe: async ({ get }) => [await get(true)],
});
