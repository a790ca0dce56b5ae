import { showValue } from '../../formats/describe-problems.js';
import { FormatError } from '../../lib/errors.js';
import { readJsonObject } from '../../lib/files.js';
import { countOf } from '../../lib/numbers.js';
import { listWords } from '../../lib/words.js';
import { buildProfile, walkNodes } from '../profiles/call-tree.js';
import { guessKind } from '../profiles/frames.js';
import { openRemarks } from './remarks.js';

/** @import { Frame, FrameKind, Profile } from '../../formats/profile-types.ts' */
/** @import { Remarks } from './remarks.js' */

/**
 * @typedef {object} SpeedscopeFrame
 * @property {string} name
 * @property {string} [file]
 * @property {number} [line]
 * @property {number} [col]
 * @property {FrameKind} [kind] an extension of Assay, like `edited`
 * @property {boolean} [edited]
 */

/**
 * @typedef {{ type: 'O' | 'C', frame: number, at: number }} SpeedscopeEvent
 * @typedef {{ unit: string, source?: Profile['source'], samples?: number | number[][] }} Common
 * @typedef {Common & { type: 'evented', startValue: number, endValue?: unknown, events: SpeedscopeEvent[] }} Evented
 * @typedef {Common & { type: 'sampled', samples: number[][], weights: number[] }} Sampled
 */

const WHAT = 'a speedscope profile';
const REMEDY = "save it again from speedscope ('Export') or from the tool that made it";

/** @type {Set<unknown>} */
const KINDS = new Set(['js', 'builtin', 'code', 'native', 'kernel', 'gc', 'program']);
/** @type {Record<Profile['unit'], Profile['source'][]>} the first is the default */
const SOURCES = { ns: ['perf', 'v8-cpu-profile'], bytes: ['v8-heap-profile'], none: ['perf'] };

/** @type {Record<string, { unit: Profile['unit'], factor: number }>} */
const UNITS = {
  nanoseconds: { unit: 'ns', factor: 1 },
  microseconds: { unit: 'ns', factor: 1e3 },
  milliseconds: { unit: 'ns', factor: 1e6 },
  seconds: { unit: 'ns', factor: 1e9 },
  bytes: { unit: 'bytes', factor: 1 },
  none: { unit: 'none', factor: 1 },
};

/**
 * Imports the active profile of a speedscope file. Profiles exported by Assay are restored but for
 * source lines; for those of other tools, kinds of frames are guessed and `source` follows from the unit.
 *
 * @param {unknown} json parsed JSON or its text
 * @returns {Profile}
 * @throws {FormatError} when it is not such a file
 */
export function importSpeedscope(json) {
  const { profiles, active } = openSpeedscope(json);
  return profiles[active].read();
}

/**
 * A profile of a file that may have several.
 *
 * @typedef {object} FoundProfile
 * @property {string} name
 * @property {() => Profile} read throws a `FormatError` when it is broken
 */

/**
 * Lists the profiles of a speedscope file.
 *
 * @param {unknown} json parsed JSON or its text
 * @param {Remarks} [remarks]
 * @returns {{ profiles: FoundProfile[], active: number }} at least one profile; `active`: index of the one that
 *   speedscope shows first
 * @throws {FormatError} when it is not such a file
 */
export function openSpeedscope(json, remarks = openRemarks()) {
  const { shared, profiles, activeProfileIndex } = readJsonObject(json, WHAT, REMEDY);
  const frames = /** @type {{ frames?: unknown } | undefined} */ (shared)?.frames;
  if (!Array.isArray(frames) || !frames.every(isFrame)) {
    throw broken('frames are missing, or have invalid names or positions');
  }
  // Anything but a number could be nested too deeply to become a key.
  const active = Number.isInteger(activeProfileIndex) ? Number(activeProfileIndex) : 0;
  if (!Array.isArray(profiles) || profiles[active] === undefined) throw broken('it has no profile');
  return {
    profiles: profiles.map((profile, index) => ({
      name:
        typeof profile?.name === 'string' && profile.name !== ''
          ? profile.name
          : `profile ${index + 1}`,
      read: () => importOne(frames, checkProfile(profile), remarks),
    })),
    active,
  };
}

/** @type {(frames: SpeedscopeFrame[], profile: Evented | Sampled, remarks: Remarks) => Profile} */
function importOne(frames, profile, remarks) {
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
    if (weight < 0)
      throw broken('a weight is negative, or an event is earlier than the one before');
    if (node !== -1) builder.addSelf(node, weight * factor);
    else if (weight !== 0) remarks.leaveOut('period without a frame', 'periods without a frame');
  }

  if (profile.type === 'sampled') addSamples(profile, addNode, addSelf);
  else addEvents(profile, addNode, addSelf, remarks);
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
 * Frames that are still open at the end of the profile close there.
 *
 * @param {Evented} profile
 * @param {(parent: number, frame: number) => number} addNode
 * @param {(node: number, weight: number) => void} addSelf
 * @param {Remarks} remarks
 */
function addEvents({ startValue, endValue, events }, addNode, addSelf, remarks) {
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
  const top = open.at(-1);
  if (top === undefined) return;
  const count = countOf(open.length, 'frame');
  if (typeof endValue !== 'number' || endValue < last) {
    throw broken(
      `${count} ${open.length === 1 ? 'is' : 'are'} not closed, and the profile has no end after them`,
    );
  }
  addSelf(top.node, endValue - last);
  remarks.add(
    `${count} ${open.length === 1 ? 'is not closed, and so lasts' : 'are not closed, and so last'} until the end`,
  );
}

/** @param {Evented | Sampled} profile */
function countSamples({ samples, ...profile }) {
  if (typeof samples === 'number') return samples;
  return profile.type === 'sampled' ? /** @type {number[][]} */ (samples).length : 0;
}

/** @type {(frame: SpeedscopeFrame) => Frame} */
function readFrame({ name, file, line, col, kind, edited }) {
  const hasFile = typeof file === 'string' && file !== '';
  return {
    name: name === '' ? '(anonymous)' : name,
    kind: isKind(kind) ? kind : guessKind(name, hasFile ? file : null),
    file: hasFile ? file : null,
    // A position in no file means nothing.
    line: (hasFile && line) || null,
    column: (hasFile && col) || null,
    ...(typeof edited === 'boolean' ? { edited } : {}),
  };
}

/** @param {any} profile @returns {Evented | Sampled} */
function checkProfile(profile) {
  if (Object(profile) !== profile) throw broken('it has no profile');
  if (typeof profile.unit !== 'string' || !Object.hasOwn(UNITS, profile.unit)) {
    throw broken(`its unit ${showValue(profile.unit)} is none of ${listWords(Object.keys(UNITS))}`);
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
  return profile;
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
  const isKnown = event?.type === 'O' || event?.type === 'C';
  return isKnown && Number.isInteger(event.frame) && Number.isFinite(event.at);
}

/** @param {unknown} sample */
function isStack(sample) {
  return Array.isArray(sample) && sample.every(Number.isInteger);
}

/** @param {string} why */
function broken(why) {
  return new FormatError(`${WHAT} that cannot be read: ${why}`, { remedy: REMEDY });
}

/** @type {Record<Profile['unit'], string>} */
const UNIT_NAMES = { ns: 'nanoseconds', bytes: 'bytes', none: 'none' };

/**
 * Exports profiles for speedscope, each of the type `evented`: every node of the call tree opens and closes
 * once. `kind` of a frame, `source` and `samples` are extensions that speedscope ignores. Source lines are
 * left out, since the format cannot represent them.
 *
 * Source: https://www.speedscope.app/file-format-schema.json
 *
 * @param {{ name: string, profile: Profile }[]} named
 * @param {string} name title of the file
 * @returns {object} to be written as JSON
 */
export function exportSpeedscope(named, name) {
  /** @type {Map<string, number>} */
  const indexes = new Map();
  /** @type {object[]} */
  const frames = [];

  /** @param {Frame} frame */
  function addFrame(frame) {
    const exported = exportFrame(frame);
    const key = JSON.stringify(exported);
    const index = indexes.get(key) ?? frames.push(exported) - 1;
    indexes.set(key, index);
    return index;
  }

  const profiles = named.map((one) => exportOne(one.profile, one.name, addFrame));
  return {
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    exporter: 'assay',
    name,
    activeProfileIndex: 0,
    shared: { frames },
    profiles,
  };
}

/** @type {(profile: Profile, name: string, addFrame: (frame: Frame) => number) => object} */
function exportOne({ source, unit, frames, nodes, samples }, name, addFrame) {
  const frameOf = frames.map(addFrame);
  /** @type {SpeedscopeEvent[]} */
  const events = [];
  let at = 0;
  walkNodes(
    nodes,
    function openNode(index) {
      events.push({ type: 'O', frame: frameOf[nodes[index].frame], at });
      at += nodes[index].self;
    },
    function closeNode(index) {
      events.push({ type: 'C', frame: frameOf[nodes[index].frame], at });
    },
  );
  const range = { unit: UNIT_NAMES[unit], startValue: 0, endValue: at };
  return { type: 'evented', name, ...range, events, source, samples };
}

/** @param {Frame} frame */
function exportFrame({ name, kind, file, line, column, edited }) {
  return {
    name,
    kind,
    ...(file === null ? {} : { file }),
    ...(line === null ? {} : { line }),
    ...(column === null ? {} : { col: column }),
    ...(edited === undefined ? {} : { edited }),
  };
}
