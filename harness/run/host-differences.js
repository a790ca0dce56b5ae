/** How two hosts differ, in parts that a report names. */

import { noteHost } from '../stats/host/notes.js';
import { isLoaded, USUAL_THRESHOLDS } from '../stats/host/state.js';

/** @import { Environment, HostNoise } from '../formats/types.ts' */
/** @import { Difference, Identity } from './identity.js' */

/** @typedef {[aspect: Difference['aspect'], label: string, before: string | undefined, now: string | undefined]} Part */

/** Share by which the memory of two hosts of one kind may differ: their kernels reserve some of it. */
const MAX_MEMORY_SHARE = 0.1;
const UNKNOWN = 'not known';
const QUIET = 'none';
/** What disturbs a run, by the kind of its note. */
const DISTURBANCES = new Map([
  ['steal', 'a hypervisor took CPU time'],
  ['other-processes', 'other processes ran'],
  ['throttled', 'a CPU limit held processes back'],
]);

/**
 * Lists what differs between two hosts. What only one of them states is not compared; of noise, only the
 * second has to be known.
 *
 * @param {Pick<Identity, 'environment' | 'hostNoise'>} before
 * @param {Pick<Identity, 'environment' | 'hostNoise'>} now
 * @returns {Difference[]}
 */
export function listHostDifferences(before, now) {
  /** @type {Part[]} */
  const parts = [];
  if (before.environment !== undefined && now.environment !== undefined) {
    parts.push(...listParts(before.environment, now.environment));
  }
  if (now.hostNoise !== undefined) parts.push(...pairNoise(before.hostNoise, now.hostNoise));
  return parts.flatMap(([aspect, label, left, right]) =>
    left === undefined || right === undefined || left === right
      ? []
      : [{ aspect, label, before: left, now: right }],
  );
}

/** @type {(before: Partial<Environment>, now: Partial<Environment>) => Part[]} */
function listParts(before, now) {
  /**
   * @param {Difference['aspect']} aspect
   * @param {string} label
   * @param {(environment: Partial<Environment>) => string | undefined} read
   * @returns {Part}
   */
  const pair = (aspect, label, read) => [aspect, label, read(before), read(now)];
  return [
    pair('processor', 'processor', ({ cpuModel }) => cpuModel),
    pair('host', 'architecture', ({ arch }) => arch),
    pair('host', 'CPUs', ({ cpuCount }) => cpuCount?.toString()),
    pair('host', 'CPU limit', ({ cgroupCpuLimit }) => describe(cgroupCpuLimit, 'none')),
    pair('host', 'operating system', ({ os }) => os),
    pair('kernel', 'kernel', ({ kernel }) => kernel),
    pair('host', 'virtualization', ({ virtualization }) => describe(virtualization, 'none')),
    pair('host', 'frequency governor', ({ governor }) => describe(governor, UNKNOWN)),
    pair('host', 'autogroup', ({ autogroup }) => describe(autogroup, UNKNOWN)),
    pair('node', 'Node', ({ node }) => node),
    pair('v8', 'V8', ({ v8 }) => v8),
    ...(isSimilarMemory(before, now)
      ? []
      : [pair('host', 'memory', ({ memoryBytes }) => formatGibibytes(memoryBytes))]),
    // The load depends on the moment: it differs where one of the hosts was busy and the other was not.
    ...(isBusy(before) === isBusy(now)
      ? []
      : [pair('host', 'load before the first job', ({ loadAverage }) => loadAverage?.toFixed(1))]),
  ];
}

/**
 * @param {string | number | boolean | null | undefined} value
 * @param {string} nothing what null means
 */
function describe(value, nothing) {
  if (value === undefined) return undefined;
  if (value === null) return nothing;
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
}

/**
 * @param {Partial<Environment>} before
 * @param {Partial<Environment>} now
 */
function isSimilarMemory({ memoryBytes: before = 0 }, { memoryBytes: now = 0 }) {
  return Math.abs(before - now) <= MAX_MEMORY_SHARE * Math.max(before, now);
}

/** @param {number | undefined} bytes */
function formatGibibytes(bytes) {
  return bytes === undefined ? undefined : `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}

/** @param {Partial<Environment>} environment */
function isBusy({ loadAverage = 0, cpuCount = 1 }) {
  return isLoaded({ environment: { loadAverage, cpuCount } });
}

/**
 * @param {HostNoise | undefined} before
 * @param {HostNoise} now
 * @returns {Part[]} none unless one of the hosts is known to have been disturbed
 */
function pairNoise(before, now) {
  const [left, right] = [before, now].map(describeNoise);
  const isNoisy = [left, right].some((text) => text !== QUIET && text !== UNKNOWN);
  return isNoisy ? [['host', 'noise', left, right]] : [];
}

/** @param {HostNoise | undefined} noise */
function describeNoise(noise) {
  if (noise === undefined || Object.values(noise).every((figure) => figure === null)) {
    return UNKNOWN;
  }
  const notes = noteHost(null, noise, USUAL_THRESHOLDS);
  const kinds = notes.flatMap(({ kind }) => DISTURBANCES.get(kind) ?? []);
  return kinds.length === 0 ? QUIET : kinds.join(', ');
}
