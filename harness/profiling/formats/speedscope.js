import { showValue } from '../../formats/describe-problems.js';
import { FormatError } from '../../lib/errors.js';
import { readJsonObject } from '../../lib/files.js';
import { buildProfile, walkNodes } from '../profiles/call-tree.js';
import { guessKind } from '../profiles/frames.js';

/** @import { Frame, FrameKind, Profile } from '../../formats/profile-types.ts' */

/**
 * @typedef {object} SpeedscopeFrame
 * @property {string} name
 * @property {string} [file]
 * @property {number} [line]
 * @property {number} [col]
 * @property {FrameKind} [kind] an extension of Assay
 */

/**
 * @typedef {{ type: 'O' | 'C', frame: number, at: number }} SpeedscopeEvent
 * @typedef {{ unit: string, source?: Profile['source'], samples?: number | number[][] }} Common
 * @typedef {Common & { type: 'evented', startValue: number, events: SpeedscopeEvent[] }} Evented
 * @typedef {Common & { type: 'sampled', samples: number[][], weights: number[] }} Sampled
 */

const WHAT = 'a speedscope profile';
const REMEDY = "save it again from speedscope ('Export') or from the tool that made it";

/** @type {Set<unknown>} */
const KINDS = new Set(['js', 'builtin', 'code', 'native', 'kernel', 'gc', 'program']);
/** @type {Record<Profile['unit'], Profile['source'][]>} the first is the default */
const SOURCES = { ns: ['perf', 'v8-cpu-profile'], bytes: ['v8-heap-profile'] };

/** @type {Record<string, { unit: Profile['unit'], factor: number }>} */
const UNITS = {
  nanoseconds: { unit: 'ns', factor: 1 },
  microseconds: { unit: 'ns', factor: 1e3 },
  milliseconds: { unit: 'ns', factor: 1e6 },
  seconds: { unit: 'ns', factor: 1e9 },
  bytes: { unit: 'bytes', factor: 1 },
};

/**
 * Imports the active profile of a speedscope file. Profiles exported by Assay are restored but for
 * source lines; for those of other tools, kinds of frames are guessed and `source` follows from the unit.
 *
 * @param {unknown} json parsed JSON or its text
 * @returns {Profile}
 * @throws {FormatError} when it is not such a file, or its unit is neither time nor bytes
 */
export function importSpeedscope(json) {
  const { frames, profile } = checkFile(readJsonObject(json, WHAT, REMEDY));
  const { unit, factor } = UNITS[profile.unit];
  const source = SOURCES[unit].find((known) => known === profile.source) ?? SOURCES[unit][0];
  const builder = buildProfile({ source, unit });
  const frameOf = frames.map((frame) => builder.addFrame(readFrame(frame)));

  /** @param {number} parent @param {number} frame of the file */
  function addNode(parent, frame) {
    if (frameOf[frame] === undefined) throw broken(`frame ${showValue(frame)} does not exist`);
    return builder.addNode(parent, frameOf[frame]);
  }
  /** @param {number} node @param {number} weight */
  function addSelf(node, weight) {
    if (!Number.isFinite(weight)) throw broken('a weight is not a number');
    if (node !== -1 && weight !== 0) builder.addSelf(node, weight * factor);
  }

  if (profile.type === 'sampled') addSamples(profile, addNode, addSelf);
  else addEvents(profile, addNode, addSelf);
  return builder.finish(countSamples(profile));
}

/**
 * @param {Sampled} profile
 * @param {(parent: number, frame: number) => number} addNode
 * @param {(node: number, weight: number) => void} addSelf
 */
function addSamples({ samples, weights }, addNode, addSelf) {
  for (let index = 0; index < samples.length; index++) {
    let node = -1;
    for (const frame of samples[index]) node = addNode(node, frame);
    addSelf(node, weights[index]);
  }
}

/**
 * @param {Evented} profile
 * @param {(parent: number, frame: number) => number} addNode
 * @param {(node: number, weight: number) => void} addSelf
 */
function addEvents({ startValue, events }, addNode, addSelf) {
  /** @type {{ node: number, frame: number }[]} */
  const open = [];
  let last = startValue;
  for (const { type, frame, at } of events) {
    const top = open.at(-1);
    addSelf(top?.node ?? -1, at - last);
    last = at;
    if (type === 'O') {
      open.push({ node: addNode(top?.node ?? -1, frame), frame });
    } else if (top?.frame === frame) {
      open.pop();
    } else {
      throw broken(`frame ${showValue(frame)} closes before an inner one`);
    }
  }
}

/** @param {Evented | Sampled} profile */
function countSamples({ samples, ...profile }) {
  if (typeof samples === 'number') return samples;
  return profile.type === 'sampled' ? /** @type {number[][]} */ (samples).length : 0;
}

/** @type {(frame: SpeedscopeFrame) => Frame} */
function readFrame({ name, file, line, col, kind }) {
  return {
    name,
    kind: isKind(kind) ? kind : guessKind(name, file ?? null),
    file: file ?? null,
    line: line ?? null,
    column: col ?? null,
  };
}

/**
 * @param {Record<string, any>} value
 * @returns {{ frames: SpeedscopeFrame[], profile: Evented | Sampled }}
 */
function checkFile({ shared, profiles, activeProfileIndex }) {
  const frames = shared?.frames;
  if (!Array.isArray(frames) || !frames.every(isFrame)) {
    throw broken('frames are missing, or have invalid names or positions');
  }
  // Anything but a number or a string could be nested too deeply to become a key.
  const index = Number.isInteger(activeProfileIndex) ? activeProfileIndex : 0;
  const profile = Array.isArray(profiles) ? profiles[index] : undefined;
  if (Object(profile) !== profile) throw broken('it has no profile');
  if (typeof profile.unit !== 'string' || !Object.hasOwn(UNITS, profile.unit)) {
    throw broken(`its unit ${showValue(profile.unit)} is neither time nor bytes`);
  }
  const { type, events, samples, weights, startValue } = profile;
  const isWhole =
    type === 'evented'
      ? Array.isArray(events) && events.every(isEvent) && typeof startValue === 'number'
      : type === 'sampled' &&
        Array.isArray(samples) &&
        samples.every(isStack) &&
        samples.length === weights?.length;
  if (!isWhole) throw broken(`its profile of the type ${showValue(type)} is incomplete`);
  return { frames, profile };
}

/** @type {(kind: unknown) => kind is FrameKind} */
function isKind(kind) {
  return KINDS.has(kind);
}

/** @param {any} frame */
function isFrame(frame) {
  return (
    typeof frame?.name === 'string' &&
    typeof (frame.file ?? '') === 'string' &&
    [frame.line, frame.col].every((place) => place == null || Number.isInteger(place))
  );
}

/** @param {any} event */
function isEvent(event) {
  return Number.isInteger(event?.frame) && Number.isFinite(event.at);
}

/** @param {unknown} sample */
function isStack(sample) {
  return Array.isArray(sample) && sample.every(Number.isInteger);
}

/** @param {string} why */
function broken(why) {
  return new FormatError(`${WHAT} that cannot be read: ${why}`, { remedy: REMEDY });
}

const UNIT_NAMES = { ns: 'nanoseconds', bytes: 'bytes' };

/**
 * Exports a profile for speedscope: one profile of type `evented` in which every node of the call tree
 * opens and closes once. `kind` of a frame, `source` and `samples` are extensions that speedscope
 * ignores. Source lines are left out, since the format cannot represent them.
 *
 * Source: https://www.speedscope.app/file-format-schema.json
 *
 * @param {Profile} profile
 * @param {string} name title
 * @returns {object} to be written as JSON
 */
export function exportSpeedscope({ source, unit, frames, nodes, samples }, name) {
  /** @type {{ type: 'O' | 'C', frame: number, at: number }[]} */
  const events = [];
  let at = 0;
  walkNodes(
    nodes,
    function openNode(index) {
      events.push({ type: 'O', frame: nodes[index].frame, at });
      at += nodes[index].self;
    },
    function closeNode(index) {
      events.push({ type: 'C', frame: nodes[index].frame, at });
    },
  );
  const range = { unit: UNIT_NAMES[unit], startValue: 0, endValue: at };
  return {
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    exporter: 'assay',
    name,
    activeProfileIndex: 0,
    shared: { frames: frames.map(exportFrame) },
    profiles: [{ type: 'evented', name, ...range, events, source, samples }],
  };
}

/** @param {Frame} frame */
function exportFrame({ name, kind, file, line, column }) {
  return {
    name,
    kind,
    ...(file === null ? {} : { file }),
    ...(line === null ? {} : { line }),
    ...(column === null ? {} : { col: column }),
  };
}
