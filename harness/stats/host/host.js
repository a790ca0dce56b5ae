/** What the table of facts says about a host: diagnoses, rows of a report, notes on a run, differences of two hosts. */

import { formatRoughShare } from '../../lib/numbers.js';
import { HOST_FACTS } from './facts.js';
import { MAX_DISTURBED_SHARE, USUAL_THRESHOLDS } from './state.js';

/** @import { Diagnosis, Environment, HostNoise, Thresholds } from '../../formats/types.ts' */
/** @import { Note } from '../notes.js' */
/** @import { Check, HostAspect, HostFact, KnownEnvironment } from './facts.js' */
/** @import { HostState } from './state.js' */

const UNKNOWN = 'not known';

/** @type {Omit<HostState, 'environment'>} */
const NOTHING_ELSE = Object.freeze({
  hostNoise: null,
  thresholds: USUAL_THRESHOLDS,
  canRaisePriority: null,
  disturbedShare: null,
});

/**
 * Lists what figures from a host may depend on, each with what it means and what to do about it.
 *
 * @param {Pick<HostState, 'environment'> & Partial<HostState>} host
 * @returns {Diagnosis[]} in a fixed order
 */
export function diagnoseHost(host) {
  return HOST_FACTS.flatMap(
    ({ check, show }) => (check && diagnose(check, show, { ...NOTHING_ELSE, ...host })) ?? [],
  );
}

/** @type {(check: Check, show: HostFact['show'], host: HostState) => Diagnosis | null} null where the fact does not exist */
function diagnose(
  { name, value: read, unknown = '', isNoted, fine, noted = fine, advice },
  show,
  host,
) {
  const value = read === undefined ? show?.(host.environment) : read(host);
  if (value === undefined) return null;
  if (value === null) {
    return { name, value: UNKNOWN, state: 'unknown', sentence: unknown, advice: null };
  }
  const hasNote = isNoted?.(host) ?? false;
  const sentence = hasNote ? noted : fine;
  return {
    name,
    value,
    state: hasNote ? 'note' : 'fine',
    sentence: typeof sentence === 'string' ? sentence : sentence(host),
    advice: hasNote ? (advice ?? null) : null,
  };
}

/** @type {(environment: Environment) => [title: string, text: string][]} the facts that reports print */
export function listReportedFacts(environment) {
  return HOST_FACTS.flatMap(({ show, report }) => {
    if (report === undefined) return [];
    const [title, describe] = report;
    const text = describe ? describe(environment) : (show?.(environment) ?? 'unknown');
    return text === null ? [] : [/** @type {[string, string]} */ ([title, text])];
  });
}

/**
 * What a reader of figures should know about the host that measured them: first its state before the
 * first job, then what disturbed the timed part.
 *
 * @param {Environment | null} environment null where it is unknown
 * @param {HostNoise | null} hostNoise of the timed part; null where it is unknown
 * @param {Thresholds} thresholds
 * @returns {Note[]}
 */
export function noteHost(environment, hostNoise, thresholds) {
  // Notes on noise read nothing else.
  const host = /** @type {HostState} */ ({ ...NOTHING_ELSE, environment, hostNoise, thresholds });
  const notes = HOST_FACTS.flatMap(({ note }) => note ?? []);
  const noise = HOST_FACTS.flatMap((fact) => fact.noise ?? []);
  return listNotes([...(environment === null ? [] : notes), ...noise], host);
}

/**
 * @template Subject
 * @param {{ kind: string, text: (subject: Subject) => string | null }[]} kinds text null for no note
 * @param {Subject} subject
 * @returns {Note[]} of the kinds that apply to the subject
 */
export function listNotes(kinds, subject) {
  return kinds.flatMap(({ kind, text: describe }) => {
    const text = describe(subject);
    return text === null ? [] : { kind, text };
  });
}

/** @typedef {{ aspect: HostAspect, label: string, before: string, now: string }} HostDifference */

/** @type {(before: KnownEnvironment, now: KnownEnvironment) => HostDifference[]} what both state, and differently */
export function compareHosts(before, now) {
  return HOST_FACTS.flatMap(({ show, identity, isSimilar }) => {
    const [left, right] = [before, now].map((environment) => show?.(environment));
    const isSame = left === undefined || right === undefined || left === right;
    if (identity === undefined || isSame || isSimilar?.(before, now) === true) return [];
    const [aspect, label] = identity;
    return { aspect, label, before: left ?? UNKNOWN, now: right ?? UNKNOWN };
  });
}

/** @type {(then: KnownEnvironment, now: KnownEnvironment) => string[]} why a calibration of one is not for the other */
export function listCalibrationChanges(then, now) {
  return HOST_FACTS.flatMap(({ show, calibrated }) => {
    if (calibrated === undefined) return [];
    const [name, describe = show] = calibrated;
    const [left, right] = [then, now].map((environment) => describe?.(environment));
    return left === right ? [] : `${name} ${right} instead of ${left}`;
  });
}

/** What disturbs a run, by the kind of its note. */
const DISTURBANCES = new Map([
  ['steal', 'a hypervisor took CPU time'],
  ['other-processes', 'other processes ran'],
  ['throttled', 'a CPU limit held processes back'],
]);

/**
 * What may have made times too long, for a pass that has no undisturbed batches to choose from.
 *
 * @param {Environment} environment before it
 * @param {HostNoise} noise during it
 * @param {number} disturbedShare of readings of the reference loop right before and after it, 0…1
 * @returns {string[]} sentences
 */
export function noteDisturbances(environment, noise, disturbedShare) {
  const notes = noteHost(environment, noise, USUAL_THRESHOLDS);
  const relevant = notes.filter(({ kind }) => kind === 'busy-host' || DISTURBANCES.has(kind));
  const texts = relevant.map(({ text }) => text);
  if (disturbedShare <= MAX_DISTURBED_SHARE) return texts;
  const share = formatRoughShare(disturbedShare);
  return [
    ...texts,
    `Right before and after, ${share} of the readings of the reference loop were disturbed, by a neighbour on the same core, the frequency, or other processes.`,
  ];
}

/** @type {(noise: HostNoise | undefined) => string | null} null if it is unknown, empty if nothing disturbed */
export function describeNoise(noise) {
  if (noise === undefined || Object.values(noise).every((figure) => figure === null)) return null;
  const notes = noteHost(null, noise, USUAL_THRESHOLDS);
  return notes.flatMap(({ kind }) => DISTURBANCES.get(kind) ?? []).join(', ');
}
