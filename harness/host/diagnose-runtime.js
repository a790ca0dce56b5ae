import { isSlowClock } from '../stats/thresholds.js';
import { callFine, callNote, callUnknown } from './diagnosis.js';

/** @import { Diagnosis, Environment } from '../formats/types.ts' */

/**
 * What the kernel and the user decide of a process: its clock, its addresses, its Node.
 *
 * @param {Environment} environment
 * @returns {Diagnosis[]}
 */
export function diagnoseRuntime(environment) {
  return [
    diagnoseClock(environment),
    diagnoseAddresses(environment),
    callFine(
      'Node',
      `${environment.node}, V8 ${environment.v8}`,
      'What Assay and its jobs run under; --node measures under others, --node-flag gives jobs flags.',
    ),
    diagnoseVariables(environment),
  ];
}

/** @param {Environment} environment */
function diagnoseClock({ clockSource }) {
  const name = 'clock source';
  if (clockSource === null) return callUnknown(name, 'Where time is read from is not told here.');
  if (!isSlowClock(clockSource)) {
    return callFine(name, clockSource, 'Time is read in nanoseconds, without asking the kernel.');
  }
  const sentence = 'Each reading of the time asks the kernel, a microsecond or more.';
  const advice = 'Boot with clocksource=tsc, where the processor has one that can be relied on.';
  return callNote(name, clockSource, sentence, advice);
}

/** @param {Environment} environment */
function diagnoseAddresses({ aslr }) {
  const name = 'ASLR';
  if (aslr === null) {
    return callUnknown(name, 'Whether processes get random addresses is not told here.');
  }
  const value = ['off', 'without the heap'][aslr] ?? 'on';
  if (aslr >= 2) {
    const sentence =
      'Each process lies at other addresses, so that the luck of one placement averages out.';
    return callFine(name, value, sentence);
  }
  const sentence =
    'All processes lie at the same addresses: the luck of that placement does not average out.';
  return callNote(name, value, sentence, 'sudo sysctl -w kernel.randomize_va_space=2');
}

/** @param {Environment} environment */
function diagnoseVariables({ nodeVariables }) {
  const name = 'variables';
  if (nodeVariables.length === 0) {
    return callFine(
      name,
      'none',
      'No variable is set that changes how Node runs, such as NODE_OPTIONS.',
    );
  }
  const sentence = 'Set here, and not passed on to workers: they would change what is measured.';
  const advice = 'To measure under flags, give them with --node-flag.';
  return callNote(name, nodeVariables.join(', '), sentence, advice);
}
