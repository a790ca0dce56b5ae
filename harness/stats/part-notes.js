import { countOf } from '../lib/numbers.js';

/** @import { Environment, RunPart } from '../formats/types.ts' */
/** @import { Note } from './list-places.js' */

/**
 * A note where the parts of a merged run were measured on machines that are not alike.
 *
 * @param {RunPart[]} parts
 * @returns {Note[]} one note, or none
 */
export function noteSeveralHosts(parts) {
  /** @type {Map<string, number[]>} */
  const hosts = new Map();
  for (const { shard, environment } of parts) {
    const host = describeHost(environment);
    hosts.set(host, [...(hosts.get(host) ?? []), shard]);
  }
  if (hosts.size < 2) return [];
  const places = [...hosts].map(([host, shards]) => `${listParts(shards)}: ${host}`);
  const text = `Measured on ${hosts.size} kinds of machine: ${places.join('; ')}. Both sides of a cell always ran on one of them, so every ratio holds there; times of cells from different parts cannot be held against each other, and a mean over cells is one over machines too.`;
  return [{ kind: 'several-hosts', text }];
}

/**
 * What is to be said of the machines of single parts, one note a kind.
 *
 * @param {RunPart[]} parts
 * @param {(part: RunPart) => Note[]} look
 * @returns {Note[]}
 */
export function noteParts(parts, look) {
  /** @type {Map<string, string[]>} */
  const texts = new Map();
  for (const part of parts) {
    for (const { kind, text } of look(part)) {
      const told = `${listParts([part.shard])}: ${text[0].toLowerCase()}${text.slice(1)}`;
      texts.set(kind, [...(texts.get(kind) ?? []), told]);
    }
  }
  return [...texts].map(([kind, told]) => ({ kind, text: told.join(' ') }));
}

/** @param {number[]} shards */
function listParts(shards) {
  return `${shards.length === 1 ? 'Part' : 'Parts'} ${shards.join(', ')}`;
}

/**
 * @param {Environment} environment
 * @returns {string} what decides how fast a machine is; machines that agree in it count as one
 */
export function describeHost({ cpuModel, cpuCount, memoryBytes, kernel, node }) {
  const memory = `${(memoryBytes / 2 ** 30).toFixed(1)} GiB`;
  return `${cpuModel}, ${countOf(cpuCount, 'CPU')}, ${memory}, kernel ${kernel}, Node ${node}`;
}
