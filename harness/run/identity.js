/** What must be the same for results to be comparable, and which use of results refuses or notes a difference. */

import { group } from 'd3-array';
import { UsageError } from '../lib/errors.js';
import { isRecord } from '../lib/records.js';
import { nameRuntime } from '../lib/words.js';
import { compareHosts, describeNoise } from '../stats/host/host.js';

/** @import { Dependency, Environment, HostNoise, Manifest, MeasureSettings, Question, VariantIdentity } from '../formats/types.ts' */
/** @import { HostAspect } from '../stats/host/facts.js' */

/**
 * What decides whether two sets of results can be compared. Manifests, replay records and calibrations
 * have this form. What only one of two identities states is not compared.
 *
 * @typedef {object} Identity
 * @property {Question} [question]
 * @property {Manifest['assay']} [assay]
 * @property {string} [instrument] digest of the sources that measure
 * @property {MeasureSettings} [settings] of timed jobs
 * @property {IdentifiedVariants} [variants]
 * @property {{ spec: string, name: string, digest: string }[]} [loaded] files that jobs loaded
 * @property {{ label: string, digest: string }[]} [corpora]
 * @property {{ runtime: string, packageName?: string, integrity?: string, executable?: string }[]} [runtimes]
 * @property {Partial<Environment>} [environment]
 * @property {HostNoise | undefined} [hostNoise] while jobs were timed; of two, only the second has to be known
 * @property {Record<string, string>} [toolVersions] of other benchmark tools, by name
 */

/** @typedef {{ baseline?: IdentifiedVariant | undefined, candidates?: (IdentifiedVariant | undefined)[], reference?: IdentifiedVariant }} IdentifiedVariants */
/** @typedef {Omit<VariantIdentity, 'spec'> & { spec: string, settings?: Record<string, string>, modulePath?: string }} IdentifiedVariant */

/**
 * @typedef {object} Difference
 * @property {Aspect} aspect
 * @property {string} label what differs, as a message names it: `processor`, `corpus 'flat'`
 * @property {string} before
 * @property {string} now
 */

/** @typedef {'question' | 'assay' | 'revision' | 'instrument' | 'settings' | 'integrity' | 'dependencies' | 'commit' | 'code' | 'location' | 'definition' | 'toolchain' | 'corpus' | 'runtime' | 'runtime-package' | 'runtime-location' | 'tool' | 'noise' | HostAspect} Aspect */

/**
 * A use of earlier results: a run or a study is resumed, shards are merged, a host joins a fleet, a report is replayed,
 * a run is cited instead of a new one (`--reuse`), or a recorded comparison is a part of a trend (`recall`).
 *
 * @typedef {'resumeRun' | 'resumeStudy' | 'merge' | 'fleet' | 'replay' | 'reuse' | 'recall'} Use
 */

const RESUMING = /** @type {const} */ (['resumeRun', 'resumeStudy']);
const JOINING = /** @type {const} */ (['merge', 'fleet']);
const CITING = /** @type {const} */ (['reuse', 'recall']);

/**
 * The uses that refuse a difference; the others ignore it, except for `NOTED`.
 *
 * - A reuse does not ask for the same revision of Assay: the instrument says whether it measures the same.
 * - A recorded comparison has no paths and no settings of variants; their digests cover both. Any question may have
 *   asked for it.
 * - The settings of a fleet are those of the run, wherever its blocks are measured.
 * - Shards need the same Node only if a job ran under that of the host.
 * - Another platform has another package of a runtime.
 * - The load depends on the moment; the control of a run shows whether it mattered.
 *
 * @type {Readonly<Record<Aspect, readonly Use[]>>}
 */
const REFUSED_BY = Object.freeze({
  question: [...JOINING, 'reuse'],
  assay: ['resumeStudy', ...JOINING, ...CITING],
  revision: JOINING,
  instrument: [...RESUMING, 'fleet', ...CITING],
  settings: ['resumeStudy', 'merge', ...CITING],
  integrity: [...JOINING, 'replay', ...CITING],
  dependencies: [...RESUMING, ...JOINING, 'replay', ...CITING],
  commit: [...RESUMING, ...JOINING, 'replay', ...CITING],
  code: [...RESUMING, ...JOINING, 'replay', ...CITING],
  location: ['resumeRun', 'reuse'],
  definition: [...JOINING, 'reuse'],
  toolchain: [...RESUMING, ...JOINING, ...CITING],
  corpus: [...RESUMING, ...JOINING, 'replay', ...CITING],
  runtime: [...RESUMING, ...JOINING, 'replay', ...CITING],
  'runtime-package': [...RESUMING, ...JOINING, ...CITING],
  'runtime-location': ['resumeRun', 'reuse'],
  node: [...RESUMING, 'fleet', ...CITING],
  v8: CITING,
  processor: [...RESUMING, ...CITING],
  kernel: [...RESUMING, ...CITING],
  host: CITING,
  load: [],
  noise: [],
  tool: ['resumeStudy'],
});

/** The differences that a replay notes beside its answer. @type {readonly Aspect[]} */
export const NOTED = Object.freeze(
  /** @type {const} */ ([
    'node',
    'v8',
    'processor',
    'kernel',
    'host',
    'load',
    'noise',
    'toolchain',
  ]),
);

/** The aspects whose differences a use refuses. */
export const REFUSED = Object.freeze({
  resumeRun: listRefused('resumeRun'),
  resumeStudy: listRefused('resumeStudy'),
  merge: listRefused('merge'),
  fleet: listRefused('fleet'),
  replay: listRefused('replay'),
  reuse: listRefused('reuse'),
  recall: listRefused('recall'),
});

/** @type {(use: Use) => readonly Aspect[]} */
function listRefused(use) {
  const aspects = /** @type {Aspect[]} */ (Object.keys(REFUSED_BY));
  return aspects.filter((aspect) => REFUSED_BY[aspect].includes(use));
}

/**
 * Lists what differs between two identities.
 * @type {(before: Identity, now: Identity) => Difference[]} the most important first
 */
export function listDifferences(before, now) {
  return [
    ...whereBoth(before.question, now.question, compareQuestions),
    ...whereBoth(before.assay, now.assay, compareAssays),
    ...whereBoth(before.instrument, now.instrument, (left, right) =>
      differ('instrument', 'sources of Assay and the family', left, right),
    ),
    ...whereBoth(before.settings, now.settings, (left, right) =>
      compareFields('settings', left, right),
    ),
    ...whereBoth(before.environment, now.environment, compareHosts),
    ...compareNoise(before.hostNoise, now.hostNoise),
    ...compareCode(before, now),
    ...whereBoth(before.corpora, now.corpora, compareCorpora),
    ...whereBoth(before.runtimes, now.runtimes, compareRuntimes),
    ...whereBoth(before.toolVersions, now.toolVersions, (left, right) =>
      compareFields('tool', left, right),
    ),
  ];
}

/**
 * @param {Difference[]} differences
 * @param {readonly Aspect[]} aspects
 * @returns {Difference[]} those of these aspects
 */
export function selectDifferences(differences, aspects) {
  return differences.filter(({ aspect }) => aspects.includes(aspect));
}

/**
 * What is resumed.
 *
 * @typedef {object} Resumed
 * @property {string} name `the run`
 * @property {string} again what to start where it cannot be resumed: `a new comparison`
 * @property {readonly Aspect[]} refused
 */

/** @type {Readonly<Resumed>} */
export const RESUMED_RUN = Object.freeze({
  name: 'the run',
  again: 'a new comparison',
  refused: REFUSED.resumeRun,
});

/**
 * Refuses to resume if earlier and further results would not be comparable.
 *
 * @param {Identity} before
 * @param {Identity} now
 * @param {Resumed} resumed
 * @throws {UsageError} naming all differences that count
 */
export function assertSameExperiment(before, now, { name, again, refused }) {
  const differences = selectDifferences(listDifferences(before, now), refused);
  if (differences.length === 0) return;
  const changes = differences.map(describeDifference);
  throw new UsageError(`cannot resume ${name}: ${changes.join('; ')}`, {
    remedy: `its results would not be comparable; start ${again}`,
  });
}

/** @param {Difference} difference @returns {string} `kernel changed (6.1, now 6.8)` */
export function describeDifference({ label, before, now }) {
  return `${label} changed (${shorten(before)}, now ${shorten(now)})`;
}

/** Characters of a value that a message quotes. */
const MAX_VALUE_LENGTH = 90;

/** @param {string} text of a value, for a message */
export function shorten(text) {
  return text.length <= MAX_VALUE_LENGTH ? text : `${text.slice(0, MAX_VALUE_LENGTH - 1)}…`;
}

/**
 * @template T, U
 * @param {T | undefined} before
 * @param {U | undefined} now
 * @param {(before: T, now: U) => Difference[]} compare
 * @returns {Difference[]}
 */
function whereBoth(before, now, compare) {
  return before === undefined || now === undefined ? [] : compare(before, now);
}

/**
 * @param {Aspect} aspect
 * @param {string} label
 * @param {unknown} before
 * @param {unknown} now
 * @returns {Difference[]} one, or none where both are the same
 */
function differ(aspect, label, before, now) {
  const [left, right] = [toText(before), toText(now)];
  return left === right ? [] : [{ aspect, label, before: left, now: right }];
}

/** @type {(value: unknown) => string} the same for equal values, whatever the order of their keys */
function toText(value) {
  if (typeof value === 'string') return value;
  return JSON.stringify(value ?? null, (_key, inner) =>
    isRecord(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/**
 * @param {Aspect} aspect
 * @param {object} before
 * @param {object} now
 * @param {string[]} [except] names that are compared elsewhere
 */
function compareFields(aspect, before, now, except = []) {
  const [left, right] = [new Map(Object.entries(before)), new Map(Object.entries(now))];
  return [...new Set([...left.keys(), ...right.keys()])]
    .filter((name) => !except.includes(name))
    .flatMap((name) => differ(aspect, spell(name), left.get(name), right.get(name)));
}

/** @param {string} name `minimumEffect` */
function spell(name) {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/**
 * Compares the cells of the whole plan: each shard measures other ones.
 * @param {Question} before @param {Question} now
 */
function compareQuestions(before, now) {
  const [left, right] = [before.cells, now.cells];
  const names = differ('question', 'cells of the plan', listIds(left), listIds(right));
  return [
    ...compareFields('question', before, now, ['cells']),
    ...(names.length > 0 ? names : differ('question', 'cells of the plan', left, right)),
  ];
}

/** @param {Question['cells']} cells */
function listIds(cells) {
  return cells.map(({ id }) => id).join(', ');
}

/** @param {Manifest['assay']} before @param {Manifest['assay']} now */
function compareAssays(before, now) {
  return [
    ...differ('assay', 'Assay', before.version, now.version),
    ...differ('revision', 'revision of Assay', nameRevision(before), nameRevision(now)),
  ];
}

/** @param {Manifest['assay']} assay */
function nameRevision({ version, revision }) {
  return `${version} ${revision ?? 'without a revision'}`;
}

/** @type {(before: HostNoise | undefined, now: HostNoise | undefined) => Difference[]} none unless one host was disturbed */
function compareNoise(before, now) {
  if (now === undefined) return [];
  const [left, right] = [before, now].map(describeNoise);
  if (!left && !right) return [];
  const name = (/** @type {string | null} */ noise) =>
    noise === '' ? 'none' : (noise ?? 'not known');
  return differ('noise', 'noise', name(left), name(right));
}

/**
 * Compares variants, and the files that both have loaded. Where a file differs, it is named in place of the digest
 * of all of them.
 *
 * @type {(before: Identity, now: Identity) => Difference[]}
 */
function compareCode(before, now) {
  const files = whereBoth(before.loaded, now.loaded, compareFiles);
  const variants = whereBoth(before.variants, now.variants, compareVariants);
  return [
    ...files,
    ...variants.filter((whole) => !files.some(({ label }) => label.startsWith(`${whole.label} (`))),
  ];
}

/** @type {(spec: string) => string} */
function labelCode(spec) {
  return `code of '${spec}'`;
}

/** @type {(before: NonNullable<Identity['loaded']>, now: NonNullable<Identity['loaded']>) => Difference[]} */
function compareFiles(before, now) {
  /** @param {{ spec: string, name: string }} file */
  const keyOf = ({ spec, name }) => `${spec}\0${name}`;
  const here = group(now, keyOf);
  return [...group(before, keyOf)].flatMap(([key, files]) => {
    const known = here.get(key);
    // Packages may be there in two versions, which have the same names.
    if (known === undefined || known.some(({ digest }) => digest === files[0].digest)) return [];
    const [{ spec, name }] = files;
    const label = `${labelCode(spec)} (${name})`;
    return differ('code', label, files[0].digest, known[0].digest);
  });
}

/** @param {NonNullable<Identity['variants']>} before @param {NonNullable<Identity['variants']>} now */
function compareVariants(before, now) {
  const differences = [
    ...whereBoth(before.baseline, now.baseline, (left, right) =>
      compareVariant('baseline', left, right),
    ),
    ...(before.candidates ?? []).flatMap((candidate, index) =>
      whereBoth(candidate, now.candidates?.[index], (left, right) =>
        compareVariant('candidate', left, right),
      ),
    ),
    ...whereBoth(before.reference, now.reference, (left, right) =>
      compareVariant('reference', left, right),
    ),
  ];
  // Both arms may have the same variant, and share a toolchain.
  const texts = differences.map((difference) => JSON.stringify(difference));
  return differences.filter((_, index) => texts.indexOf(texts[index]) === index);
}

/** @type {(role: 'baseline' | 'candidate' | 'reference', before: IdentifiedVariant, now: IdentifiedVariant) => Difference[]} */
function compareVariant(role, before, now) {
  const name = `'${before.spec}'`;
  return [
    ...(before.kind === 'npm' || before.kind === 'package'
      ? differ('integrity', `package of ${name}`, before.integrity, now.integrity)
      : []),
    ...whereBoth(before.dependencies, now.dependencies, (left, right) =>
      compareDependencies(before.spec, left, right),
    ),
    // A branch may have moved to a commit with the same module, which loads others.
    ...(before.kind === 'git'
      ? differ(
          'commit',
          `commit of ${name}`,
          before.revision?.commit ?? 'none',
          now.revision?.commit ?? 'none',
        )
      : []),
    ...differ('code', labelCode(before.spec), before.digest, now.digest),
    ...whereBoth(before.modulePath, now.modulePath, (left, right) =>
      differ('location', `location of ${name}`, left, right),
    ),
    ...compareToolchains(before.toolchain, now.toolchain),
    ...differ('definition', `${role} ${name}`, pickDefinition(before), pickDefinition(now)),
  ];
}

/** @type {(spec: string, before: Dependency[], now: Dependency[]) => Difference[]} one for each package that differs */
function compareDependencies(spec, before, now) {
  const [left, right] = [before, now].map((list) => new Map(list.map((one) => [one.path, one])));
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((path) => {
    const label = `dependency ${path} of '${spec}'`;
    const [one, other] = [left.get(path), right.get(path)];
    const versions = differ(
      'dependencies',
      label,
      one?.version ?? 'none',
      other?.version ?? 'none',
    );
    if (versions.length > 0) return versions;
    return differ('dependencies', `package of ${label}`, one?.integrity, other?.integrity);
  });
}

/** @param {IdentifiedVariant} variant */
function pickDefinition({ spec, kind, settings, version, integrity, revision, build, runtime }) {
  return { spec, kind, settings, version, integrity, revision, build, runtime };
}

/**
 * @param {Record<string, string>} [before] versions by program
 * @param {Record<string, string>} [now]
 */
function compareToolchains(before = {}, now = {}) {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((program) =>
    differ('toolchain', program, before[program] ?? 'none', now[program] ?? 'none'),
  );
}

/** @param {NonNullable<Identity['corpora']>} before @param {NonNullable<Identity['corpora']>} now */
function compareCorpora(before, now) {
  return pairBy(before, now, ({ label }) => label).flatMap(([left, right]) =>
    differ('corpus', `corpus '${left.label}'`, left.digest, right.digest),
  );
}

/** In the place of an integrity. */
const INSTALLED = 'installed on the host';

/** @param {NonNullable<Identity['runtimes']>} before @param {NonNullable<Identity['runtimes']>} now */
function compareRuntimes(before, now) {
  return pairBy(before, now, ({ runtime }) => runtime).flatMap(([left, right]) => [
    ...differ(
      left.packageName === right.packageName ? 'runtime' : 'runtime-package',
      nameRuntime(left.runtime),
      left.integrity ?? INSTALLED,
      right.integrity ?? INSTALLED,
    ),
    ...whereBoth(left.executable, right.executable, (one, other) =>
      differ('runtime-location', `location of ${nameRuntime(left.runtime)}`, one, other),
    ),
  ]);
}

/**
 * @template T
 * @param {T[]} before
 * @param {T[]} now
 * @param {(item: T) => string} nameOf
 * @returns {[T, T][]} what both have
 */
function pairBy(before, now, nameOf) {
  return before.flatMap((left) => {
    const right = now.find((item) => nameOf(item) === nameOf(left));
    return right === undefined ? [] : [/** @type {[T, T]} */ ([left, right])];
  });
}
