import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readDocument } from '../../formats/read-document.js';
import { writeWhole } from '../../lib/write-whole.js';

/** @import { PeersComparison } from '../../formats/types.ts' */

const FILE = 'peers.json';
/** Of its files, for messages. @type {Readonly<import('../../lib/write-whole.js').Owner>} */
export const PEERS_OWNER = Object.freeze({
  name: 'the comparison of tools',
  resume: 'go on with: just calibrate --resume DIR',
});
/** For messages when it is gone on with. */
export const PEERS_BEGUN = Object.freeze({
  name: 'the comparison of tools',
  again: 'a new one with: just calibrate --peers',
});
const REMEDY = 'restore the file from a copy, or hold the tools against each other again';

/**
 * @param {string} path absolute
 * @returns {boolean} whether it is the directory of a comparison of benchmark tools
 */
export function isPeersComparison(path) {
  return existsSync(join(path, FILE));
}

/**
 * @param {string} path of its directory
 * @param {PeersComparison} peers
 * @throws {import('../../lib/errors.js').MachineError} when it cannot be written
 */
export function writePeers(path, peers) {
  writeWhole(join(path, FILE), `${JSON.stringify(peers)}\n`, PEERS_OWNER);
}

/**
 * @param {string} path directory of a comparison of benchmark tools
 * @returns {Promise<PeersComparison>}
 * @throws {import('../../lib/errors.js').FormatError} when the file is broken or of another format version
 */
export async function readPeers(path) {
  return /** @type {PeersComparison} */ (await readDocument(join(path, FILE), 'peers', REMEDY));
}
