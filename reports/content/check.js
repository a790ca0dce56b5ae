/** The report on variants that were checked without being timed. */

/** @import { ConformanceFailure, ContractRow, Difference } from '../../harness/formats/types.ts' */
/** @import { Block, Document, Section } from '../document/model.ts' */

import { countOf, formatCount } from '../../harness/lib/numbers.js';
import { PROGRAM } from '../../harness/lib/program.js';
import { list, paragraph, section, titled } from './build.js';
import { OUTCOMES, summarizeContract } from './contract.js';

/** Differences and failures listed of one variant; the rest is counted. */
const MAX_SHOWN = 10;

/**
 * @typedef {object} Check
 * @property {string} spec
 * @property {string} reference
 * @property {Difference[]} differences from the reference's output on the corpora
 * @property {number} passed vectors and limits
 * @property {ConformanceFailure[]} failures of vectors and limits
 * @property {ContractRow[]} contract
 */

/** @type {(checks: Check[]) => Document} */
export function describeChecks(checks) {
  return {
    title: 'Behaviour of variants',
    eyebrow: 'Assay check',
    source: `${PROGRAM} check --format json`,
    sections: checks.map(checkSection),
    footer: 'No variant was timed.',
  };
}

/**
 * @param {Pick<Check, 'differences' | 'failures' | 'contract'>} check
 * @returns {boolean} whether nothing differs from the reference but what may
 */
export function isCorrect({ differences, failures, contract }) {
  const isBroken = contract.some(({ outcome }) => outcome === 'fails');
  return !isBroken && differences.length + failures.length === 0;
}

/** @type {(check: Check, index: number) => Section} */
function checkSection({ spec, reference, differences, passed, failures, contract }, index) {
  const isRight = isCorrect({ differences, failures, contract });
  const verdict = isRight ? ' behaves like ' : ' is not correct: it does not behave like ';
  const cases = `${countOf(passed, 'holds', 'hold')}, ${countOf(failures.length, 'fails', 'fail')}`;
  return section(`check-${index + 1}`, `Behaviour of ${spec} compared with ${reference}`, [
    contractTable(contract),
    problemList('Corpora', differences.map(describeDifference)),
    problemList('Vectors and limits', failures.map(describeFailure)),
    paragraph(
      [
        {
          tone: isRight ? 'good' : 'bad',
          text: [{ code: spec }, verdict, { code: reference }],
        },
      ],
      'lead',
    ),
    list([
      ...(contract.length === 0 ? [] : [`contract: ${summarizeContract(contract)}`]),
      differences.length === 0
        ? 'corpora: same bytes'
        : `corpora: ${countOf(differences.length, 'difference')}; another reference: --reference VARIANT`,
      // A family may promise the right output and nothing more.
      ...(passed + failures.length === 0 ? [] : [`vectors and limits: ${cases}`]),
    ]),
  ]);
}

/** @type {(contract: ContractRow[]) => Block} */
function contractTable(contract) {
  return {
    kind: 'table',
    label: 'Behaviour contract',
    columns: [
      { title: 'theme', kind: 'group' },
      { title: 'promise', kind: 'name' },
      { title: 'outcome' },
      { title: 'meaning', kind: 'prose' },
    ],
    rows: contract.map(({ theme, name, outcome, promise, detail }) => {
      const { word, tone } = OUTCOMES[outcome];
      return [
        theme,
        { code: name },
        { tone, text: word },
        detail === null ? promise : [promise, ' → ', { tone, text: detail }],
      ];
    }),
  };
}

/** @type {(title: string, problems: string[]) => Block} */
function problemList(title, problems) {
  const rest = problems.length - MAX_SHOWN;
  const items = [
    ...problems.slice(0, MAX_SHOWN),
    ...(rest > 0 ? [`… and ${formatCount(rest)} more`] : []),
  ];
  return titled(title, [list(items)]);
}

/** @type {(difference: Difference) => string} */
function describeDifference({ cellId, document, path, expected, found }) {
  return `${cellId}, document ${document}, ${path}: expected ${expected}, found ${found}`;
}

/** @type {(failure: ConformanceFailure) => string} */
function describeFailure({ name, expected, found }) {
  return `${name}: expected ${expected}, found ${found}`;
}
