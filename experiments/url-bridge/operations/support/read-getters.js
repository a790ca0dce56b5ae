/** @import { Parts, UrlObject } from '../../bridge/types.ts' */

/**
 * Reads the first getters of a URL, in the order in which programs typically need them: for routing
 * in a server, for connecting in a client, the rest. Each part is kept in its own property, to
 * prevent dead-code elimination.
 *
 * @param {number} count 0 to 10
 * @returns {(url: UrlObject, kept: Partial<Parts>) => void}
 */
export function makeGettersReader(count) {
  return function readGetters(url, kept) {
    if (count > 0) kept.pathname = url.pathname;
    if (count > 1) kept.search = url.search;
    if (count > 2) kept.hostname = url.hostname;
    if (count > 3) kept.protocol = url.protocol;
    if (count > 4) kept.port = url.port;
    if (count > 5) kept.href = url.href;
    if (count > 6) kept.origin = url.origin;
    if (count > 7) kept.hash = url.hash;
    if (count > 8) kept.username = url.username;
    if (count > 9) kept.password = url.password;
  };
}
