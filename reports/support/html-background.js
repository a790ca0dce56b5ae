/** What a stranger needs to judge a run: host and method. */

/** @import { Manifest, Verdict } from '../../harness/formats/types.ts' */
/** @import { Content } from '../document/markup.js' */

import { factList, pageSection } from './html-blocks.js';
import { markup } from '../document/markup.js';
import { listHosts, listMethodSentences } from './run-facts.js';

/**
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {Content}
 */
export function hostPart(manifest, verdict) {
  const hosts = listHosts(manifest, verdict);
  return pageSection(
    'host',
    hosts.length === 1 ? 'Host' : 'Hosts',
    hosts.flatMap(({ title, facts }) => [
      title === null ? null : markup`<h3>${title}</h3>`,
      factList(facts),
    ]),
  );
}

/**
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {Content}
 */
export function methodPart(manifest, verdict) {
  const sentences = listMethodSentences(manifest, verdict);
  return pageSection(
    'method',
    'Method',
    sentences.map((sentence) => markup`<p>${sentence}</p>`),
  );
}
