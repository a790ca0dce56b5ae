import { formatShare } from '../stats/format-share.js';
import { MAX_DISTURBED_SHARE } from '../stats/thresholds.js';
import { callFine, callNote, callUnknown } from './diagnosis.js';

/** @import { Diagnosis, Environment } from '../formats/types.ts' */

/** Container engines as systemd names them; what else it names is a virtual machine. */
const CONTAINERS = [
  'container-other',
  'docker',
  'lxc',
  'lxc-libvirt',
  'openvz',
  'podman',
  'proot',
  'rkt',
  'systemd-nspawn',
  'wsl',
];

/**
 * The processor: what it is and how steady its pace can be.
 *
 * @param {Environment} environment
 * @param {number | null} disturbedShare share of readings of the yardstick, taken just now, that were
 *   slower than its calm pace; null where it was not read
 * @returns {Diagnosis[]}
 */
export function diagnoseProcessor(environment, disturbedShare) {
  return [
    callFine(
      'processor',
      environment.cpuModel,
      'Ratios carry over to other processors at times, nanoseconds never: compare times with those of this one alone.',
    ),
    diagnoseCores(environment),
    diagnoseGovernor(environment),
    diagnoseTurbo(environment),
    diagnoseThreads(environment),
    diagnoseVirtualization(environment),
    ...(disturbedShare === null ? [] : [diagnosePace(disturbedShare)]),
  ];
}

/** @param {Environment} environment */
function diagnoseCores({ cpuCount }) {
  const value = String(cpuCount);
  if (cpuCount > 1) {
    const sentence =
      'One job runs at a time; the rest is left to its helper threads and the system.';
    return callFine('cores', value, sentence);
  }
  const sentence =
    'A job shares its only core with its own helper threads, with Assay and with the system.';
  return callNote('cores', value, sentence, 'Measure on a machine with two cores or more.');
}

/** @param {Environment} environment */
function diagnoseGovernor({ governor }) {
  const name = 'governor';
  if (governor === null) {
    const sentence = 'Who sets the frequency is not told here; on a virtual machine its host does.';
    return callUnknown(name, sentence);
  }
  if (governor === 'performance') {
    return callFine(name, governor, 'The frequency does not follow the load.');
  }
  const sentence = 'The frequency follows the load, so the first batches of a job run slower.';
  return callNote(name, governor, sentence, 'sudo cpupower frequency-set -g performance');
}

/** @param {Environment} environment */
function diagnoseTurbo({ turbo }) {
  const name = 'turbo';
  if (turbo === null) {
    const sentence = 'Whether the frequency may rise above the nominal one is not told here.';
    return callUnknown(name, sentence);
  }
  if (!turbo) return callFine(name, 'off', 'The frequency stays at or below the nominal one.');
  const sentence =
    'The frequency rises above the nominal one as heat and other cores allow; the yardstick between batches takes out what it sees of that.';
  const advice = [
    'echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost',
    'Under intel_pstate write 1 to /sys/devices/system/cpu/intel_pstate/no_turbo instead.',
  ];
  return callNote(name, 'on', sentence, advice.join('\n'));
}

/** @param {Environment} environment */
function diagnoseThreads({ smt, virtualization }) {
  const name = 'SMT';
  if (smt === null) {
    return callUnknown(name, 'Whether a core runs two threads is not told here.');
  }
  if (smt) {
    const sentence =
      'Each core runs two threads: what shares a core with a job takes up to half of it, and no counter of waiting shows that.';
    return callNote(
      name,
      'on',
      sentence,
      'echo off | sudo tee /sys/devices/system/cpu/smt/control',
    );
  }
  const sentence =
    virtualization === null
      ? 'Each core runs one thread.'
      : 'Each core runs one thread, as far as is told here: a hypervisor may run a neighbour on the other.';
  return callFine(name, 'off', sentence);
}

/** @param {Environment} environment */
function diagnoseVirtualization({ virtualization }) {
  const name = 'virtualisation';
  if (virtualization === null) {
    return callFine(name, 'none found', 'Nothing between this system and the processor was found.');
  }
  if (CONTAINERS.includes(virtualization)) {
    const sentence =
      'A container shares the processor with all else on its host, of which little is seen from inside.';
    return callNote(name, virtualization, sentence, 'Go by steal and the shared core below.');
  }
  const sentence =
    'A hypervisor shares the processor out, and may run neighbours on the same core.';
  return callNote(name, virtualization, sentence, 'Go by steal and the shared core below.');
}

/** @param {number} disturbedShare */
function diagnosePace(disturbedShare) {
  const name = 'shared core';
  const value = `${formatShare(disturbedShare)} disturbed`;
  const sentence =
    'A fixed piece of arithmetic was timed for half a second just now: this share of its readings was slower than its calm pace.';
  if (disturbedShare <= MAX_DISTURBED_SHARE) return callFine(name, value, sentence);
  return callNote(
    name,
    value,
    `${sentence} A neighbour on the same core does that, or the frequency, or other processes.`,
    'Assay leaves such batches out; wait for a calmer time, or give more of it (--budget).',
  );
}
