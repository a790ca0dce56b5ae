import { parseLabel } from '../../../corpora/support/label.js';
import { canonicalLabel } from '../../../corpora/support/prepare.js';
import { FormatError } from '../../lib/errors.js';
import { escapeControl } from '../../lib/escape.js';
import { PROGRAM } from '../../lib/program.js';
import { omitUndefined } from '../../lib/records.js';
import { LIMITS, isWithin } from '../../run/limits.js';
import { pickReplayed } from '../../run/question-fields.js';
import { isColdFigure, requireFittingCorpus } from '../../run/question.js';
import { nameCell, sharedIdOf } from '../../stats/plan.js';
import { loadOperation } from '../../variants/families.js';
import { isExactRuntime } from '../../variants/runtimes.js';
import { listBands } from './judge.js';

/** @import { Cell, Question, ReplayRecord } from '../../formats/types.ts' */
/** @import { FoundFamily } from '../../variants/families.js' */

/**
 * Refuses a question that no command line could have asked, or that asks for what is not replayed.
 * The format `replay` has limited its numbers; names are looked up elsewhere.
 *
 * @param {Question} question of a report
 * @throws {import('../../lib/errors.js').FormatError}
 */
export function checkQuestion(question) {
  const { looks, earlyLook = 0, memory, mode, nodeFlags, rank, schedule } = question;
  if (memory === 'only') {
    refuse(
      'it measured only memory, and its record has no memory results',
      `measure it here and compare the reports: ${PROGRAM} compare BASELINE CANDIDATE --memory-only`,
    );
  }
  if (looks.some((look, index) => look <= (looks[index - 1] ?? earlyLook))) {
    refuse(`its looks ${quoteText(looks.join(', '))} are not in ascending order`);
  }
  if (rank === true && schedule === 'paired') refuse('it ranks variants in pairs of jobs');
  if (rank === true && question.baseline !== question.candidates[0]) {
    refuse('it ranks variants and has a baseline');
  }
  checkNodeFlags(nodeFlags);
  if (mode === 'screen' && !nodeFlags.includes('--predictable')) {
    refuse('its mode is screen, but its flags lack --predictable');
  }
}

/** Most documents of all corpora together. */
const MAX_DOCUMENTS = 1_000_000;
/** Each may have to be fetched. */
const MAX_RUNTIMES = 8;

/**
 * @typedef {Pick<ReplayRecord, 'question' | 'results'> & {
 *   corpora: { label: string }[],
 *   variants: { baseline: { runtime?: string }, candidates: { runtime?: string }[] },
 *   environment: { node: string },
 * }} CheckedRecord
 */

/**
 * Refuses cells that this checkout would not make. Operations and corpora are looked up in the
 * listings of their folders, and never make a path.
 *
 * @param {CheckedRecord} record of the right form
 * @param {FoundFamily} family
 * @param {string} corporaPath where the user's own corpora are
 * @throws {import('../../lib/errors.js').AssayError} naming the first that does not exist or does not fit
 */
export async function checkCells(record, family, corporaPath) {
  const { cells, candidates } = record.question;
  requireUnique(cells.map(({ id }) => id));
  requireUnique(cells.map((cell) => `${sharedIdOf(cell)} ${candidates[cell.candidate ?? 0]}`));
  for (const cell of cells) {
    requireCandidate(cell, candidates);
    await checkCell({ ...cell, id: sharedIdOf(cell) }, family, corporaPath);
  }
  checkCorpora(record);
  checkRuntimes(record);
  const ids = new Set(cells.map(({ id }) => id));
  requireUnique(record.results.map(({ cellId }) => cellId));
  const foreign = record.results.find(({ cellId }) => !ids.has(cellId));
  if (foreign !== undefined)
    refuse(`there is a result of ${quoteText(foreign.cellId)}, which is not a cell`);
  for (const { cellId, ratio } of record.results) {
    if (
      ratio === null ||
      (ratio.low > 0 && ratio.low <= ratio.estimate && ratio.estimate <= ratio.high)
    )
      continue;
    refuse(`the interval of ${quoteText(cellId)} is invalid`);
  }
}

/** @type {(cell: Cell, candidates: string[]) => void} */
function requireCandidate({ id, sharedId, candidate }, candidates) {
  const isAlone = candidates.length === 1 && candidate === undefined && sharedId === undefined;
  const isOfSeveral = sharedId !== undefined && candidates[candidate ?? -1] !== undefined;
  // A replay keeps the names of its cells, although --map renames candidates, and can itself be replayed.
  if (isAlone || (isOfSeveral && id.startsWith(`${sharedId} `))) return;
  refuse(`the cell ${quoteText(id)} is not of one of its candidates`);
}

/** @param {string[]} ids */
function requireUnique(ids) {
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) refuse(`the cell ${quoteText(twice)} appears twice`);
}

/** @param {Cell} cell @param {FoundFamily} family @param {string} corporaPath */
async function checkCell(cell, family, corporaPath) {
  const { id, operation, corpus, figure, concurrency, cold } = cell;
  const known = await loadOperation(family, operation);
  if (known.figure !== figure) {
    refuse(`the figure of ${quoteText(id)} is not that of the operation ${quoteText(operation)}`);
  }
  const fits =
    concurrency === undefined
      ? known.isAsync !== true
      : known.isAsync === true && isWithin(concurrency, LIMITS.concurrency);
  if (!fits) {
    refuse(`the calls in flight of ${quoteText(id)} are not those of ${quoteText(operation)}`);
  }
  if ((await canonicalLabel(corpus, { directory: corporaPath })) !== corpus) {
    refuse(`${quoteText(corpus)} is not the canonical name of a corpus`);
  }
  await requireFittingCorpus(
    parseLabel(corpus).name,
    { family, operation, description: known },
    { directory: corporaPath },
  );
  if (cold !== undefined && !isColdFigure(cold)) {
    refuse(`the cell ${quoteText(id)} times ${cold.calls} calls, which no comparison does`);
  }
  const wanted = nameCell(cell);
  const bare = nameCell({ operation, corpus, ...omitUndefined({ concurrency, cold }) });
  // A replay measures under the Node of its report without renaming cells, and can itself be replayed.
  if (id !== wanted && id !== bare) refuse(`the cell ${quoteText(id)} is ${quoteText(wanted)}`);
}

/** @param {CheckedRecord} record */
function checkCorpora({ question, corpora }) {
  const labels = new Set(question.cells.map(({ corpus }) => corpus));
  let documents = 0;
  for (const label of labels) {
    if (corpora.filter((corpus) => corpus.label === label).length !== 1) {
      refuse(`it does not have one digest for the corpus ${quoteText(label)}`);
    }
    const { count, growth } = parseLabel(label);
    documents += (count ?? 0) * (growth ?? 1);
  }
  if (documents <= MAX_DOCUMENTS) return;
  refuse(`its corpora have ${documents} documents, more than ${MAX_DOCUMENTS}`);
}

/** @param {CheckedRecord} record */
function checkRuntimes({ question, variants, environment }) {
  const runtimes = [
    `node@${environment.node}`,
    ...question.cells.map(({ runtime }) => runtime),
    ...[variants.baseline, ...variants.candidates].map(({ runtime }) => runtime),
  ].filter((runtime) => runtime !== undefined);
  const foreign = runtimes.find((runtime) => !isExactRuntime(runtime));
  if (foreign !== undefined) refuse(`${quoteText(foreign)} is not an exact version of a runtime`);
  const count = new Set(runtimes).size;
  if (count > MAX_RUNTIMES) refuse(`it asks for ${count} runtimes, more than ${MAX_RUNTIMES}`);
}

/** Flags that affect only how V8 compiles, schedules and collects garbage. None loads, writes, listens or
 * opens anything. */
const WORDS = new Set([
  '--predictable',
  '--single-threaded',
  '--single-threaded-gc',
  '--jitless',
  '--opt',
  '--no-opt',
  '--sparkplug',
  '--no-sparkplug',
  '--always-sparkplug',
  '--maglev',
  '--no-maglev',
  '--turbofan',
  '--no-turbofan',
  '--no-use-osr',
  '--no-concurrent-recompilation',
  '--no-lazy-feedback-allocation',
  '--no-flush-bytecode',
  '--no-parallel-scavenge',
  '--no-concurrent-marking',
  '--no-incremental-marking',
  '--expose-gc',
]);
const NUMBERS = new Set([
  '--max-semi-space-size',
  '--min-semi-space-size',
  '--semi-space-growth-factor',
  '--max-old-space-size',
  '--initial-old-space-size',
  '--max-heap-size',
  '--random-seed',
  '--hash-seed',
]);

/**
 * Refuses flags for Node other than those known to be harmless.
 *
 * @param {string[]} flags of a report
 * @throws {import('../../lib/errors.js').FormatError} naming the first one that is not
 */
export function checkNodeFlags(flags) {
  const foreign = flags.find((flag) => !isHarmless(flag));
  if (foreign === undefined) return;
  refuse(
    `it gives Node the flag ${quoteText(foreign)}, which may load code or open a port`,
    `if you trust it, compare directly: ${PROGRAM} compare BASELINE CANDIDATE --node-flag=FLAG`,
  );
}

/** @param {string} flag */
function isHarmless(flag) {
  const [, name = '', value] = /^(--[a-z_-]+)(?:=(\d{1,9}))?$/.exec(flag) ?? [];
  // V8 reads both spellings.
  const spelled = name.replaceAll('_', '-').replace(/^-+/, '--');
  return (value === undefined ? WORDS : NUMBERS).has(spelled);
}

/**
 * The question to replay: the same cells, seed, looks and flags, without profiles and memory. Measuring of a
 * cell continues until its interval settles whether the result of the report holds. A shard is replayed on its
 * own.
 *
 * @param {Pick<ReplayRecord, 'question' | 'results'>} record checked
 * @param {Pick<Question, 'baseline' | 'candidates'>} specs that may be loaded here
 * @param {object} choices
 * @param {string | null} choices.runtime for cells that name none
 * @param {boolean} choices.allowsBuild whether the build command of the report may run
 * @param {number | null} choices.budgetSeconds null for that of the report
 * @param {boolean} [choices.sandbox] whether workers run in one
 * @param {boolean} [choices.hasTwoCores] whether jobs can run in pairs here, as in some reports
 * @returns {Question}
 */
export function makeReplayQuestion({ question, results }, specs, choices) {
  const { runtime, allowsBuild, budgetSeconds, sandbox = false, hasTwoCores = true } = choices;
  const { schedule, ...kept } = pickReplayed(question);
  return /** @type {Question} */ ({
    ...kept,
    ...specs,
    ...omitUndefined({
      schedule: hasTwoCores ? schedule : undefined,
      build: allowsBuild ? question.build : undefined,
      sandbox: sandbox || undefined,
    }),
    cells: question.cells.map((cell) =>
      runtime === null || cell.runtime !== undefined ? cell : { ...cell, runtime },
    ),
    budgetSeconds: budgetSeconds ?? question.budgetSeconds,
    memory: 'none',
    explain: 'none',
    recorders: [],
    bands: listBands({ question, results }),
  });
}

/** Levels of objects and lists; a record has six. */
const MAX_DEPTH = 12;
/** Characters of a text; an honest command, path or name is far shorter. */
const MAX_LENGTH = 2_000;
/** The only text that may have several lines. It is shown escaped. */
const COMMAND_KEY = 'build';

/**
 * Refuses texts with control or invisible characters, texts that are too long, and values nested too deeply,
 * so that messages can safely quote the report.
 *
 * @param {unknown} value parsed JSON
 * @param {string} [key] of the value in its object
 * @param {number} [depth]
 * @throws {import('../../lib/errors.js').FormatError} naming the place
 */
export function requirePlainText(value, key = '', depth = 0) {
  if (depth > MAX_DEPTH) refuse(`it is nested more than ${MAX_DEPTH} levels deep`);
  if (typeof value === 'string') {
    checkText(value, key);
  } else if (Array.isArray(value)) {
    for (const inner of value) requirePlainText(inner, key, depth + 1);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      checkText(name, 'a key');
      requirePlainText(inner, name, depth + 1);
    }
  }
}

/** @param {string} text @param {string} key */
function checkText(text, key) {
  if (text.length > MAX_LENGTH) {
    refuse(`${quoteText(key)} has a text of ${text.length} characters, more than ${MAX_LENGTH}`);
  }
  if (key === COMMAND_KEY || escapeControl(text) === text) return;
  refuse(`${quoteText(key)} has control or invisible characters: ${quoteText(text)}`);
}

const SHOWN_LENGTH = 200;

/**
 * Refuses a report before anything has run.
 *
 * @param {string} what is wrong with the report
 * @param {string} [remedy]
 * @returns {never}
 * @throws {FormatError}
 */
export function refuse(what, remedy = 'ask for the original report; nothing of it was run') {
  throw new FormatError(`refused: ${what}`, { remedy });
}

/**
 * Quotes text of a report on one line, with control characters escaped.
 * @type {(text: string) => string}
 */
export function quoteText(text) {
  const shown = escapeControl(text);
  return `'${shown.length <= SHOWN_LENGTH ? shown : `${shown.slice(0, SHOWN_LENGTH)}…`}'`;
}
