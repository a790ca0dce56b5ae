/** The report on a bisection: where a cell became slower, and the steps that found it. */

/** @import { Bisection, BisectionStep } from '../../harness/formats/types.ts' */
/** @import { Document, Fact, Inline, ListItem, Row, Section, Tone } from '../document/model.ts' */

import {
  countOf,
  formatDuration,
  formatRatio,
  formatRatioInterval,
} from '../../harness/lib/numbers.js';
import { sumOf } from '../../harness/stats/means.js';
import { isSlower } from '../../harness/stats/verdicts.js';
import {
  factList,
  factOfWhole,
  figureColumn,
  figureColumns,
  list,
  paragraph,
  present,
  tabulateIntervals,
  untitled,
} from './build.js';

/** @type {Record<BisectionStep['answer'], { words: string, tone: Tone }>} */
const ANSWERS = {
  good: { words: 'good', tone: 'good' },
  bad: { words: 'bad', tone: 'bad' },
  unsettled: { words: 'not settled', tone: 'doubtful' },
  unusable: { words: 'skipped', tone: 'quiet' },
};

/**
 * @param {Bisection} bisection whose ends differ, or that was interrupted before that was known
 * @param {object} places
 * @param {string} places.path of its directory
 * @param {Fact | null} places.next command that continues from what was found
 * @param {string | null} [places.resume] command that resumes it
 * @returns {Document}
 */
export function describeBisection(bisection, { path, next, resume = null }) {
  const { candidates, bisectionId, cell, command } = bisection;
  const [first] = candidates;
  const last = candidates[candidates.length - 1];
  /** @type {Fact[]} */
  const commands = present([
    next,
    resume !== null && ['Resume', { command: resume }],
    ['Repeat', { command }],
  ]);
  return {
    title: ['Where ', { code: cell.id }, ' became slower'],
    eyebrow: `Assay bisection · ${first.name} to ${last.name}`,
    marker: bisectionId,
    source: 'bisection.json',
    brief: [
      untitled('result', [
        paragraph(describeResult(bisection), 'lead'),
        list(listSuspects(bisection)),
        ...(isGradual(bisection) ? [paragraph(GRADUAL, 'remark')] : []),
        ...(bisection.steps.length === 0 ? [] : [paragraph(describeEffort(bisection))]),
        { kind: 'facts', facts: [...commands, factOfWhole(path)], only: ['terminal'] },
      ]),
    ],
    sections: [
      {
        id: 'result',
        title: 'Result',
        untitled: ['terminal', 'markdown'],
        blocks: [paragraph(describeResult(bisection), 'lead'), list(describeSubjects(bisection))],
      },
      stepSection(bisection),
      {
        id: 'repeat',
        title: 'Repeat',
        untitled: ['terminal'],
        blocks: [factList([...commands, ['Directory', { code: path }]])],
      },
    ],
    footer: ['Assay bisection · ', { code: bisectionId }],
  };
}

/**
 * One line on a step, as soon as it is done.
 * @type {(step: BisectionStep, bisection: Bisection) => string} without a line end
 */
export function describeStep(step, { candidates, steps }) {
  const { ratio, processes, reason, seconds, alpha } = step;
  const parts = [
    `step ${steps.length}`,
    `${nameOf(step.candidate, candidates)} against ${nameOf(step.baseline, candidates)}`,
    describeAnswer(step),
    ...(ratio === null
      ? []
      : [
          formatRatioInterval(ratio, alpha),
          `${countOf(processes, 'process', 'processes')} per variant`,
        ]),
    ...(reason === null ? [] : [firstLine(reason)]),
    formatDuration(seconds * 1000),
  ];
  return parts.join(' · ');
}

/** @type {(bisection: Bisection) => Section} */
function stepSection(bisection) {
  const { steps, candidates, boundary } = bisection;
  const intervals = tabulateIntervals(steps);
  const reasons = steps.flatMap(({ candidate, reason }, index) =>
    reason === null
      ? []
      : [`step ${index + 1}, ${nameOf(candidate, candidates)}: ${firstLine(reason)}`],
  );
  return {
    id: 'steps',
    title: 'Steps',
    untitled: ['terminal'],
    blocks: [
      {
        kind: 'table',
        label: 'Steps',
        columns: [
          figureColumn('step'),
          { title: 'candidate', kind: 'name' },
          { title: 'baseline', kind: 'name' },
          { title: 'answer' },
          figureColumn('ratio'),
          intervals.column,
          ...figureColumns('processes', 'time', 'seed'),
        ],
        rows: steps.map((step, index) =>
          stepRow(step, { index, interval: intervals.cells[index] }, bisection),
        ),
        legend:
          boundary === null
            ? undefined
            : `Bad: slower than ${candidates[0].name} by more than ×${formatRatio(boundary)}, half of the total difference on a log scale.`,
      },
      list(reasons),
    ],
  };
}

/** @type {(step: BisectionStep, place: { index: number, interval: string }, bisection: Bisection) => Row} */
function stepRow(step, { index, interval }, { candidates }) {
  const { ratio, processes, seed, seconds } = step;
  return [
    String(index + 1),
    { code: nameOf(step.candidate, candidates) },
    { code: nameOf(step.baseline, candidates) },
    { tone: ANSWERS[step.answer].tone, text: describeAnswer(step) },
    formatRatio(ratio?.estimate),
    interval,
    String(processes),
    formatDuration(seconds * 1000),
    String(seed),
  ];
}

/**
 * @param {BisectionStep} step
 * @returns {string} the verdict where the decision rule of compare applied, else the half that remains
 */
function describeAnswer({ purpose, answer, verdict }) {
  if (purpose !== 'search' && verdict !== null) return verdict;
  return ANSWERS[answer].words;
}

const GRADUAL =
  'The usual rule does not call this step alone slower: the cell may have become slower gradually, or in several steps.';

/** @type {(bisection: Bisection) => boolean} whether the neighbours it found do not differ by the usual rule */
function isGradual({ ended, change }) {
  const verdict = change?.verdict ?? null;
  return ended === 'found' && verdict !== null && !isSlower(verdict);
}

/** @type {(bisection: Bisection) => ListItem[]} what may have made the cell slower: the first bad commit, and those before it without an answer */
function listSuspects({ ended, candidates, firstBad, skipped }) {
  if (ended !== 'found') return [];
  const reasons = new Map(skipped.map(({ spec, reason }) => [spec, firstLine(reason)]));
  const suspects = candidates.filter(
    ({ spec, subject }) => reasons.has(spec) || (spec === firstBad && subject !== undefined),
  );
  return suspects.map(({ spec, name, subject }) => {
    const text = [{ code: name }, subject === undefined ? '' : ` ${subject}`];
    const reason = reasons.get(spec);
    return reason === undefined ? text : { mark: 'warning', text: [...text, `: ${reason}`] };
  });
}

/** @type {(bisection: Bisection) => string} */
function describeEffort({ steps, candidates }) {
  const seconds = sumOf(steps.map((step) => step.seconds));
  const what = candidates[0].spec.startsWith('git:') ? 'commit' : 'version';
  return `${countOf(steps.length, 'comparison')}, ${countOf(candidates.length, what)}, ${formatDuration(seconds * 1000)}.`;
}

/** @type {(bisection: Bisection) => Inline[]} the subjects of the commits in question */
function describeSubjects({ candidates, lastGood, firstBad, skipped }) {
  const named = [lastGood, ...skipped.map(({ spec }) => spec), firstBad];
  return candidates.flatMap(({ spec, name, subject }) =>
    subject === undefined || !named.includes(spec) ? [] : [[{ code: name }, ` ${subject}`]],
  );
}

/** @type {(bisection: Bisection) => string} */
function describeResult(bisection) {
  const { ended, cell, candidates, lastGood, firstBad, skipped } = bisection;
  if (ended !== 'found') return describeProgress(bisection);
  const good = nameOf(lastGood, candidates);
  const bad = nameOf(firstBad, candidates);
  if (skipped.length === 0) {
    const size = describeChange(bisection, `${good}, its predecessor`);
    return `Found: ${cell.id} is slower since ${bad}: ${size}.`;
  }
  const names = skipped.map(({ spec }) => nameOf(spec, candidates));
  const size = describeChange(bisection, `${good}, the last good one`);
  return `Found: ${cell.id} is slower since ${bad}, or since an earlier one that could not be measured (${names.join(', ')}): ${size}.`;
}

/**
 * @param {Bisection} bisection that ended before the search did
 * @returns {string}
 */
function describeProgress({ ended, boundary, cell, candidates, lastGood, firstBad }) {
  const cause = ended === 'interrupted' ? 'Interrupted' : 'Not settled';
  const good = nameOf(lastGood, candidates);
  const bad = nameOf(firstBad, candidates);
  if (boundary === null) {
    return `${cause} before it was known whether ${cell.id} is slower in ${bad} than in ${good}.`;
  }
  const between =
    candidates.findIndex(({ spec }) => spec === firstBad) -
    candidates.findIndex(({ spec }) => spec === lastGood) -
    1;
  return `${cause}: ${cell.id} became slower after ${good} and no later than ${bad}, with ${between} between them.`;
}

/** @type {(bisection: Bisection, good: string) => string} the change from the last good one */
function describeChange({ change, steps }, good) {
  if (change === null || change.ratio === null) {
    return `the difference from ${good}, could not be measured`;
  }
  // Neighbours that are the ends are not measured again.
  const [measured] = steps.toReversed().filter(({ purpose }) => purpose !== 'search');
  const figures = `${formatRatioInterval(change.ratio, measured.alpha)} compared with ${good}`;
  return change.verdict !== null && isSlower(change.verdict)
    ? figures
    : `${change.verdict}, ${figures}`;
}

/** @type {(spec: string, candidates: Bisection['candidates']) => string} the short name of a candidate */
function nameOf(spec, candidates) {
  return candidates.find((one) => one.spec === spec)?.name ?? spec;
}

/** @param {string} text */
function firstLine(text) {
  return text.split('\n', 1)[0] ?? '';
}
