/** Facts about a host and an Assay as every report has them, and the sections that reports of studies share. */

/** @import { Calibration, Environment, Manifest } from '../../harness/formats/types.ts' */
/** @import { Fact, Section } from '../document/model.ts' */

import { formatDuration } from '../../harness/lib/numbers.js';
import { listReportedFacts } from '../../harness/stats/host/host.js';
import { factList, paragraph } from './build.js';

/** Budget that calibrations are compared by; seconds per cell. */
const USUAL_BUDGET_SECONDS = 20;

/** @typedef {[name: string, text: string]} TextFact */

/** @type {(environment: Environment, nodeTitle?: string) => TextFact[]} with another title where other Nodes measured */
export function listEnvironmentFacts(environment, nodeTitle = 'Node') {
  const [[, node], ...others] = listReportedFacts(environment);
  return [[nodeTitle, node], ...others];
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
    order: 51,
    folded: ['terminal', 'markdown'],
    blocks: [factList(listEnvironmentFacts(environment, nodeTitle))],
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
        blocks: [factList(facts)],
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
