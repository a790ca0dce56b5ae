import { diagnoseProcessor } from './diagnose-processor.js';
import { diagnoseRuntime } from './diagnose-runtime.js';
import { diagnoseSharing } from './diagnose-sharing.js';
import { USUAL_THRESHOLDS } from '../stats/thresholds.js';

/** @import { Diagnosis, Environment, HostNoise, Thresholds } from '../formats/types.ts' */

/**
 * What figures from a host may depend on, each with what it means and what to do about it.
 *
 * @param {object} host
 * @param {Environment} host.environment
 * @param {HostNoise | null} [host.hostNoise] of the moment, or of a run
 * @param {Thresholds} [host.thresholds] of its calibration
 * @param {boolean | null} [host.canRaisePriority] whether a process may raise that of its session
 * @param {number | null} [host.disturbedShare] of readings of the yardstick, 0…1
 * @returns {Diagnosis[]} in a fixed order
 */
export function diagnoseHost({
  environment,
  hostNoise = null,
  thresholds = USUAL_THRESHOLDS,
  canRaisePriority = null,
  disturbedShare = null,
}) {
  return [
    ...diagnoseProcessor(environment, disturbedShare),
    ...diagnoseSharing(environment, hostNoise, thresholds, canRaisePriority),
    ...diagnoseRuntime(environment),
  ];
}
