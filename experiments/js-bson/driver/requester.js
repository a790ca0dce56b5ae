/**
 * A thread that sends HTTP requests for `http-find`, so that their CPU time is not part of the figure: for each message
 * `{ url, wantsBody }` it answers with the body, or with its length.
 */
import { Agent, get } from 'node:http';
import { parentPort } from 'node:worker_threads';

const agent = new Agent({ keepAlive: true });

parentPort?.on('message', ({ url, wantsBody }) => {
  get(url, { agent }, async (response) => {
    let body = '';
    for await (const text of response.setEncoding('utf8')) body += text;
    parentPort?.postMessage(wantsBody ? body : body.length);
  });
});
