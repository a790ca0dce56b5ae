/** The sentence that a reader takes away, derived from the data alone, with what it rests on. */

/** @import { CalibrationCitation, CellComparison, Conditions, Manifest, OperationSummary, Verdict, VerdictWord } from '../../../harness/formats/types.ts' */
/** @import { Block, Inline, Section } from '../../document/model.ts' */

import {
  countOf,
  formatChange,
  formatConfidence,
  formatDuration,
  formatInterval,
  formatRatio,
  formatShare,
  isFigure,
} from '../../../harness/lib/numbers.js';
import { isWithoutNoise } from '../../../harness/stats/robust.js';
import { MAX_PROCESSES } from '../../../harness/stats/band.js';
import { contrastOf } from '../../../harness/stats/contrast.js';
import { figureOf } from '../../../harness/stats/figure.js';
import { PROGRAM } from '../../../harness/lib/program.js';
import { RUNS } from '../../../harness/lib/project.js';
import { dayOf, listWords, nameRuntime, quoteWords } from '../../../harness/lib/words.js';
import {
  contractViolations,
  isDecided,
  isDirection,
  isNamed,
  VERDICTS,
} from '../../../harness/stats/verdicts.js';
import { listVariants } from '../../../harness/stats/plan.js';
import { plainText } from '../../document/inline.js';
import { listCode, separate } from '../build.js';
import { chooseUsualBudget } from '../environment.js';
import { formatProportion, formatProportionInterval } from '../shares.js';
import { isMeasured } from './counts.js';
import { summarizeMemory } from './memory.js';
import { rankingSentences } from './ranking.js';
import { summarizeSizes } from './sizes.js';
import {
  hasRuntimeColumn,
  nameInterval,
  nameChecked,
  hasRatios,
  timesFirstCalls,
  timesLoad,
  listPairs,
  listSpecs,
  listRuntimes,
  partLabel,
} from './words.js';

/** Operations that one sentence can name; with more, the tables are shorter. */
const MAX_NAMED = 3;
/** Rows of the behaviour contract that the sentence names; its own table has all. */
const MAX_ROWS = 8;
/** Characters; only names that are not honest make a longer sentence. */
const MAX_SENTENCE_LENGTH = 10_000;

/**
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @param {object} place
 * @param {string | undefined} place.runPath as a user of this machine would type it
 * @param {boolean} place.isCut whether a page shows less than there is
 * @returns {Section}
 */
export function makeVerdictSection(manifest, verdict, { runPath, isCut }) {
  const sentences = verdictSentences(manifest, verdict);
  const isShort = plainText(sentences).length <= MAX_SENTENCE_LENGTH;
  const { mode } = manifest.question;
  return {
    id: 'verdict',
    title: 'Verdict',
    untitled: ['terminal', 'markdown', 'html'],
    blocks: [
      ...(isShort ? sentences : [LONG_NAMES]).map(
        (text) => /** @type {Block} */ ({ kind: 'paragraph', role: 'lead', text }),
      ),
      // A page says below its table how far to trust this.
      ...listParagraphs(
        'basis',
        [
          basisSentence(manifest, verdict),
          calibrationSentence(verdict.calibration, manifest.question),
        ],
        ['terminal', 'markdown'],
      ),
      ...(mode === 'screen' ? listParagraphs('remark', [SCREEN_REMARK]) : []),
      ...listParagraphs('remark', [openSentence(manifest, verdict)], ['terminal', 'markdown']),
      // A path of this machine means nothing to who reads the files elsewhere.
      ...listParagraphs('remark', [endSentence(verdict, runPath)], ['terminal']),
      ...listParagraphs(
        'remark',
        [endSentence(verdict, `${RUNS}/${manifest.runId}`)],
        ['markdown'],
      ),
      ...(isCut ? listParagraphs('remark', [CUT_REMARK], ['html']) : []),
    ],
  };
}

const LONG_NAMES = 'The names are too long for a sentence; the verdicts are in the table of times.';
const CUT_REMARK =
  'Shortened to stay below 2 MB: tables, plots and flamegraphs are incomplete. verdict.json and the other files of the run have everything.';
/** @type {Inline} */
const SCREEN_REMARK = [
  'Screen mode measures under ',
  { code: '--predictable' },
  ': a quick look, not a claim. Measure again without ',
  { code: '--screen' },
  ' before publishing a figure.',
];

/** @type {(role: 'basis' | 'remark', texts: (Inline | null)[], only?: Block['only']) => Block[]} */
function listParagraphs(role, texts, only) {
  return texts.flatMap((text) => (text === null ? [] : [{ kind: 'paragraph', role, text, only }]));
}

/**
 * Says what each candidate is relative to the baseline, on how many cells, and by how much in time
 * and in throughput.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {Inline[]} with no-break spaces between figures and units; one for all candidates if the run
 *   was refused
 */
export function verdictSentences(manifest, verdict) {
  const isRefused = verdict.ended === 'refused';
  const { question } = manifest;
  if (!contrastOf(question).hasBaseline && !isRefused) {
    const limits = describeLimits(manifest, verdict);
    const sentences = [...rankingSentences(manifest, verdict), summarizeSizes(question, verdict)];
    return sentences.filter(isText).map((sentence) => [limits, sentence]);
  }
  if (isRefused) return [verdictSentence(manifest, verdict)];
  return listPairs(manifest, verdict).map((pair) => verdictSentence(pair.manifest, pair.verdict));
}

/**
 * The same of times alone, without the means.
 * @type {(manifest: Manifest, verdict: Verdict) => Inline[]} none where no times were compared
 */
export function timeSentences(manifest, verdict) {
  const limits = describeLimits(manifest, verdict);
  const isRefused = verdict.ended === 'refused';
  if (verdict.cells.length === 0 && !isRefused) return [];
  if (isRefused) return [[limits, chooseSentence(manifest, verdict, [])]];
  if (!contrastOf(manifest.question).hasBaseline) {
    return rankingSentences(manifest, verdict).map((sentence) => [limits, sentence]);
  }
  return listPairs(manifest, verdict).map((pair) => [
    describeLimits(pair.manifest, pair.verdict),
    chooseSentence(pair.manifest, pair.verdict, []),
  ]);
}

/** @type {(manifest: Manifest, verdict: Verdict) => Inline} */
function verdictSentence(manifest, verdict) {
  const limits = describeLimits(manifest, verdict);
  const ofMemory = summarizeMemory(manifest.question, verdict.memory);
  if (verdict.cells.length === 0 && isText(ofMemory)) return [limits, ofMemory];
  const others = [summarizeSizes(manifest.question, verdict), ofMemory].filter(isText);
  const means = meansPhrase(verdict, manifest.question.alpha);
  return [limits, separate([chooseSentence(manifest, verdict, means), ...others], ' ')];
}

/** @type {(text: Inline) => boolean} whether it has any characters */
function isText(text) {
  return plainText(text) !== '';
}

/**
 * What a verdict holds for, where that is not a whole plan of warm code in default mode under the Node
 * that ran Assay.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {Inline[]} `Screen mode, part 1 of 3 (2 of 6 cells), Node 22.11.0: `; empty for most
 */
function describeLimits(manifest, verdict) {
  const { question, environment } = manifest;
  const part = partLabel(manifest, verdict);
  const runtimes = listRuntimes(question.cells, environment);
  /** @type {Inline[]} */
  const limits = [
    ...(question.mode === 'screen' ? ['screen mode'] : []),
    ...(timesFirstCalls(question)
      ? [timesLoad(question) ? 'loading in new processes' : 'first calls of new processes']
      : []),
    ...(part === null ? [] : [part]),
    ...(hasRuntimeColumn(verdict) ? [runtimes.join(', ')] : []),
  ];
  const [first, ...others] = limits;
  if (first === undefined) return [];
  const capital =
    typeof first === 'string' ? first.charAt(0).toUpperCase() + first.slice(1) : first;
  return [separate([capital, ...others], ', '), ': '];
}

/** @type {(manifest: Manifest, verdict: Verdict, means: Inline[]) => Inline} */
function chooseSentence(manifest, verdict, means) {
  const { baseline, candidates } = manifest.question;
  const refused = verdict.cells.filter((cell) => cell.verdict === 'refused').length;
  if (refused > 0) return refusalSentence(manifest, verdict, refused);
  if (!hasRatios(verdict)) {
    return [
      'No verdict on ',
      listSpecs(candidates),
      ' against ',
      { code: baseline },
      verdict.cells.some(isMeasured) ? ': no cell has enough figures.' : ': no cell has data.',
    ];
  }
  return [outcomePhrase(manifest, verdict), ...(means.length === 0 ? [] : [': ', means]), '.'];
}

/**
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @param {number} refused count of cells
 * @returns {Inline}
 */
function refusalSentence(manifest, verdict, refused) {
  const breaches = contractViolations(manifest.contracts, manifest.question.acceptedRows);
  if (breaches.length > 0) {
    const specs = breaches.map(({ spec }) => spec);
    const { reference } = manifest.variants;
    const isBroken = specs.some((spec) => isNamed(spec, reference.spec));
    return [
      breachSentence(breaches),
      isBroken
        ? ' The reference breaks it, too, so that the runtime may be at fault rather than the variants.'
        : describeRest(manifest.question, specs),
    ];
  }
  const named = new Set(verdict.differences.map(({ variant }) => variant));
  if (named.size === 0) named.add(manifest.question.candidates[0]);
  const verb = named.size === 1 ? 'does' : 'do';
  const untimed = verdict.timing.observations === 0 ? '; nothing was timed' : '';
  const cells = countCells(refused, verdict.cells.length);
  return [
    separate(
      [...named].map((name) => ({ code: name })),
      ' and ',
    ),
    ` ${verb} not produce the reference's output on ${cells}${untimed}.`,
    ...(untimed === '' ? [] : [describeRest(manifest.question, [...named])]),
  ];
}

/**
 * @param {Manifest['question']} question
 * @param {string[]} refused names of variants
 * @returns {string} empty if no comparison is left without them
 */
function describeRest(question, refused) {
  const isRefused = (/** @type {string} */ spec) => refused.some((name) => isNamed(name, spec));
  const variants = listVariants(question);
  const left = variants.filter((spec) => !isRefused(spec)).length;
  const isBaselineLeft = !contrastOf(question).hasBaseline || !isRefused(question.baseline);
  if (left < 2 || !isBaselineLeft) return '';
  return ` Leave ${variants.length - left === 1 ? 'it' : 'them'} out to compare the others.`;
}

/**
 * @param {ReturnType<typeof contractViolations>} breaches at least one
 * @returns {Inline} `a breaks the behaviour contract (json, cycles); nothing was timed.`
 */
function breachSentence(breaches) {
  const specs = [...new Set(breaches.map(({ spec }) => spec))];
  const parts = specs.map((spec) => {
    const rows = breaches.filter((breach) => breach.spec === spec);
    const names = rows.slice(0, MAX_ROWS).map(({ row }) => row.name);
    const more = rows.length > MAX_ROWS ? ` and ${rows.length - MAX_ROWS} others` : '';
    return [{ code: spec }, ' breaks the behaviour contract (', listCode(names), `${more})`];
  });
  return [separate(parts, ' and '), '; nothing was timed.'];
}

/**
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {Inline} `linked-list is faster than generator on 4 of 6 cells, equivalent on 2`
 */
function outcomePhrase({ question }, verdict) {
  const counts = countWords(verdict);
  const [lead, ...others] = orderWords(counts);
  const candidate = { code: question.candidates[0] };
  const baseline = { code: question.baseline };
  const cells = countCells(counts.get(lead ?? 'inconclusive') ?? 0, verdict.cells.length);
  const rest = others.map((word) => `, ${word} on ${counts.get(word)}`).join('');
  if (lead !== undefined && isDirection(lead)) {
    return [candidate, ` is ${lead} than `, baseline, ` on ${cells}${rest}`];
  }
  if (lead === 'equivalent') {
    const margin = formatShare(question.minimumEffect);
    return [candidate, ' and ', baseline, ` are equivalent within ${margin} on ${cells}${rest}`];
  }
  return [candidate, ' against ', baseline, ` is ${lead} on ${cells}${rest}`];
}

/**
 * @param {Map<VerdictWord, number>} counts
 * @returns {VerdictWord[]} in the order of a sentence: directions first, the more frequent before the
 *   other
 */
function orderWords(counts) {
  return [...counts.keys()].sort((a, b) => {
    const byCount = (counts.get(b) ?? 0) - (counts.get(a) ?? 0);
    const byOrder = VERDICTS[a].order - VERDICTS[b].order;
    return isDirection(a) && isDirection(b) && byCount !== 0 ? byCount : byOrder;
  });
}

/** @type {(verdict: Verdict) => Map<VerdictWord, number>} */
function countWords({ cells }) {
  const counts = new Map();
  for (const { verdict: word } of cells) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** @type {(count: number, total: number) => string} `4 of 6 cells` */
function countCells(count, total) {
  return `${count} of ${countOf(total, 'cell')}`;
}

/**
 * A mean over cells that are not settled is no result, and an estimate is none without its interval.
 *
 * @param {Verdict} verdict
 * @param {number} alpha of the intervals
 * @returns {Inline[]} `serialize ×0.423 time (−58 %, throughput ×2.36, 98 % interval 0.411–0.436), deserialize …`;
 *   empty where no operation is settled on all its cells, there are too many operations, or code is cold
 */
function meansPhrase(verdict, alpha) {
  const isSettled = (/** @type {OperationSummary} */ { operation, runtime }) =>
    verdict.cells
      .filter(({ cell }) => cell.operation === operation && cell.runtime === runtime)
      .every((cell) => isDecided(cell.verdict));
  // Cold figures of one operation would need a name each.
  const known = verdict.summaries.filter(
    (mean) => figureOf(mean).calls === '' && isFigure(mean.ratio?.estimate) && isSettled(mean),
  );
  if (known.length > MAX_NAMED) return [];
  const hasSeveral = new Set(verdict.cells.map(({ cell }) => cell.runtime)).size > 1;
  const phrases = known.map((mean) => {
    const { operation, runtime, ratio } = mean;
    const { change, throughput } = formatChange(ratio.estimate);
    const under = hasSeveral && runtime !== undefined ? ` under ${nameRuntime(runtime)}` : '';
    const interval = `${nameInterval(alpha, verdict.cells)} ${formatInterval(ratio)}`;
    const spread = describeCells(verdict.cells, mean);
    const size = ` ×${formatRatio(ratio.estimate)} time (${change}, throughput ${throughput}, ${interval}${spread})`;
    return [{ code: operation }, under, size];
  });
  return separate(phrases, ', ');
}

/**
 * @param {CellComparison[]} cells
 * @param {Pick<OperationSummary, 'operation' | 'runtime' | 'ratio'>} mean
 * @returns {string} `; cells ×0.500 to ×0.810` where a mean hides that its cells differ
 */
function describeCells(cells, { operation, runtime, ratio: { estimate } }) {
  const ratios = cells.flatMap(({ cell, effect }) =>
    cell.operation === operation && cell.runtime === runtime ? (effect?.ratio ?? []) : [],
  );
  if (ratios.every(({ low, high }) => low <= estimate && estimate <= high)) return '';
  const values = ratios.map((ratio) => ratio.estimate);
  return `; cells ×${formatRatio(Math.min(...values))} to ×${formatRatio(Math.max(...values))}`;
}

/**
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {Inline | null} what the verdict rests on; null where nothing was measured
 */
function basisSentence({ question, variants }, { cells, timing, parts }) {
  const isPair = listVariants(question).length === 2;
  const measured = cells.filter(isMeasured);
  if (measured.length === 0) return null;
  const controls = listControls(measured);
  const [low, high] = endsOf(controls.map(({ ratio }) => ratio.estimate));
  const range = low === high ? low : `between ${low} and ${high}`;
  // Equal figures have no interval.
  const noisy = controls.filter(({ standardError = 1 }) => !isWithoutNoise(standardError));
  const span = endsOf(noisy.flatMap(({ ratio }) => [ratio.low, ratio.high])).join('–');
  const within = `${formatConfidence(question.alpha)} ${noisy.length === 1 ? 'interval' : 'intervals within'} ${span}`;
  const compared = contrastOf(question).hasBaseline
    ? 'The control, the baseline against itself,'
    : 'Halves of the processes of one variant, against each other,';
  const bounds = noisy.length === 0 ? '' : ` (${within})`;
  const control = controls.length === 0 ? '' : ` ${compared} measured ${range}${bounds}.`;
  const where = nameChecked(cells);
  const processes = countOf(timing.observations, 'process', 'processes');
  const place = parts === undefined ? formatDuration(timing.wallMs) : countOf(parts.length, 'part');
  const measuredIn = `${processes} in ${place}.${control}`;
  if (where === null) return measuredIn;
  return [
    `${isPair ? 'Both' : 'All'} variants produce the same output as `,
    { code: variants.reference.spec },
    ` for every document${where}. ${measuredIn}`,
  ];
}

/** @param {CellComparison[]} cells */
function listControls(cells) {
  return cells.filter(isMeasured).flatMap(({ control }) => control ?? []);
}

/** @type {(values: number[]) => string[]} the smallest and the largest */
function endsOf(values) {
  return [Math.min(...values), Math.max(...values)].map(formatRatio);
}

/** A control that is further from 1 than this, though no more than by chance, shows how large chance is. */
const MAX_CONTROL = 0.1;

/**
 * @param {Manifest['question']} question
 * @param {CellComparison[]} cells
 * @returns {{ text: Inline, isNear: boolean } | null} `generator against itself: 0.998 to 1.012 (should be 1)`, and
 *   whether that is near 1; null without any control
 */
export function summarizeControls(question, cells) {
  const controls = listControls(cells);
  if (controls.length === 0) return null;
  const isNear = controls.every(({ ratio }) => Math.abs(ratio.estimate - 1) <= MAX_CONTROL);
  const [low, high] = endsOf(controls.map(({ ratio }) => ratio.estimate));
  const range = low === high ? low : `${low} to ${high}`;
  const compared = contrastOf(question).hasBaseline
    ? [{ code: question.baseline }, ' against itself']
    : 'Halves of the processes of one variant against each other';
  return { text: [compared, `: ${range} (should be 1)`], isNear };
}

/**
 * What a calibration of the host says of comparisons like this one.
 *
 * @param {CalibrationCitation | undefined} citation
 * @param {Conditions} conditions of the comparisons
 * @returns {string | null} `On this host 3 of 212 A/A comparisons (1.4 %, 0.3–4.1 %) were called
 *   different; 20 s per cell detects an effect of 1.8 %. Calibrated 2026-01-02.`; null without a
 *   calibration
 */
export function calibrationSentence(citation, { mode, schedule }) {
  if (citation === undefined || citation.falsePositives.of === 0) return null;
  const { falsePositives, detectable, createdAt } = citation;
  const { count, of } = falsePositives;
  const under = `${mode === 'screen' ? ' in screen mode' : ''}${schedule === undefined ? '' : ` in pairs`}`;
  const share = `${formatProportion(falsePositives)}, ${formatProportionInterval(falsePositives)}`;
  const called = `${count === 1 ? 'was' : 'were'} called different`;
  const chosen = chooseUsualBudget(detectable.filter(({ effect }) => effect !== null));
  const power =
    chosen === null
      ? ''
      : `; ${chosen.budgetSeconds} s per cell detects an effect of ${formatShare(chosen.effect)}`;
  return `On this host ${count} of ${of} A/A comparisons${under} (${share}) ${called}${power}. Calibrated ${dayOf(createdAt)}.`;
}

/** @type {(verdict: Verdict, run: string | undefined) => Inline | null} why measuring ended early, and what measures the rest; null where it did not */
export function endSentence(verdict, run) {
  const end = describeEnd(verdict, run);
  if (end === null) return null;
  const { text, command } = end;
  if (command !== null) return [text, '. Measure the rest with: ', { code: command }];
  return verdict.ended === 'failed'
    ? [text, '; the notes say which.']
    : [text, '. Resume the parts that are not done, and merge again.'];
}

/**
 * @param {Verdict} verdict
 * @param {string | undefined} run path or id
 * @returns {{ text: string, command: string | null } | null} why measuring ended early, without a full stop, and the
 *   command that measures the rest; null where it did not
 */
export function describeEnd(verdict, run) {
  const missing = listUnmeasured(verdict);
  const before = missing.length === 0 ? '' : `, before ${listWords(missing)}`;
  const seen = `after ${countOf(verdict.timing.observations, 'process', 'processes')}${before}`;
  const command =
    verdict.parts === undefined
      ? `${PROGRAM} compare --resume ${quoteWords([run ?? verdict.runId])}`
      : null;
  switch (verdict.ended) {
    case 'budget':
      return missing.length === 0 ? null : { text: `The time budget ran out ${seen}`, command };
    case 'interrupted':
      return { text: `The run was interrupted ${seen}`, command };
    case 'failed':
      return { text: 'Some jobs kept failing, so results are missing', command: null };
    default:
      return null;
  }
}

/**
 * What a run that ended as planned has not settled, and what would help. Of others, the sentence on the end says it.
 * @type {(manifest: Pick<Manifest, 'question'>, verdict: Verdict) => Inline | null} null where all cells are settled
 */
function openSentence(manifest, verdict) {
  const { ended, cells } = verdict;
  const open = cells.filter((cell) => !isDecided(cell.verdict));
  if (ended !== 'complete' || open.length === 0) return null;
  const names =
    open.length > MAX_NAMED
      ? countCells(open.length, cells.length)
      : listCode(open.map(({ cell }) => cell.id));
  return [
    'Not settled: ',
    names,
    '.',
    ...listRemedies(manifest, verdict, open.length === 1 ? 'it' : 'them').flatMap((remedy) => [
      ' ',
      remedy,
    ]),
    ...(open.some(({ placement }) => placement !== undefined)
      ? [
          ' Where other placements of the code do not show the difference, more processes do not help.',
        ]
      : []),
  ];
}

/**
 * @param {Pick<Manifest, 'question'>} manifest
 * @param {Verdict} verdict
 * @param {string} subject what is open
 * @returns {Inline[]} a sentence each: what would settle it in a run that ended as planned
 */
export function listRemedies({ question }, { ended, cells }, subject) {
  const open = cells.filter((cell) => !isDecided(cell.verdict));
  if (ended !== 'complete') return [];
  const needed = open.flatMap(({ verdict, placement, processesNeeded }) =>
    verdict === 'inconclusive' && placement === undefined ? (processesNeeded ?? []) : [],
  );
  const most = Math.max(...needed);
  const isUntrusted = open.some((cell) => cell.verdict === 'untrusted');
  return [
    ...(needed.length === 0
      ? []
      : most > MAX_PROCESSES
        ? [
            `No number of processes that can be asked for is likely to settle ${open.length === 1 ? subject : `all of ${subject}`}: measure on a quieter host, or ask for less with a larger minimum effect (--mei).`,
          ]
        : [
            [
              `About ${Math.ceil(most)} processes per variant would settle ${subject}, instead of at most ${question.looks.at(-1)}: `,
              { code: `--processes ${2 ** Math.ceil(Math.log2(most))}` },
              '.',
            ],
          ]),
    ...(isUntrusted ? ['Where the control differs, measure again on a quieter host.'] : []),
  ];
}

/** @type {(verdict: Verdict) => string[]} what would have been measured further: `1 of 6 cells was settled` */
function listUnmeasured({ cells, memory, left = ['timing'] }) {
  // What other placements made inconclusive was settled before.
  const open = cells.filter(
    ({ verdict, placement }) =>
      !isDecided(verdict) && (verdict !== 'inconclusive' || placement === undefined),
  ).length;
  const isMemoryShort = memory?.warnings.some(({ kind }) => kind === 'memory-incomplete') ?? false;
  const all = countOf(cells.length, 'cell');
  return [
    ...(open > 0 && left.includes('timing')
      ? [`${open} of ${all} ${open === 1 ? 'was' : 'were'} settled`]
      : []),
    ...(isMemoryShort ? ['memory was measured completely'] : []),
    ...(left.includes('placement')
      ? ['differences were measured in other placements of the code']
      : []),
    ...(left.includes('profiles') ? ['all profiles were recorded'] : []),
  ];
}
