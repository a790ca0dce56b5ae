/** The fields of a question, in one table: what each decides, which uses of earlier results ignore it, whether a replay
 * keeps it, and which options ask for it. The type `Question` says what they mean. */

import { isDeepStrictEqual } from 'node:util';

/** @import { Question } from '../formats/types.ts' */
/** @import { Use } from './identity.js' */

/**
 * What a field decides: `subject`, what is compared; `rule`, which verdict results lead to; `gate`, what
 * may be incorrect; `conditions`, how a process measures; `plan`, which jobs there are and in which order; `budget`, when measuring stops; `output`, what is
 * recorded besides results.
 *
 * @typedef {'subject' | 'rule' | 'gate' | 'conditions' | 'plan' | 'budget' | 'output'} Decides
 */

/**
 * What to type for one option to ask the same; undefined if the option is not needed.
 *
 * @typedef {(question: Question) => string | readonly string[] | true | undefined} Asked
 */

/**
 * @typedef {object} QuestionField
 * @property {Decides} decides
 * @property {readonly Use[]} [ignoredBy] uses of earlier results for which it may differ
 * @property {boolean} [isReplayed] whether a replay asks it as the report did; other fields it sets or leaves out
 * @property {Readonly<Record<string, Asked>>} [asked] by attribute name of the option
 */

/** @type {Readonly<Record<keyof Question, QuestionField>>} */
const FIELDS = Object.freeze({
  // That of benchmark files is generated for them.
  family: {
    decides: 'subject',
    isReplayed: true,
    asked: { family: ({ family, bench }) => (bench === undefined ? family : undefined) },
  },
  bench: {
    decides: 'subject',
    asked: { bench: ({ bench }) => bench?.files, benchArgs: ({ bench }) => bench?.args?.join(' ') },
  },
  baseline: { decides: 'subject' },
  candidates: { decides: 'subject' },
  rank: { decides: 'subject', isReplayed: true, asked: { rank: ({ rank }) => rank || undefined } },
  cells: {
    decides: 'subject',
    asked: {
      op: ({ cells }) => joinNames(cells.map(({ operation }) => operation)),
      corpus: ({ cells }) => joinNames(cells.map(({ corpus }) => corpus)),
      runtime: ({ cells }) => joinNames(cells.flatMap(({ runtime }) => runtime ?? [])),
      concurrency: ({ cells }) =>
        cells.find(({ concurrency = 1 }) => concurrency > 1)?.concurrency?.toString(),
      cold: ({ cells }) => cells.some(({ cold }) => (cold?.calls ?? 0) > 0) || undefined,
      load: ({ cells }) => cells.some(({ cold }) => cold?.calls === 0) || undefined,
    },
  },
  minimumEffect: {
    decides: 'rule',
    isReplayed: true,
    asked: {
      mei: ({ minimumEffect }) => String(Number((minimumEffect * 100).toPrecision(12))),
    },
  },
  alpha: { decides: 'rule', isReplayed: true },
  looks: {
    decides: 'rule',
    isReplayed: true,
    asked: { processes: ({ looks }) => String(looks.at(-1)) },
  },
  // It gives only clear directions, so that results with and without it are used together.
  earlyLook: { decides: 'plan', isReplayed: true },
  boundary: { decides: 'rule', isReplayed: true },
  bands: { decides: 'rule' },
  measuresOn: { decides: 'plan' },
  acceptedRows: {
    decides: 'gate',
    isReplayed: true,
    asked: { accept: ({ acceptedRows }) => joinNames(acceptedRows) },
  },
  // A replay loads nothing that the report names besides its variants.
  reference: { decides: 'gate', asked: { reference: ({ reference }) => reference } },
  typed: { decides: 'output', ignoredBy: ['reuse', 'resumeStudy'] },
  mode: {
    decides: 'conditions',
    isReplayed: true,
    asked: { screen: ({ mode }) => mode === 'screen' || undefined },
  },
  schedule: {
    decides: 'conditions',
    isReplayed: true,
    asked: { schedule: ({ schedule }) => schedule ?? 'sequential' },
  },
  nodeFlags: {
    decides: 'conditions',
    isReplayed: true,
    // The first flag in screen mode is that of the mode.
    asked: { nodeFlag: ({ mode, nodeFlags }) => nodeFlags.slice(mode === 'screen' ? 1 : 0) },
  },
  server: { decides: 'conditions', isReplayed: true, asked: { server: ({ server }) => server } },
  sandbox: {
    decides: 'conditions',
    asked: { sandbox: ({ sandbox }) => sandbox || undefined },
  },
  build: { decides: 'conditions', asked: { build: ({ build }) => build } },
  asOf: { decides: 'conditions', isReplayed: true, asked: { asOf: ({ asOf }) => asOf } },
  seed: {
    decides: 'plan',
    ignoredBy: ['reuse'],
    isReplayed: true,
    asked: { seed: ({ seed }) => String(seed) },
  },
  placements: {
    decides: 'plan',
    isReplayed: true,
    asked: { placements: ({ placements }) => placements?.toString() },
  },
  placesAll: { decides: 'plan', isReplayed: true },
  memory: {
    decides: 'plan',
    asked: {
      memory: ({ memory }) => memory === 'too' || undefined,
      memoryOnly: ({ memory }) => memory === 'only' || undefined,
    },
  },
  memoryKinds: { decides: 'plan' },
  budgetSeconds: {
    decides: 'budget',
    ignoredBy: ['reuse', 'resumeStudy'],
    isReplayed: true,
    asked: { budget: ({ budgetSeconds }) => budgetSeconds?.toString() },
  },
  explain: { decides: 'output', asked: { explain: ({ explain }) => explain } },
  recorders: { decides: 'output', asked: { with: ({ recorders }) => joinNames(recorders) } },
});

const NAMES = /** @type {(keyof Question)[]} */ (Object.keys(FIELDS));

/** How each option asks for a question, by attribute name. @type {Readonly<Record<string, Asked>>} */
export const ASKED = Object.freeze(
  Object.assign({}, ...Object.values(FIELDS).map(({ asked }) => asked ?? {})),
);

/** @type {(decides: Decides, before: Question, now: Question) => boolean} whether two questions agree on such fields */
export function agreeOn(decides, before, now) {
  const [left, right] = [before, now].map((question) =>
    pick(question, (name) => FIELDS[name].decides === decides),
  );
  return isDeepStrictEqual(left, right);
}

/** @type {(question: Question, use: Use) => Partial<Question>} what such a use compares */
export function pickCompared(question, use) {
  return pick(question, (name) => FIELDS[name].ignoredBy?.includes(use) !== true);
}

/** @type {(question: Question) => Partial<Question>} what a replay asks as the report did */
export function pickReplayed(question) {
  return pick(question, (name) => FIELDS[name].isReplayed === true);
}

/** @type {(question: Question, isWanted: (name: keyof Question) => boolean) => Partial<Question>} */
function pick(question, isWanted) {
  const wanted = NAMES.filter((name) => isWanted(name) && question[name] !== undefined);
  return Object.fromEntries(wanted.map((name) => [name, question[name]]));
}

/** @type {(names: string[]) => string | undefined} each once, as an option reads a list */
function joinNames(names) {
  return names.length === 0 ? undefined : [...new Set(names)].join(',');
}
