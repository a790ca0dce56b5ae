/** What there is to say of a host and of the Assay that measured there. */

/** @import { Environment, Manifest } from '../../harness/formats/types.ts' */
/** @import { Fact } from './run-facts.js' */

import { formatShare, formatSize } from '../../harness/lib/numbers.js';

/**
 * @param {Environment} environment
 * @param {string} [nodeTitle] where other Nodes measured
 * @returns {Fact[]}
 */
export function listEnvironmentFacts(environment, nodeTitle = 'Node') {
  const known = (/** @type {unknown} */ value) => (value === null ? 'unknown' : String(value));
  const { cgroupCpuLimit: limit, cpuPressure, nodeVariables } = environment;
  const onOrOff = (/** @type {boolean | null} */ flag) =>
    flag === null ? 'unknown' : flag ? 'on' : 'off';
  return [
    [nodeTitle, `${environment.node}, V8 ${environment.v8}`],
    ['system', `${environment.os}, kernel ${environment.kernel}, ${environment.arch}`],
    ['processor', `${environment.cpuCount} × ${environment.cpuModel}`],
    ['memory', formatSize(environment.memoryBytes)],
    ['virtualization', environment.virtualization ?? 'none found'],
    ['frequency governor', known(environment.governor)],
    ['turbo', onOrOff(environment.turbo)],
    ['two threads a core', onOrOff(environment.smt)],
    ['clock source', known(environment.clockSource)],
    ['autogroup scheduling', onOrOff(environment.autogroup)],
    [
      'CPU limit of the control group',
      limit === null ? 'none' : `${limit} ${limit === 1 ? 'CPU' : 'CPUs'}`,
    ],
    [
      'before the first job',
      `load ${environment.loadAverage}, runnable processes ${known(environment.runnableProcesses)}, CPU pressure ${cpuPressure === null ? 'unknown' : formatShare(cpuPressure)}`,
    ],
    ...(nodeVariables.length === 0
      ? []
      : [/** @type {Fact} */ (['variables not passed on', nodeVariables.join(', ')])]),
  ];
}

/**
 * @param {Manifest['assay']} assay
 * @returns {string} its version, its revision, and whether that is all
 */
export function describeAssay({ version, revision, dirty }) {
  const at = revision === null ? 'unknown revision' : `revision ${revision}`;
  return `${version}, ${at}${dirty ? ', with uncommitted changes' : ''}`;
}
