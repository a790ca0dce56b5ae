/** Facts about a host and an Assay as every report has them, and the sections that reports of studies share. */

/** @import { Calibration, Environment, Manifest } from '../../harness/formats/types.ts' */
/** @import { Fact, Section } from '../document/model.ts' */

import { formatDuration, formatShare, formatSize } from '../../harness/lib/numbers.js';
import { paragraph } from './build.js';

/** Budget that calibrations are compared by; seconds per cell. */
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

/** @type {(assay: Manifest['assay']) => string} its version and revision, and whether it had changes */
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

/**
 * What a study's report says first.
 *
 * @param {string[]} sentences
 * @param {{ ended: Calibration['ended'], wallMs: number, environment: Environment }} study
 * @returns {Section}
 */
export function summarySection(sentences, { ended, wallMs, environment }) {
  const { cpuCount, cpuModel, kernel, node } = environment;
  return {
    id: 'summary',
    title: 'Summary',
    untitled: ['terminal', 'markdown'],
    blocks: [
      ...sentences.map((sentence) => paragraph(sentence, 'lead')),
      paragraph(
        `Measured in ${formatDuration(wallMs)} on ${cpuCount} × ${cpuModel}, kernel ${kernel}, under Node ${node.replace(/^v/, '')}.`,
        'basis',
      ),
      ...(ended === 'complete'
        ? []
        : [
            paragraph(
              'Interrupted: the report covers only the comparisons that finished.',
              'remark',
            ),
          ]),
    ],
  };
}

/** @type {(environment: Environment, nodeTitle?: string) => Section} */
export function hostSection(environment, nodeTitle) {
  return {
    id: 'host',
    title: 'Host',
    rank: 51,
    folded: ['terminal', 'markdown'],
    blocks: [{ kind: 'facts', facts: listEnvironmentFacts(environment, nodeTitle) }],
  };
}

/**
 * @param {string} command
 * @param {string} path of the directory
 * @param {Fact[]} facts
 * @returns {Section}
 */
export function repeatSection(command, path, facts) {
  return {
    id: 'repeat',
    title: 'Repeat',
    untitled: ['terminal'],
    blocks: [
      { kind: 'command', label: 'Repeat', text: command, only: ['markdown', 'html'] },
      {
        kind: 'facts',
        facts: [
          ['Repeat', { command }],
          ['Reports', { code: path }],
        ],
        only: ['terminal'],
      },
      {
        kind: 'group',
        title: 'Details',
        folded: ['terminal', 'markdown'],
        blocks: [{ kind: 'facts', facts }],
      },
    ],
  };
}

/** @type {(study: Pick<Calibration, 'assay' | 'createdAt' | 'wallMs' | 'id'>) => Fact[]} */
export function listStudyFacts({ assay, createdAt, wallMs, id }) {
  return [
    ['Assay', describeAssay(assay)],
    ['started', createdAt],
    ['took', formatDuration(wallMs)],
    ['directory', { code: id }],
  ];
}
