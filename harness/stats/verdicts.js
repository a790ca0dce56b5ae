/**
 * The words of a verdict and everything that follows from them: whether a verdict is a direction, settles
 * its cell or fails a check. A new word is an entry here, one in
 * its type (`formats/verdict.ts`), and the rule that gives it (`decision-rule.js`); a direction with
 * another threshold also concerns `placement.js`.
 */

/** @import { CellComparison, ContractRow, MemoryWord, RatioInterval, VerdictWord } from '../formats/types.ts' */

/**
 * @typedef {object} Meaning
 * @property {string} phrase ends "… up to 4 getters read"
 * @property {string} sign shows the verdict without colour
 * @property {'good' | 'bad' | 'plain' | 'doubtful'} tone
 * @property {number} order in a sentence; of two directions, the more frequent comes first
 */

/**
 * @typedef {Meaning & {
 *   finding: 'faster' | 'slower' | 'same' | null,
 *   decided: boolean,
 * }} VerdictMeaning `finding`: what it says about the candidate's time, null for nothing; `decided`:
 *   more processes would not change it
 */

/** In the order in which counts of them are stored. @type {Record<VerdictWord, VerdictMeaning>} */
export const VERDICTS = {
  faster: { finding: 'faster', decided: true, phrase: 'faster', sign: '▼', tone: 'good', order: 1 },
  slower: { finding: 'slower', decided: true, phrase: 'slower', sign: '▲', tone: 'bad', order: 0 },
  equivalent: {
    finding: 'same',
    decided: true,
    phrase: 'equivalent',
    sign: '=',
    tone: 'plain',
    order: 2,
  },
  inconclusive: {
    finding: null,
    decided: false,
    phrase: 'no difference known',
    sign: '?',
    tone: 'doubtful',
    order: 3,
  },
  refused: { finding: null, decided: true, phrase: 'refused', sign: '✕', tone: 'bad', order: 5 },
  untrusted: {
    finding: null,
    decided: false,
    phrase: 'not to be trusted',
    sign: '!',
    tone: 'doubtful',
    order: 4,
  },
};

/** The same for figures of memory. @type {Record<MemoryWord, { isDifference: boolean, tone: Meaning['tone'] }>} */
export const MEMORY_VERDICTS = {
  smaller: { isDifference: true, tone: 'good' },
  larger: { isDifference: true, tone: 'bad' },
  equivalent: { isDifference: false, tone: 'plain' },
  inconclusive: { isDifference: false, tone: 'doubtful' },
  untrusted: { isDifference: false, tone: 'doubtful' },
};

/** @param {VerdictWord} word by the rule for times @returns {MemoryWord} */
export function toMemoryWord(word) {
  const { finding } = VERDICTS[word];
  if (finding === 'same') return 'equivalent';
  if (finding === null) return 'inconclusive';
  return finding === 'faster' ? 'smaller' : 'larger';
}

/** @type {(word: VerdictWord) => boolean} whether it says that the candidate's time differs, either way */
export function isDirection(word) {
  return isFaster(word) || isSlower(word);
}

/** @type {(word: VerdictWord) => boolean} */
export function isFaster(word) {
  return VERDICTS[word]?.finding === 'faster';
}

/** @type {(word: VerdictWord) => boolean} whether it is a regression, which `--check` and a bisection look for */
export function isSlower(word) {
  return VERDICTS[word]?.finding === 'slower';
}

/** @type {(word: VerdictWord) => boolean} whether the cell is settled, so that more processes would not help */
export function isDecided(word) {
  return VERDICTS[word]?.decided ?? false;
}

/** @type {(count: (word: VerdictWord) => number) => Record<VerdictWord, number>} in the order of the table */
export function forEachVerdict(count) {
  const words = /** @type {VerdictWord[]} */ (Object.keys(VERDICTS));
  return /** @type {Record<VerdictWord, number>} */ (
    Object.fromEntries(words.map((word) => [word, count(word)]))
  );
}

/** In place of the names of rows: every row of the contract may fail. */
export const ALL_ROWS = 'all';

/** @type {(row: Pick<ContractRow, 'name'>, acceptedRows: readonly string[]) => boolean} */
export function isAccepted({ name }, acceptedRows) {
  return acceptedRows.includes(name) || acceptedRows.includes(ALL_ROWS);
}

/**
 * The rows of the contract that refuse a comparison: they fail, the variant does not declare it, and
 * the user has not accepted it.
 *
 * @param {Record<string, ContractRow[]>} contracts
 * @param {string[]} acceptedRows by name, or `ALL_ROWS`
 * @returns {{ spec: string, row: ContractRow }[]}
 */
export function contractViolations(contracts, acceptedRows) {
  return Object.entries(contracts).flatMap(([spec, rows]) =>
    rows
      .filter((row) => row.outcome === 'fails' && !isAccepted(row, acceptedRows))
      .map((row) => ({ spec, row })),
  );
}

/** The runtime in the results of the contract. */
const UNDER = /^ [a-z][a-z0-9-]*@[\d.]+$/;

/**
 * @param {string} name a variant in the results of the contract: `linked-list`, `linked-list node@22.11.0`
 * @param {string} spec
 * @returns {boolean} whether it is that variant, under any runtime
 */
export function isNamed(name, spec) {
  return name === spec || (name.startsWith(spec) && UNDER.test(name.slice(spec.length)));
}

/**
 * @param {Pick<CellComparison, 'effect' | 'standing'>} comparison
 * @returns {RatioInterval | null} what the verdict rests on: the ratio to the baseline or, in a ranking, to the fastest
 *   of the others
 */
export function ratioOf({ effect, standing }) {
  return effect?.ratio ?? standing?.ratio ?? null;
}
