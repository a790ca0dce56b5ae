/** @import { Thresholds } from '../formats/types.ts' */

/**
 * What counts as unusual on a host that nobody calibrated. A hypervisor that takes 1 % on average
 * takes far more while it takes. Of two cores, others may have a tenth of one: the jobs themselves
 * leave the second one idle. A deviation between processes of 8 % is twice the usual one (4.2 %,
 * FACTS "Noise").
 *
 * @type {Readonly<Thresholds>}
 */
export const USUAL_THRESHOLDS = Object.freeze({
  othersShare: 0.05,
  stealShare: 0.01,
  processSpread: 0.08,
});

/** Load per CPU from which a machine is not idle. */
export const MAX_LOAD_PER_CPU = 0.5;

/**
 * Share of ten seconds in which a task waited for a CPU from which a machine is not idle. Tasks that
 * come at random wait 8 % of the time when they keep two CPUs half busy; the jobs of the gate, which
 * ran just before, leave 2 % on a calm host.
 */
export const MAX_PRESSURE = 0.1;

/**
 * Share of disturbed batches from which it is worth a note: with a quarter of them gone an interval
 * is wider by 15 % at most (1/√0.75).
 */
export const MAX_DISTURBED_SHARE = 0.25;

/** Clocks that a process reads without asking the kernel. */
const FAST_CLOCKS = ['tsc', 'kvm-clock', 'arch_sys_counter', 'hyperv_clocksource_tsc_page'];

/**
 * @param {string | null} clockSource as Linux names it; null where not known
 * @returns {boolean} whether it is known that each reading asks the kernel or a device
 */
export function isSlowClock(clockSource) {
  return clockSource !== null && !FAST_CLOCKS.includes(clockSource);
}
