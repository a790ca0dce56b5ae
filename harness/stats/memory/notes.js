import { MEMORY_KINDS, MEMORY_NEEDS } from '../../formats/memory-kinds.js';
import { describeFailure } from '../../lib/failures.js';
import { countOf, formatRoughShare } from '../../lib/numbers.js';
import { nameRuntime } from '../../lib/words.js';
import { poolBaseline } from '../cell/samples.js';
import { ARMS, jobCellId, sharedIdOf } from '../plan.js';
import { takeMedian } from '../robust.js';
import { isTooLarge, listHeld, planMemoryJobs } from './plan.js';
import { fitHeldSlope, sumBytes, takeSamples } from './results.js';
import { isRepeated } from './rule.js';

/** @import { AllocationResult, CellMemory, CorpusMemory, Manifest, MemoryMetric, MemoryObservation, Runtime, Verdict, Warning } from '../../formats/types.ts' */
/** @import { FindResults } from './results.js' */

/** Two ways of measuring the same thing should agree to this share. */
const MAX_GAP = 0.02;
/** Processes whose code the compiler treated alike agree far better than this. */
const MAX_PROCESS_SPAN = 0.01;
/** Below this, the runtime's own allocations are a large part. */
const MIN_COMPARED_BYTES = 64;
/** Beyond it the points do not lie on a line, and their slope means little. */
const MAX_RESIDUAL = 0.02;

/**
 * @typedef {object} MemoryFindings
 * @property {Manifest['question']} question
 * @property {Manifest['corpora']} corpora
 * @property {MemoryObservation[]} observations
 * @property {CellMemory[]} cells
 * @property {CorpusMemory[]} corpusMemories
 * @property {FindResults} findResults
 * @property {Pick<Runtime, 'runtime' | 'lacks'>[]} runtimes other than the Node that ran Assay
 * @property {Verdict['ended']} ended
 * @property {number} firstNumber
 */

/**
 * A kind of note on figures of memory: the places that it applies to, and its text, given these.
 *
 * @typedef {object} MemoryNoteKind
 * @property {string} kind
 * @property {(findings: MemoryFindings) => string[]} places
 * @property {(places: string) => string} text
 */

const KIND_NAMES = Object.freeze({
  allocation: 'bytes allocated',
  collections: 'garbage collections',
  'retained-snapshot': 'retained memory by snapshot',
  'retained-slope': 'retained memory by slope',
});

/**
 * The kinds of memory that cannot be measured under a runtime.
 * @type {(runtime: Pick<Runtime, 'runtime' | 'lacks'>) => string[]}
 */
function listUnmeasurable({ runtime, lacks }) {
  return MEMORY_KINDS.filter((kind) =>
    MEMORY_NEEDS[kind].some((capability) => lacks.includes(capability)),
  ).map((kind) => `${KIND_NAMES[kind]} (${nameRuntime(runtime)})`);
}

/** In the order in which they are numbered. @type {MemoryNoteKind[]} */
const MEMORY_NOTES = [
  {
    kind: 'memory-runtime-lacks',
    places: ({ runtimes }) => runtimes.flatMap(listUnmeasurable),
    text: (places) => `Not measured, because the runtime does not provide it: ${places}.`,
  },
  {
    kind: 'memory-incomplete',
    places: listMissing,
    text: (places) => `Memory was not measured, or not in all processes: ${places}.`,
  },
  {
    kind: 'memory-job-failed',
    places: listFailures,
    text: (places) => `Memory jobs produced no result: ${places}.`,
  },
  {
    kind: 'memory-control-differs',
    places: (findings) => listMetrics(findings, ({ verdict }) => verdict === 'untrusted'),
    text: (places) =>
      `The control differs from the baseline by enough to explain the difference: ${places}. The verdict is untrusted.`,
  },
  {
    kind: 'memory-undecided',
    places: (findings) => listMetrics(findings, isUndecided),
    text: (places) =>
      `The interval excludes 1, but among so many figures that can happen by chance (Holm's adjustment): ${places}.`,
  },
  {
    kind: 'memory-corpus-large',
    places: ({ question, corpora }) =>
      question.cells.filter((cell) => isTooLarge(cell, corpora)).map(({ id }) => id),
    text: (places) =>
      `What operations allocate was not measured, because every process would first prepare the whole corpus: ${places}. The figure is per document, so use fewer documents of the same corpus. Outputs, too, were checked on the default number of documents of the corpus.`,
  },
  {
    kind: 'memory-windows-collected',
    places: ({ question, findResults }) =>
      question.cells.flatMap((cell) => {
        const results = findResults('allocation', cell);
        return ARMS.some((arm) => results[arm].some(({ bridged }) => bridged)) ? [cell.id] : [];
      }),
    text: (places) =>
      `One pass over the corpus allocates more than fits before a garbage collection: ${places}. What was allocated is summed over the collections, as the collector reports it.`,
  },
  {
    kind: 'memory-process-modes',
    places: listProcessModes,
    text: (places) =>
      `What is allocated differs from process to process: ${places}. Each process is steady; where code is compiled as it runs, the compiler decides once in each process which objects it can avoid.`,
  },
  {
    kind: 'memory-allocation-disagrees',
    places: listDisagreements,
    text: (places) =>
      `Allocated bytes by windows of documents and by the processes that count collections differ by more than ${formatRoughShare(MAX_GAP)}: ${places}.`,
  },
  {
    kind: 'memory-slope-disagrees',
    places: listSlopeDisagreements,
    text: (places) =>
      `Retained bytes per document by heap snapshot and by the slope of the collected heap differ by more than ${formatRoughShare(MAX_GAP)}: ${places}. A snapshot sees only what documents hold; the slope sees everything that grew meanwhile.`,
  },
  {
    kind: 'memory-slope-bends',
    places: ({ question, corpora, findResults }) =>
      listHeld(question, corpora).flatMap((held) => {
        const results = findResults('retained-slope', held);
        return ARMS.flatMap((arm) => {
          const shares = results[arm].map(({ points }) => fitHeldSlope(points).residualShare);
          const worst = Math.max(0, ...shares);
          if (!(worst > MAX_RESIDUAL)) return [];
          return [`${jobCellId(held, arm)} ${arm}, ${formatRoughShare(worst)} off`];
        });
      }),
    text: (places) => `The collected heap does not grow on a straight line: ${places}.`,
  },
  {
    kind: 'memory-not-repeated',
    places: listUnrepeated,
    text: (places) =>
      `Retained bytes did not repeat to the byte from process to process: ${places}. They are tested like figures with chance in them.`,
  },
];

/**
 * The notes on the figures of memory.
 * @type {(findings: MemoryFindings) => Warning[]} one for each kind that applies anywhere
 */
export function collectMemoryWarnings(findings) {
  return MEMORY_NOTES.flatMap(({ kind, places: list, text }) => {
    // Several candidates share the jobs of baseline and control.
    const places = [...new Set(list(findings))];
    return places.length === 0 ? [] : { kind, text: text(places.join('; ')) };
  }).map((note, index) => ({ number: findings.firstNumber + index, ...note }));
}

/**
 * What a run that ended early has not measured, or in fewer processes than planned.
 * @param {MemoryFindings} findings
 */
function listMissing({ question, corpora, observations, ended }) {
  // Old manifests have no kinds, so the plan is unknown.
  if (ended === 'complete' || ended === 'refused' || question.memoryKinds === undefined) return [];
  const tried = new Set(observations.map(({ id }) => id));
  /** @type {Map<string, { planned: number, tried: number }>} */
  const counts = new Map();
  for (const { id, kind, subject } of planMemoryJobs(question, corpora)) {
    const name = `${kind} ${subject}`;
    const count = counts.get(name) ?? { planned: 0, tried: 0 };
    count.planned += 1;
    if (tried.has(id)) count.tried += 1;
    counts.set(name, count);
  }
  return [...counts].flatMap(([name, count]) => {
    if (count.tried === count.planned) return [];
    return [count.tried === 0 ? name : `${name} (${count.tried} of ${count.planned} processes)`];
  });
}

/** @param {MemoryFindings} findings */
function listFailures({ observations }) {
  const done = new Set(
    observations.filter(({ outcome }) => outcome === 'done').map(({ id }) => id),
  );
  const failures = new Map();
  for (const observation of observations) {
    if (observation.outcome === 'failed' && !done.has(observation.id)) {
      failures.set(observation.id, observation.failure);
    }
  }
  return [...failures].map(([id, failure]) => `${id} ${describeFailure(failure)}`);
}

/**
 * Whether a figure has no direction although its interval shows one.
 * @type {(metric: MemoryMetric) => boolean}
 */
function isUndecided({ verdict, ratio }) {
  return verdict === 'inconclusive' && ratio !== null && (ratio.low > 1 || ratio.high < 1);
}

/**
 * Names the figures that are concerned: `serialize flat (collections)`.
 * @type {(findings: MemoryFindings, isConcerned: (metric: MemoryMetric) => boolean) => string[]}
 */
function listMetrics({ question, cells, corpusMemories }, isConcerned) {
  const places = [
    ...cells.map(({ cell, metrics }) => ({ place: cell.id, metrics })),
    ...corpusMemories.flatMap((memory) => {
      const place = nameHeld(memory, question);
      const groups = memory.groups.map(({ name, metric }) => ({
        place: `${place} ${name}`,
        metrics: [metric],
      }));
      return [{ place, metrics: memory.metrics }, ...groups];
    }),
  ];
  return places.flatMap(({ place, metrics }) =>
    metrics.filter(isConcerned).map(({ name }) => `${place} (${name})`),
  );
}

/** @type {(memory: CorpusMemory, question: Pick<Manifest['question'], 'candidates'>) => string} */
function nameHeld({ corpus, candidate }, { candidates }) {
  return candidate === undefined ? corpus : `${corpus} ${candidates[candidate]}`;
}

/** @param {MemoryFindings} findings */
function listProcessModes({ question, findResults }) {
  return question.cells.flatMap((cell) => {
    const results = findResults('allocation', cell);
    return ARMS.flatMap((arm) => {
      const { low, high } = spanOf(results[arm].map(takeWindow));
      if (!(high >= MIN_COMPARED_BYTES) || high / low - 1 <= MAX_PROCESS_SPAN) return [];
      return [`${jobCellId(cell, arm)} ${arm}: ${low.toFixed(0)} to ${high.toFixed(0)} bytes`];
    });
  });
}

/** @param {MemoryFindings} findings */
function listDisagreements({ question, findResults }) {
  return question.cells.flatMap((cell) => {
    const [windows, accounts] = [findResults('allocation', cell), findResults('collections', cell)];
    return ARMS.flatMap((arm) => {
      const one = spanOf(windows[arm].map(takeWindow));
      const other = spanOf(accounts[arm].map(({ allocatedBytes }) => allocatedBytes));
      const gap = Math.max(one.low / other.high, other.low / one.high) - 1;
      if (!(one.high >= MIN_COMPARED_BYTES) || !Number.isFinite(gap) || gap <= MAX_GAP) return [];
      return [`${jobCellId(cell, arm)} ${arm}, ${formatRoughShare(gap)} apart`];
    });
  });
}

/** @param {AllocationResult} result */
function takeWindow({ windowHeapBytes }) {
  return takeMedian(windowHeapBytes);
}

/** @type {(values: number[]) => { low: number, high: number }} an empty span without values */
function spanOf(values) {
  return { low: Math.min(...values), high: Math.max(...values) };
}

/** @param {MemoryFindings} findings */
function listSlopeDisagreements({ question, corpusMemories }) {
  return corpusMemories.flatMap((memory) => {
    const { metrics, documents } = memory;
    const [snapshot, slope] = /** @type {const} */ (['retained', 'retained-slope']).map((name) =>
      metrics.find((metric) => metric.name === name),
    );
    return ARMS.flatMap((arm) => {
      const [one, other] = [snapshot?.values[arm], slope?.values[arm]];
      if (one == null || other == null) return [];
      if (Math.abs(one - other) / Math.min(one, other) <= MAX_GAP) return [];
      const held = `${documents.snapshot} and ${countOf(documents.slope, 'document')}`;
      const place = arm === 'candidate' ? nameHeld(memory, question) : memory.corpus;
      return [`${place} ${arm}: ${one.toFixed(0)} and ${other.toFixed(0)} bytes (${held})`];
    });
  });
}

/** @param {MemoryFindings} findings */
function listUnrepeated({ question, corpora, findResults }) {
  return listHeld(question, corpora).flatMap((held) => {
    const samples = takeSamples(findResults('retained-snapshot', held), sumBytes);
    const groups = {
      [`${sharedIdOf(held)} baseline and control`]: poolBaseline(samples),
      [`${held.id} candidate`]: samples.candidate,
    };
    return Object.entries(groups).flatMap(([name, values]) => {
      if (values.length === 0 || isRepeated(values)) return [];
      const { low, high } = spanOf(values);
      return [`${name}: ${low.toFixed(1)} to ${high.toFixed(1)} bytes`];
    });
  });
}
