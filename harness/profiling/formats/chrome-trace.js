/**
 * The CPU profiles in a trace of Chrome: a recording of the Performance panel of DevTools, or what
 * `node --cpu-prof --trace-event-categories disabled-by-default-v8.cpu_profiler` writes. V8 writes a profile there in
 * pieces: an event `Profile`, then events `ProfileChunk` with the nodes and samples that came since the one before.
 */

import { FormatError } from '../../lib/errors.js';
import { importCpuProfile } from './v8-profiles.js';

/** @import { Remarks } from './remarks.js' */
/** @import { FoundProfile } from './speedscope.js' */

/** @typedef {Record<string, any>} Event of a trace; nothing is known of its fields */

/**
 * Pieces of one profile.
 *
 * @typedef {object} Pieces
 * @property {Event | null} start the event `Profile`
 * @property {Event[]} chunks
 */

/**
 * @param {unknown} json an object with `traceEvents`, or a list of events
 * @param {object} origin
 * @param {string} origin.source for messages
 * @param {string} origin.projectPath absolute; file names are relative to it
 * @param {Remarks} origin.remarks
 * @returns {{ profiles: FoundProfile[], active: number }} of each thread that was profiled; `active`: with most samples
 * @throws {FormatError} when it has none
 */
export function openChromeTrace(json, { source, projectPath, remarks }) {
  const listed = Array.isArray(json) ? json : Object(json).traceEvents;
  const events = /** @type {Event[]} */ (
    Array.isArray(listed) ? listed.filter((event) => typeof event?.name === 'string') : []
  );
  const found = [...groupPieces(events)].filter(([, { chunks }]) => chunks.length > 0);
  if (found.length === 0) {
    throw new FormatError(`${source} is a trace of Chrome or another list without a CPU profile`, {
      remedy:
        'record with JavaScript samples: the Performance panel of DevTools, or node --cpu-prof, which writes a .cpuprofile',
    });
  }
  const joined = found.map(([key, pieces]) => ({ key, cpuProfile: joinPieces(pieces, remarks) }));
  const sizes = joined.map(({ cpuProfile }) => cpuProfile.samples.length);
  const names = nameThreads(events);
  return {
    profiles: joined.map(({ key, cpuProfile }, index) => ({
      name: names.get(threadOf(found[index][1])) ?? `profile ${key}`,
      read: () => importCpuProfile(cpuProfile, projectPath, remarks),
    })),
    active: sizes.indexOf(Math.max(...sizes)),
  };
}

/** @param {Event[]} events @returns {Map<string, Pieces>} by process and identity of the profile */
function groupPieces(events) {
  /** @type {Map<string, Pieces>} */
  const pieces = new Map();
  for (const event of events) {
    if (event.name !== 'Profile' && event.name !== 'ProfileChunk') continue;
    const key = `${event.pid} ${event.id}`;
    const own = pieces.get(key) ?? { start: null, chunks: [] };
    pieces.set(key, own);
    if (event.name === 'Profile') own.start = event;
    else own.chunks.push(event);
  }
  // Threads write into buffers of their own, so events are not in order.
  for (const { chunks } of pieces.values()) {
    if (chunks.every(({ ts }) => Number.isFinite(ts))) chunks.sort((a, b) => a.ts - b.ts);
  }
  return pieces;
}

/** @param {Pieces} pieces @returns {string} */
function threadOf({ start, chunks }) {
  const { pid, tid } = start ?? chunks[0];
  return `${pid} ${tid}`;
}

/** @param {Event[]} events @returns {Map<string, string>} names of threads by process and thread */
function nameThreads(events) {
  const named = events.filter(
    ({ name, args }) => name === 'thread_name' && typeof args?.name === 'string',
  );
  return new Map(named.map(({ pid, tid, args }) => [`${pid} ${tid}`, args.name]));
}

/**
 * @param {Pieces} pieces
 * @param {Remarks} remarks
 * @returns {{ nodes: unknown[], samples: unknown[], timeDeltas: unknown[], startTime: unknown, endTime: unknown }} what
 *   `importCpuProfile` checks and reads
 */
function joinPieces({ start, chunks }, remarks) {
  const data = chunks.map(({ args }) => Object(args?.data));
  const nodes = data.flatMap(({ cpuProfile }) => listOf(cpuProfile?.nodes));
  const samples = data.flatMap(({ cpuProfile }) => listOf(cpuProfile?.samples));
  const timeDeltas = data.flatMap((each) => listOf(each.timeDeltas));
  /** @type {Map<unknown, unknown[]>} */
  const children = new Map();
  for (const node of nodes) {
    const { id, parent } = Object(node);
    if (parent === undefined) continue;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [id]);
    else siblings.push(id);
  }
  if (start === null) remarks.add('the start of the recording is missing: it was cut off');
  const startTime = start?.args?.data?.startTime ?? start?.ts ?? chunks[0].ts;
  const lasted = sumOf(timeDeltas);
  // Without an end the last sample lasts as long as the mean of the others.
  const endTime =
    data.findLast((each) => each.endTime !== undefined)?.endTime ??
    startTime + lasted * (1 + 1 / Math.max(1, timeDeltas.length - 1));
  return {
    nodes: nodes.map((node) => completeNode(node, children)),
    ...{ samples, timeDeltas, startTime, endTime },
  };
}

/** @param {unknown[]} values @returns {number} NaN if one is no number */
function sumOf(values) {
  let sum = 0;
  for (const value of values) sum += Number(value);
  return sum;
}

/** @param {unknown} value @returns {unknown[]} */
function listOf(value) {
  return Array.isArray(value) ? value : [];
}

/** V8 leaves out what is unknown of a frame. @type {(node: unknown, children: Map<unknown, unknown[]>) => object} */
function completeNode(node, children) {
  const { id, callFrame } = Object(node);
  const { functionName, url = '', lineNumber = -1, columnNumber = -1 } = Object(callFrame);
  return {
    id,
    callFrame: { functionName, url, lineNumber, columnNumber },
    children: children.get(id) ?? [],
  };
}
