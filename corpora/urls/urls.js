import { makeSeries } from '../support/random-values.js';
import { makeUrl } from './support/random-url.js';

/** @import { Corpus } from '../../harness/formats/types.ts' */

const SEED = 0x5eed_0041;
/** As in Node's published figures. */
const DEFAULT_COUNT = 100_000;
const NORMAL_COUNT = 10_000;

/**
 * Typical valid URLs for the family url-bridge, and the same in normal form, where each is its own
 * href. No host has upper-case letters, because Ada 1.0.1 to 2.0.0 does not lower-case Z; see
 * `urls-adversarial` for those.
 * @type {Corpus[]}
 */
export const corpora = [
  {
    name: 'urls',
    stresses: 'typical web URLs as written: a host, few ports, paths, queries, fragments',
    digest: 'sha256:1678b733569388b774640cb7bc7a2053662d1b83b03aade98115d066fcba61a6',
    defaultCount: DEFAULT_COUNT,
    documents: makeSeries(SEED, DEFAULT_COUNT, (random) => ({ href: makeUrl(random).written })),
  },
  {
    name: 'urls-normal',
    stresses: 'the corpus urls in normal form: parsing changes none of them',
    digest: 'sha256:6d0bd35e5ce3c95409eeae1a4b891a8a71da629d2107899d76a87387254e5f00',
    defaultCount: NORMAL_COUNT,
    documents: makeSeries(SEED, NORMAL_COUNT, (random) => ({ href: makeUrl(random).normal })),
  },
];
