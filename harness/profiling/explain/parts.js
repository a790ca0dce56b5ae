import { addSamples, compareArms, forBothArms } from './samples.js';

/** @import { PartChange } from '../../formats/types.ts' */
/** @import { Frame, Profile } from '../../formats/profile-types.ts' */
/** @import { ComparedArm, Sample } from './types.ts' */

/**
 * A profile of one process, and what makes a sample of a weight in it.
 *
 * @typedef {object} SampledProfile
 * @property {Profile} profile
 * @property {(weight: number) => Sample} sample
 */

const VARIANT = 'the variant';
const OPERATION = 'the operation';
const NODE = 'Node';
const OTHER = 'unattributed';
/** What Assay itself consists of, apart from variants. */
const OPERATION_FILE = /^harness\/|^experiments\/[^/]+\/(?:driver|operations)\//;

/**
 * Divides the time of a client by whose code takes it. Code of Node counts towards the variant where that calls it, as
 * do builtins and native code towards any caller.
 *
 * @param {Record<ComparedArm, SampledProfile[]>} arms
 * @param {string[]} packages that the operation uses
 * @param {number} timingError half-width of the interval of the timed ratio, as a share of the candidate
 * @returns {PartChange[]} the largest of the baseline first; they sum to the figure
 */
export function compareParts(arms, packages, timingError) {
  const samples = forBothArms((arm) => sampleParts(arms[arm], packages));
  const names = new Set([...samples.baseline.keys(), ...samples.candidate.keys()]);
  const parts = [...names].map((name) => {
    const { means, change } = compareArms(
      forBothArms((arm) => samples[arm].get(name) ?? addSamples([], arms[arm].length)),
      timingError,
    );
    return { name, baselineNs: means.baseline, candidateNs: means.candidate, change };
  });
  return parts.sort((one, two) => two.baselineNs - one.baselineNs);
}

/**
 * @param {SampledProfile[]} processes
 * @param {string[]} packages
 * @returns {Map<string, Sample[]>} one sample per process, by part
 */
function sampleParts(processes, packages) {
  const sums = processes.map(({ profile }) => sumParts(profile, packages));
  const names = new Set(sums.flatMap((parts) => [...parts.keys()]));
  return new Map(
    [...names].map((name) => [
      name,
      processes.map(({ sample }, process) => sample(sums[process].get(name) ?? 0)),
    ]),
  );
}

/** @type {(profile: Profile, packages: string[]) => Map<string, number>} weight by part */
function sumParts({ frames, nodes }, packages) {
  const owners = frames.map((frame) => findOwner(frame, packages));
  /** @type {string[]} */
  const parts = [];
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const { frame, parent, self } of nodes) {
    const caller = parent === -1 ? null : parts[parent];
    const owner = owners[frame];
    const isHelper = owner === null || (owner === NODE && caller === VARIANT);
    const part = (isHelper ? caller : owner) ?? OTHER;
    parts.push(part);
    sums.set(part, (sums.get(part) ?? 0) + self);
  }
  return sums;
}

/**
 * @param {Frame} frame
 * @param {string[]} packages
 * @returns {string | null} whose code it is; null for code that belongs to its caller
 */
function findOwner({ kind, file, name }, packages) {
  if (kind === 'gc') return 'garbage collection';
  if (kind !== 'js') return null;
  // Functions of Node's C++.
  if (file === null) return name === '(anonymous)' ? null : NODE;
  if (file.startsWith('node:')) return NODE;
  if (OPERATION_FILE.test(file)) return OPERATION;
  return packages.find((each) => file.startsWith(`${each}/`)) ?? VARIANT;
}
