/** A host, the Assay that measured there, and its calibration, as every report describes them. */

/** @import { Environment, Manifest } from '../../harness/formats/types.ts' */

import { formatShare, formatSize } from '../../harness/lib/numbers.js';

/** Budget that calibrations are compared by; seconds a cell. */
const USUAL_BUDGET_SECONDS = 20;

/** @typedef {[name: string, text: string]} TextFact */

/**
 * @param {Environment} environment
 * @param {string} [nodeTitle] where other Nodes measured
 * @returns {TextFact[]}
 */
export function listEnvironmentFacts(environment, nodeTitle = 'Node') {
  const known = (/** @type {unknown} */ value) => (value === null ? 'unknown' : String(value));
  const { cgroupCpuLimit: limit, cpuPressure, nodeVariables } = environment;
  const onOrOff = (/** @type {boolean | null} */ flag) =>
    flag === null ? 'unknown' : flag ? 'on' : 'off';
  return [
    [nodeTitle, `${environment.node}, V8 ${environment.v8}`],
    ['System', `${environment.os}, kernel ${environment.kernel}, ${environment.arch}`],
    ['Processor', `${environment.cpuCount} × ${environment.cpuModel}`],
    ['Memory', formatSize(environment.memoryBytes)],
    ['Virtualization', environment.virtualization ?? 'none found'],
    ['Frequency governor', known(environment.governor)],
    ['Turbo', onOrOff(environment.turbo)],
    ['SMT', onOrOff(environment.smt)],
    ['Clock source', known(environment.clockSource)],
    ['Autogroup scheduling', onOrOff(environment.autogroup)],
    ['CPU limit (cgroup)', limit === null ? 'none' : `${limit} ${limit === 1 ? 'CPU' : 'CPUs'}`],
    [
      'Before the first job',
      `load ${environment.loadAverage}, runnable processes ${known(environment.runnableProcesses)}, CPU pressure ${cpuPressure === null ? 'unknown' : formatShare(cpuPressure)}`,
    ],
    ...(nodeVariables.length === 0
      ? []
      : [/** @type {TextFact} */ (['Variables not passed on', nodeVariables.join(', ')])]),
  ];
}

/**
 * @param {Manifest['assay']} assay
 * @returns {string} its version and revision, and whether it had changes
 */
export function describeAssay({ version, revision, dirty }) {
  const at = revision === null ? 'unknown revision' : `revision ${revision}`;
  return `${version}, ${at}${dirty ? ', with uncommitted changes' : ''}`;
}

/**
 * @template {{ budgetSeconds: number }} Entry
 * @param {Entry[]} entries by budget, ascending
 * @returns {Entry | null} that of the usual budget, else of the largest
 */
export function chooseUsualBudget(entries) {
  const usual = entries.find(({ budgetSeconds }) => budgetSeconds === USUAL_BUDGET_SECONDS);
  return usual ?? entries.at(-1) ?? null;
}
