import { once } from 'node:events';
import { createServer } from 'node:http';

/** @import { AddressInfo } from 'node:net' */

/**
 * @typedef {object} PageServer
 * @property {string} url
 * @property {() => Promise<void>} close ends open connections too
 */

/**
 * @typedef {object} Listeners
 * @property {() => void} onAnswer called after each answer
 * @property {(error: unknown) => void} onFailure called with what `makeBody` threw
 */

/**
 * Opens an HTTP server on this machine alone, at a free port, that answers every request with a body
 * made for it; with status 500 and the error where that fails.
 *
 * @param {() => string} makeBody JSON
 * @param {Partial<Listeners>} [listeners]
 * @returns {Promise<PageServer>}
 */
export async function openPageServer(makeBody, { onAnswer = ignore, onFailure = ignore } = {}) {
  const server = createServer(function answerRequest(_request, response) {
    let body;
    try {
      body = makeBody();
    } catch (error) {
      response.writeHead(500).end(String(error));
      onFailure(error);
      return;
    }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
    onAnswer();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Asks the server for one body.
 *
 * @param {string} url
 * @returns {Promise<Buffer>}
 * @throws {Error} with the text of the response, if it is not a body
 */
export async function fetchBody(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(await response.text());
  return Buffer.from(await response.arrayBuffer());
}

function ignore() {}
