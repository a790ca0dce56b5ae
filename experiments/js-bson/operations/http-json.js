import { readFileSync } from 'node:fs';
import {
  encodeText,
  explainJsonDifference,
  formatPage,
  splitPages,
  takeExports,
} from './support/operation.js';
import { fetchBody, measureServer, openPageServer } from './support/server.js';
import { spotCheckPages } from '../../support/spot-check.js';
import { ByteVariations, findWrongResults } from '../../support/variations.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */
/** @import { Sample } from '../../support/variations.js' */

/**
 * @typedef {object} State
 * @property {(bytes: Uint8Array) => object} deserialize
 * @property {ByteVariations} variations
 * @property {Uint8Array[][]} pages of the documents of `variations`, one per request, in turn
 * @property {number} turn of the next round of pages
 * @property {string} last body, kept to prevent dead-code elimination
 * @property {number} lastPage its index
 * @property {Sample<string> | null} sample
 */

/**
 * The HTTP server of NODE-6246 (js-bson #703, "autocannon -c 30"), which wrote 100 000 documents of
 * a collection as JSON: here 100 per request, already read from the database. Throughput depends on
 * the load of the machine; the server's CPU time per request is stable.
 * @type {Operation<State>}
 */
export const operation = {
  summary: 'an HTTP server answers with 100 documents as JSON, under 30 connections',
  figure: 'server CPU time per request',
  packages: { autocannon: '8.0.0' },
  defaultCorpora: ['comments:100'],

  prepare(module, corpus) {
    const { deserialize } = takeExports(module, ['deserialize']);
    const variations = new ByteVariations(readFileSync(corpus.files.bytes));
    const pages = splitPages(variations.documents);
    return { deserialize, variations, pages, turn: 0, last: '', lastPage: 0, sample: null };
  },

  /** The server's work per request, without the server, for recorders. */
  run(state, passes) {
    const { pages } = state;
    const makeBody = openVariedPages(state);
    for (let request = 0; request < passes * pages.length; request++) makeBody();
  },

  async measure(state, { settings, packages }) {
    const { autocannon } = packages;
    if (autocannon === undefined) throw new Error("http-json was given no package 'autocannon'");
    const measurement = await measureServer(openVariedPages(state), {
      settings,
      documentsPerRequest: state.pages[0].length,
      autocannonPath: autocannon,
    });
    state.sample = { turn: state.turn - 1, results: [state.last] };
    return measurement;
  },

  spotCheck(state, chance) {
    return spotCheckPages(state, chance, (page) => formatPage(state.deserialize, page));
  },

  async output(state) {
    const { deserialize, variations, pages, lastPage, sample } = state;
    function formatSampled() {
      return formatPage(deserialize, pages[lastPage]);
    }
    const wrong = findWrongResults(sample, variations, formatSampled, encodeText);
    // A remembered body would differ from the original documents.
    operation.run(state, 2);
    const makeBody = openPages(state, function restore() {
      variations.restore();
    });
    const server = await openPageServer(makeBody);
    const bodies = [];
    try {
      while (bodies.length < pages.length) bodies.push(await fetchBody(server.url));
    } finally {
      await server.close();
    }
    return [...bodies, ...wrong];
  },

  explainDifference: explainJsonDifference,
};

/** @param {State} state */
function openVariedPages(state) {
  return openPages(state, function vary() {
    state.variations.apply(state.turn++);
  });
}

/**
 * @param {State} state
 * @param {() => void} startRound called before every first page
 * @returns {() => string} returns the body of the next page, and after the last that of the first again
 */
function openPages(state, startRound) {
  const { deserialize, pages } = state;
  let next = 0;
  return function makeBody() {
    if (next === 0) startRound();
    state.last = formatPage(deserialize, pages[next]);
    state.lastPage = next;
    next = (next + 1) % pages.length;
    return state.last;
  };
}
