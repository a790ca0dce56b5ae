import { readFileSync } from 'node:fs';
import { splitBsonDocuments } from '../../../corpora/support/document-files.js';
import { explainJsonDifference, formatPage, splitPages, takeExports } from './support/operation.js';
import { fetchBody, measureServer, openPageServer } from './support/server.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */

/**
 * @typedef {object} State
 * @property {(bytes: Uint8Array) => object} deserialize
 * @property {Uint8Array[][]} pages, one per request, in turn
 * @property {string} last body, kept to prevent dead-code elimination
 */

/**
 * The HTTP server of NODE-6246 (js-bson #703, "autocannon -c 30"), which wrote 100 000 documents of
 * a collection as JSON: here 100 per request, already read from the database. Throughput depends on
 * the load of the machine; the server's CPU time per request is stable.
 *
 * @type {Operation<State>}
 */
export const operation = {
  summary: 'an HTTP server answers with 100 documents as JSON, under 30 connections',
  figure: 'server CPU time per request',
  packages: { autocannon: '8.0.0' },
  defaultCorpora: ['comments:100'],

  prepare(module, corpus) {
    const { deserialize } = takeExports(module, ['deserialize']);
    const documents = [...splitBsonDocuments(readFileSync(corpus.files.bytes))];
    return { deserialize, pages: splitPages(documents), last: '' };
  },

  /** The server's work per request, without the server, for recorders. */
  run(state, passes) {
    const { pages } = state;
    const makeBody = openPages(state);
    for (let request = 0; request < passes * pages.length; request++) state.last = makeBody();
  },

  async measure(state, { settings, packages }) {
    const { autocannon } = packages;
    if (autocannon === undefined) throw new Error("http-json was given no package 'autocannon'");
    return measureServer(openPages(state), {
      settings,
      documentsPerRequest: state.pages[0].length,
      autocannonPath: autocannon,
    });
  },

  async output(state) {
    const server = await openPageServer(openPages(state));
    const bodies = [];
    try {
      while (bodies.length < state.pages.length) bodies.push(await fetchBody(server.url));
    } finally {
      await server.close();
    }
    return bodies;
  },

  explainDifference: explainJsonDifference,
};

/**
 * @param {State} state
 * @returns {() => string} returns the body of the next page, and after the last that of the first again
 */
function openPages({ deserialize, pages }) {
  let next = 0;
  return function makeBody() {
    const body = formatPage(deserialize, pages[next]);
    next = (next + 1) % pages.length;
    return body;
  };
}
