import { randomInt } from 'node:crypto';
import { formatLabel, parseLabel } from '../../corpora/support/label.js';
import { canonicalLabel, sampleCorpus } from '../../corpora/support/prepare.js';
import { listCorpusNames } from '../../corpora/support/registry.js';
import { MEMORY_KINDS, MEMORY_NEEDS } from '../formats/memory-kinds.js';
import { tryTool } from '../host/tools.js';
import { AssayError, UsageError } from '../lib/errors.js';
import { findReason } from '../lib/failures.js';
import { PROJECT } from '../lib/project.js';
import { omitUndefined } from '../lib/records.js';
import { didYouMean, nameRuntime } from '../lib/words.js';
import { listWantedRecorders } from '../profiling/recorder-registry.js';
import { figureOf } from '../stats/figure.js';
import { ALL_ROWS } from '../stats/verdicts.js';
import { findEarlyLook, listLooks, nameCell, withCandidates } from '../stats/plan.js';
import { USUAL } from '../stats/usual.js';
import { hasProgram } from '../variants/build-family.js';
import { listContractRows, loadOperation, loadVariant } from '../variants/families.js';
import { OWN_RUNTIME, findRuntime, listLacks } from '../variants/runtimes.js';
import { checkSettings } from '../variants/resolve.js';
import { parseVariantSpec } from '../variants/spec.js';

/** @import { Cell, ColdFigure, CorpusSample, Family, OperationDescription, Question, VariantSpec } from '../formats/types.ts' */
/** @typedef {'sequential' | 'paired'} Schedule */
/** @import { FoundFamily } from '../variants/families.js' */
/** @import { RuntimePlaces } from '../variants/runtimes.js' */

const SCREEN_FLAG = '--predictable';
const FLAG_TIMEOUT_MS = 10_000;

/**
 * What `--cold` measures of an operation on a corpus. Times add up, so that each says how long a new process
 * takes until so many results are there; a single call would be at the mercy of one garbage collection.
 *
 * @type {readonly Readonly<ColdFigure>[]}
 */
const COLD_FIGURES = Object.freeze([
  { calls: 1, withLoad: true },
  { calls: 1, withLoad: false },
  { calls: 10, withLoad: false },
  { calls: 100, withLoad: false },
]);

/** What `--load` measures, once for each runtime: it does not depend on documents. @type {Readonly<ColdFigure>} */
const LOAD_FIGURE = Object.freeze({ calls: 0, withLoad: true });

/**
 * What a comparison asks, under the option names of `compare`.
 *
 * @typedef {object} QuestionOptions
 * @property {string[]} [op] operations; those of the family by default
 * @property {string[]} [corpus] those of the operation or the family by default
 * @property {boolean} [sweep] each corpus also with documents that are several times as large
 * @property {string[]} [runtime] names, with a version that may be exact: `node@22`
 * @property {string[]} [node] versions of Node, exact or not
 * @property {number} mei minimum effect of interest, a share
 * @property {number} [budget] seconds
 * @property {number} processes maximum per variant
 * @property {number} placements placement copies per arm
 * @property {number} [concurrency] calls of an asynchronous operation in flight; 1 by default
 * @property {boolean} [cold] first calls of processes that do not warm up
 * @property {boolean} [load] loading the variant, in such processes
 * @property {boolean} [memory]
 * @property {boolean} [memoryOnly]
 * @property {string[]} [accept] rows of the behaviour contract
 * @property {string} [reference] spec of what outputs must equal; that of the family by default
 * @property {Question['explain']} explain
 * @property {string[]} [with] recorders
 * @property {boolean} [wholeProcess]
 * @property {boolean} [instructions]
 * @property {boolean} [screen]
 * @property {Schedule} [schedule] by default paired where there are two cores and all cells are loops
 * @property {boolean} [hasTwoCores] whether jobs can run in pairs, and should; if not, none do by default
 * @property {boolean} [rank] without a baseline
 * @property {number} [seed] random by default
 * @property {string[]} [nodeFlag]
 * @property {string} [server] by name; default: the own server of each operation
 * @property {string} [build]
 * @property {string} [asOf] a day
 * @property {Question['typed']} [typed] see `Question`
 * @property {boolean} [sandbox]
 * @property {Question['bench']} [benchmarks] files that the family is generated for
 */

/**
 * Makes the question of a comparison.
 *
 * @param {[string, ...string[]]} texts specs of the baseline and at least one candidate, or of what is ranked
 * @param {FoundFamily} family
 * @param {QuestionOptions} options
 * @param {RuntimePlaces} [places] to look for runtimes
 * @returns {Promise<Question>}
 * @throws {UsageError} when the variants or their family cannot do what is asked
 * @throws {import('../lib/errors.js').MachineError} when a runtime cannot be installed
 */
export async function makeQuestion(texts, family, options, places = PROJECT) {
  const rank = options.rank === true;
  const baseline = texts[0];
  const candidates = rank ? texts : texts.slice(1);
  const screen = options.screen === true;
  const { seed, budget, mei, memoryOnly, placements } = options;
  const cold = options.cold === true || options.load === true;
  refuseTwice(candidates, rank);
  if (rank) refuseWithRank(options);
  const wanted = listWantedRuntimes(options);
  if (wanted !== undefined) refusePins(texts);
  if (options.build !== undefined) requireRevision(texts);
  if (options.asOf !== undefined) requireDependencies(texts);
  if (cold && options.explain === 'all') {
    throw new UsageError(
      `--explain all needs warm code, and ${options.load === true ? '--load measures loading' : '--cold measures first calls'}`,
      {
        remedy: 'explain the warm code in a run of its own',
      },
    );
  }
  const specs = texts.map(parseVariantSpec);
  for (const spec of specs) if ('settings' in spec) checkSettings(family, spec.settings);
  const isOfProgram = await hasProgram(family);
  if (isOfProgram) refuseNodeOptions(family, options);
  // Refuses recorders that do not exist or do not fit.
  await listWantedRecorders(
    { family: family.name, recorders: options.with ?? [], explain: 'none' },
    isOfProgram,
  );
  const op = await chooseOperations(specs, family, options.op, places);
  const looks = listLooks(options.processes);
  const cells = withCandidates(await makeCells(family, { ...options, op }, places), candidates);
  const runtimes = listNames(texts, cells);
  refuseFlags(runtimes, options);
  const names = [...cells, ...specs].map(({ runtime }) => runtime ?? undefined);
  await requireFlags(options.nodeFlag, names, places);
  const memory = askForMemory(family, runtimes, options);
  const isPairable =
    options.hasTwoCores === true &&
    !rank &&
    !isOfProgram &&
    cells.every(canPair) &&
    runtimes.every(takesPairs);
  const { schedule = isPairable ? 'paired' : 'sequential' } = options;
  if (memory.memory !== 'none') requireOneRuntime(cells);
  return {
    family: family.name,
    baseline,
    candidates,
    ...(rank ? { rank } : {}),
    cells,
    minimumEffect: mei,
    alpha: USUAL.alpha,
    looks,
    ...omitUndefined({
      earlyLook: findEarlyLook(looks) ?? undefined,
      bench: options.benchmarks,
      build: options.build,
      asOf: options.asOf,
    }),
    budgetSeconds: budget ?? null,
    seed: seed ?? randomInt(2 ** 32),
    mode: screen ? 'screen' : 'default',
    ...(schedule === 'paired' ? { schedule } : {}),
    // First calls run code that is not optimised, and are over before a profiler has seen them.
    placements: memoryOnly === true || rank || cold ? 0 : placements,
    nodeFlags: [...(screen ? [SCREEN_FLAG] : []), ...(await chooseNodeFlags(options, op, family))],
    ...memory,
    acceptedRows: await acceptRows(options.accept, family),
    ...omitUndefined({
      reference: options.reference === family.reference ? undefined : options.reference,
      typed: options.typed,
    }),
    explain: rank || cold ? 'none' : options.explain,
    recorders: listRecordersAskedFor(options),
    ...(await chooseServer(options, op, family)),
    ...(options.sandbox === true ? { sandbox: true } : {}),
  };
}

/**
 * A program with threads of its own does not run in pairs because one core is another machine for it, nor does a
 * browser, which has other processes.
 *
 * @param {Cell} cell
 * @returns {boolean} whether it times a loop of warm code in the JavaScript worker, or the CPU time of a thread
 */
export function canPair(cell) {
  return figureOf(cell).canPair && (cell.runtime === undefined || takesPairs(cell.runtime));
}

/** @param {string} runtime */
function takesPairs(runtime) {
  return !listLacks(runtime).includes('pairs');
}

/**
 * @param {Pick<QuestionOptions, 'nodeFlag'>} options
 * @param {string[]} operations
 * @param {FoundFamily} family
 * @returns {Promise<string[]>} those asked for, otherwise those of the operations
 */
export async function chooseNodeFlags({ nodeFlag }, operations, family) {
  if (nodeFlag !== undefined) return nodeFlag;
  const described = await Promise.all(operations.map((name) => loadOperation(family, name)));
  return [...new Set(described.flatMap(({ nodeFlags = [] }) => nodeFlags))];
}

/**
 * @param {Pick<QuestionOptions, 'server' | 'sandbox'>} options
 * @param {string[]} operations
 * @param {FoundFamily} family
 * @returns {Promise<Pick<Question, 'server'>>} empty for the own servers of the operations
 * @throws {UsageError} when an operation does not talk to it
 */
async function chooseServer({ server }, operations, family) {
  if (server === undefined) return {};
  let isOwn = true;
  for (const name of operations) {
    /** @type {{ servers?: string[] }} */
    const { servers = [] } = await loadOperation(family, name);
    if (!servers.includes(server)) {
      throw new UsageError(`--server '${server}': ${name} has no such server`, {
        remedy: servers.length === 0 ? 'leave it out' : `it has ${servers.join(', ')}`,
      });
    }
    isOwn &&= servers[0] === server;
  }
  return isOwn ? {} : { server };
}

/**
 * @param {string[]} candidates
 * @param {boolean} rank
 * @throws {UsageError} when one is named twice
 */
function refuseTwice(candidates, rank) {
  const twice = candidates.find((spec, index) => candidates.indexOf(spec) !== index);
  if (twice === undefined) return;
  throw new UsageError(`the ${rank ? 'variant' : 'candidate'} '${twice}' is named twice`, {
    remedy: rank
      ? 'name each variant once'
      : 'name each candidate once; the first variant is the baseline',
  });
}

/**
 * @param {QuestionOptions} options
 * @throws {UsageError} when something is asked of a ranking that needs a baseline
 */
function refuseWithRank(options) {
  const { memory, memoryOnly, schedule, explain, with: recorders } = options;
  if (schedule === 'paired') {
    throw new UsageError('--schedule paired is not for a ranking, which runs one job at a time', {
      remedy: 'leave it out: variants that run at the same time change the times of each other',
    });
  }
  const asked = {
    '--memory': memory,
    '--memory-only': memoryOnly,
    '--explain all': explain === 'all',
    '--with': recorders !== undefined,
    '--instructions': options.instructions,
    '--whole-process': options.wholeProcess,
  };
  const option = Object.entries(asked).find(([, value]) => value === true)?.[0];
  if (option === undefined) return;
  throw new UsageError(`${option} compares with a baseline, and a ranking has none`, {
    remedy: 'leave out --rank: the first variant is then the baseline of the others',
  });
}

/**
 * @param {string[] | undefined} rows
 * @param {FoundFamily} family
 * @returns {Promise<string[]>} names, which the gate looks up if the family does not list them
 * @throws {UsageError} when the family has no behaviour contract, or it has no such row
 */
async function acceptRows(rows = [], family) {
  const { name, hasContract } = family;
  if (!hasContract && rows.length > 0) {
    throw new UsageError(
      `--accept '${rows.join(',')}': the family ${name} has no behaviour contract`,
      { remedy: 'leave --accept out' },
    );
  }
  const own = rows.some((row) => row !== ALL_ROWS) ? await listContractRows(family) : null;
  if (own !== null) requireKnownRows({ family: name, acceptedRows: rows }, own);
  return rows;
}

/**
 * @param {Pick<Question, 'family' | 'acceptedRows'>} question
 * @param {string[]} names of the rows of the contract
 * @throws {UsageError} when `--accept` names a row that the contract does not have
 */
export function requireKnownRows({ family, acceptedRows }, names) {
  const unknown = acceptedRows.find((name) => name !== ALL_ROWS && !names.includes(name));
  if (unknown === undefined) return;
  throw new UsageError(
    `the behaviour contract of ${family} has no row '${unknown}'${didYouMean(unknown, names)}`,
    { remedy: `it has ${names.join(', ')}` },
  );
}

/**
 * @param {string[] | undefined} flags as typed
 * @param {(string | undefined)[]} runtimes that would get them; undefined for the Node that runs Assay
 * @param {RuntimePlaces} places
 * @throws {UsageError} when one is no flag, or Node refuses it
 */
export async function requireFlags(flags = [], runtimes, places) {
  if (flags.length === 0) return;
  const other = flags.find((flag) => !flag.startsWith('-'));
  if (other !== undefined) {
    throw new UsageError(`--node-flag '${other}' is no flag: Node would take it for a program`, {
      remedy: 'write a flag and its value as one word: --node-flag=--NAME=VALUE',
    });
  }
  for (const name of new Set(runtimes)) {
    const { runtime } = await findRuntime(name ?? 'node', places);
    const executable = runtime?.executable ?? process.execPath;
    // Node checks its flags before it prints its version.
    const { status, stdout, stderr } = await tryTool(executable, [...flags, '--version'], {
      environment: process.env,
      timeoutMs: FLAG_TIMEOUT_MS,
    });
    if (status === 0) continue;
    const reason = findReason(`${stdout}\n${stderr}`).replace(`${executable}: `, '');
    throw new UsageError(`${nameRuntime(name ?? OWN_RUNTIME)} refuses --node-flag: ${reason}`, {
      remedy: "see 'node --help' and 'node --v8-options'",
    });
  }
}

/**
 * @param {string[]} texts specs
 * @param {Cell[]} cells
 * @returns {string[]} runtimes of the cells and of pins, other than the Node that runs Assay
 */
function listNames(texts, cells) {
  const named = [...cells, ...texts.map(parseVariantSpec)].flatMap(({ runtime }) => runtime ?? []);
  return [...new Set(named)];
}

/**
 * @param {string[]} runtimes
 * @param {Pick<QuestionOptions, 'nodeFlag' | 'screen'>} options
 * @throws {UsageError} when there are flags of Node for another runtime
 */
function refuseFlags(runtimes, { nodeFlag, screen }) {
  const option = nodeFlag !== undefined ? '--node-flag' : screen === true ? '--screen' : undefined;
  const other = runtimes.find((runtime) => listLacks(runtime).includes('node-flags'));
  if (option === undefined || other === undefined) return;
  throw new UsageError(`${option} needs the flags of Node, and ${other} has none of them`, {
    remedy: `leave it out, or compare under Node in a run of its own`,
  });
}

/**
 * @param {Pick<FoundFamily, 'memory'>} family
 * @param {string[]} runtimes
 * @param {Pick<QuestionOptions, 'memory' | 'memoryOnly'>} options
 * @returns {Pick<Question, 'memory' | 'memoryKinds'>} what all runtimes can measure
 */
function askForMemory({ memory: kinds = MEMORY_KINDS }, runtimes, { memory, memoryOnly }) {
  const lacks = runtimes.flatMap(listLacks);
  const memoryKinds = kinds.filter((kind) =>
    MEMORY_NEEDS[kind].every((capability) => !lacks.includes(capability)),
  );
  if ((memory ?? memoryOnly) === true && memoryKinds.length === 0 && kinds.length > 0) {
    throw new UsageError(`${runtimes.join(' and ')} cannot measure the memory of this family`, {
      remedy: 'leave --memory out, or measure it under Node',
    });
  }
  if (memoryOnly === true) return { memory: 'only', memoryKinds };
  return memory === true ? { memory: 'too', memoryKinds } : { memory: 'none' };
}

/** @type {(options: Pick<QuestionOptions, 'with' | 'wholeProcess' | 'instructions'>) => string[]} */
function listRecordersAskedFor({ with: names, wholeProcess, instructions }) {
  const asked = new Set(names);
  if (wholeProcess === true) asked.add('whole-process');
  if (instructions === true) asked.add('instructions');
  return [...asked];
}

/**
 * @param {FoundFamily} family
 * @param {Pick<QuestionOptions, 'op' | 'corpus' | 'sweep' | 'runtime' | 'node' | 'cold' | 'load' | 'concurrency'>} options
 * @param {RuntimePlaces} [places] to look for runtimes
 * @returns {Promise<Cell[]>} every operation on every corpus, under every runtime; to load variants only the first of
 *   both, whose output is checked
 * @throws {UsageError} when there is no such operation or runtime, an operation cannot read a corpus,
 *   or there is nothing to measure
 * @throws {import('../lib/errors.js').MachineError} when a runtime cannot be installed
 */
export async function makeCells(family, options, places = PROJECT) {
  const { load: isLoad = false } = options;
  const most = isLoad ? 1 : undefined;
  const operations = (options.op ?? family.defaultOperations).slice(0, most);
  const runtimes = await findNames(listWantedRuntimes(options), places);
  const place = { directory: PROJECT.corporaPath };
  const isCold = isLoad || options.cold === true;
  const coldFigures = isLoad ? [LOAD_FIGURE] : COLD_FIGURES;
  const conditions = runtimes.flatMap((runtime) =>
    (isCold ? coldFigures : [undefined]).map((cold) => omitUndefined({ runtime, cold })),
  );
  /** @type {Cell[]} */
  const cells = [];
  for (const name of operations) {
    const operation = await loadOperation(family, name);
    const { figure, sharesCore, series, readsDocuments, codesCanonical, title, unchecked } =
      operation;
    if (isCold) refuseOwnMeasure(name, operation);
    const concurrency = chooseConcurrency(name, operation, options);
    /** @type {Set<string>} */
    const labels = new Set();
    const corpora = options.corpus ?? listDefaultCorpora(family, operation, isCold);
    const sized = options.sweep === true ? corpora.flatMap(listGrown) : corpora;
    for (const text of sized.slice(0, most)) {
      const label = await canonicalLabel(text, { ...place, usualCount: isCold ? 1 : null });
      const cell = { family, operation: name, description: operation };
      await requireFittingCorpus(parseLabel(label).name, cell, place);
      labels.add(label);
    }
    for (const corpus of labels) {
      for (const condition of conditions) {
        const subject = {
          operation: name,
          corpus,
          ...condition,
          ...omitUndefined({ title, concurrency }),
        };
        cells.push({
          id: nameCell(subject),
          ...subject,
          // A series of operations has no second dimension.
          ...omitUndefined({ figure, sharesCore, series: isCold ? undefined : series }),
          ...omitUndefined({ readsDocuments, codesCanonical, unchecked }),
          ...omitUndefined({ grown: describeGrowth(corpus) }),
        });
      }
    }
  }
  if (cells.length > 0) return cells;
  throw new UsageError('there is nothing to measure', {
    remedy: 'leave --op, --corpus and --runtime out, or name at least one each',
  });
}

/** How large a sweep makes documents: five sizes, over more than a decade. */
const GROWTHS = [1, 2, 4, 8, 16];

/** @type {(text: string) => string[]} labels of a corpus in each size; the same for the label of any of these */
function listGrown(text) {
  const parts = parseLabel(text);
  return GROWTHS.map((growth) => formatLabel({ ...parts, growth: growth === 1 ? null : growth }));
}

/** @type {(label: string) => Cell['grown']} */
function describeGrowth(label) {
  const parts = parseLabel(label);
  if (parts.growth === null) return undefined;
  return { from: formatLabel({ ...parts, growth: null }), times: parts.growth };
}

/** @param {ColdFigure} figure @returns {boolean} whether `--cold` or `--load` measures it */
export function isColdFigure({ calls, withLoad }) {
  return [...COLD_FIGURES, LOAD_FIGURE].some(
    (figure) => figure.calls === calls && figure.withLoad === withLoad,
  );
}

/**
 * @param {Pick<Family, 'defaultCorpora'>} family
 * @param {Pick<OperationDescription, 'defaultCorpora'>} operation
 * @param {boolean} isCold
 * @returns {string[]} labels; for cold calls without their counts
 */
function listDefaultCorpora(family, operation, isCold) {
  const defaultCorpora = operation.defaultCorpora ?? family.defaultCorpora ?? ['empty'];
  if (!isCold) return defaultCorpora;
  return defaultCorpora.map((text) => formatLabel({ ...parseLabel(text), count: null }));
}

/**
 * @param {string} name
 * @param {OperationDescription} operation
 * @throws {UsageError} when it measures itself, which includes a warm-up
 */
function refuseOwnMeasure(name, operation) {
  if (!('measure' in operation)) return;
  throw new UsageError(`--cold and --load time new processes, but ${name} measures itself`, {
    remedy: 'name other operations with --op',
  });
}

/**
 * @param {string} name
 * @param {OperationDescription} operation
 * @param {Pick<QuestionOptions, 'concurrency'>} options
 * @returns {number | undefined} calls in flight; undefined if it is synchronous
 * @throws {UsageError} when such an operation is asked to have several
 */
function chooseConcurrency(name, { isAsync = false }, { concurrency }) {
  if (isAsync) return concurrency ?? 1;
  if (concurrency === undefined) return undefined;
  throw new UsageError(`--concurrency is for asynchronous operations, and ${name} is synchronous`, {
    remedy: 'leave it out, or name other operations with --op',
  });
}

/**
 * @param {Pick<QuestionOptions, 'runtime' | 'node'>} options
 * @returns {string[] | undefined} as typed; `--node 20,22` is short for `--runtime node@20,node@22`
 */
function listWantedRuntimes({ runtime, node }) {
  if (node === undefined) return runtime;
  return [...(runtime ?? []), ...node.map((version) => `node@${version}`)];
}

/**
 * @param {string[] | undefined} wanted
 * @param {RuntimePlaces} places
 * @returns {Promise<(string | undefined)[]>} names with exact versions, each once; `undefined` alone, for the
 *   Node that runs Assay, if none is asked for
 */
async function findNames(wanted, places) {
  if (wanted === undefined) return [undefined];
  /** @type {Set<string>} */
  const names = new Set();
  for (const text of wanted) names.add((await findRuntime(text, places)).name);
  return [...names];
}

/**
 * @param {VariantSpec[]} specs
 * @param {FoundFamily} family
 * @param {string[]} [named] operations that are asked for
 * @param {RuntimePlaces} [places] to apply patches
 * @returns {Promise<string[]>} those that are named; otherwise the default operations that all variants have
 *   or, if there is none, all operations that they share
 * @throws {UsageError} when a variant lacks an operation that is named, or they share none
 */
export async function chooseOperations(specs, family, named, places = PROJECT) {
  const limits = await findLimits(specs, family, places);
  if (named !== undefined) {
    for (const name of named) requireOperation(name, limits);
    return named;
  }
  /** @param {string} name */
  const isShared = (name) => limits.every(({ operations }) => operations.includes(name));
  const usual = family.defaultOperations.filter(isShared);
  if (usual.length > 0) return usual;
  const shared = family.operations.filter(isShared);
  if (shared.length > 0) return shared;
  const texts = limits.map(({ spec }) => `'${spec}'`).join(' and ');
  throw new UsageError(`${texts} have no operation in common`, {
    remedy: limits.map(listOperations).join('; '),
  });
}

/** @typedef {{ spec: string, operations: string[] }} Limit a variant that lacks operations of its family */

/** @type {(specs: VariantSpec[], family: FoundFamily, places: RuntimePlaces) => Promise<Limit[]>} */
async function findLimits(specs, family, places) {
  /** @type {Limit[]} */
  const limits = [];
  for (const spec of specs) {
    // A variant that does not exist is refused when it is resolved.
    if (spec.kind !== 'built-in' || !family.variants.includes(spec.name)) continue;
    const { operations } = (await loadVariant(family, spec.name, places)).module.variant;
    if (operations !== undefined) limits.push({ spec: spec.text, operations });
  }
  return limits;
}

/** @param {string} name @param {Limit[]} limits */
function requireOperation(name, limits) {
  const limit = limits.find(({ operations }) => !operations.includes(name));
  if (limit === undefined) return;
  throw new UsageError(`'${limit.spec}' does not have the operation ${name}`, {
    remedy: listOperations(limit),
  });
}

/** @param {Limit} limit */
function listOperations({ spec, operations }) {
  return `'${spec}' only has ${operations.join(', ')}`;
}

/** @param {string[]} specs @throws {UsageError} when one is pinned to a runtime */
function refusePins(specs) {
  const pinned = specs.find((spec) => parseVariantSpec(spec).runtime !== null);
  if (pinned === undefined) return;
  throw new UsageError(
    `--runtime and --node apply to all variants, but '${pinned}' is pinned to a runtime`,
    {
      remedy: 'leave them out, or the pins of the variants',
    },
  );
}

/** @param {string[]} specs @throws {UsageError} when `--build` has nothing to build */
export function requireRevision(specs) {
  if (specs.some((spec) => parseVariantSpec(spec).kind === 'git')) return;
  throw new UsageError(`--build needs a git: variant, and there is none: ${specs.join(', ')}`, {
    remedy: 'leave it out; path: takes a directory that is built already',
  });
}

/**
 * @param {string[]} specs
 * @throws {UsageError} when --as-of is given, and npm installs none of them
 */
function requireDependencies(specs) {
  const kinds = specs.map((spec) => parseVariantSpec(spec).kind);
  if (kinds.includes('npm') || kinds.includes('git')) return;
  throw new UsageError(
    `--as-of needs an npm: or git: variant, and there is none: ${specs.join(', ')}`,
    { remedy: 'leave it out; Assay installs no dependencies of the others' },
  );
}

/**
 * Retained memory is reported per variant and corpus, not per runtime.
 *
 * @param {Cell[]} cells
 * @throws {UsageError} when they are of several runtimes
 */
function requireOneRuntime(cells) {
  const runtimes = new Set(cells.map(({ runtime }) => runtime));
  if (runtimes.size === 1) return;
  throw new UsageError(`memory is measured under one runtime, and ${runtimes.size} are named`, {
    remedy: `make a run for each: --runtime ${[...runtimes][0]}`,
  });
}

/**
 * @param {Pick<FoundFamily, 'name'>} family
 * @param {Pick<QuestionOptions, 'runtime' | 'node' | 'nodeFlag' | 'screen' | 'cold' | 'load'>} options
 * @throws {UsageError} when there is an option for the JavaScript worker, which does not run the family's program
 */
function refuseNodeOptions({ name }, { runtime, node, nodeFlag, screen, cold, load }) {
  const asked = Object.entries({
    '--runtime': runtime,
    '--node': node,
    '--node-flag': nodeFlag,
    '--screen': screen,
    '--cold': cold,
    '--load': load,
  });
  const option = asked.find(([, value]) => value !== undefined)?.[0];
  if (option === undefined) return;
  throw new UsageError(`${option} is for JavaScript, but ${name} is measured by its own program`, {
    remedy: 'leave it out',
  });
}

/**
 * Checks that a family and one of its operations can read a corpus.
 *
 * @param {string} name of the corpus
 * @param {object} cell
 * @param {Pick<Family, 'name' | 'takesCorpus'>} cell.family
 * @param {string} cell.operation name
 * @param {Pick<OperationDescription, 'takesCorpus'>} cell.description of the operation
 * @param {{ directory: string }} place absolute path of the folder for corpora
 * @throws {UsageError} with the corpora that they can read
 */
export async function requireFittingCorpus(name, { family, operation, description }, place) {
  const demands = [family, description].filter(({ takesCorpus }) => takesCorpus !== undefined);
  if (demands.length === 0) return;
  const fits = (/** @type {CorpusSample} */ sample) =>
    demands.every(({ takesCorpus }) => takesCorpus?.(sample));
  if (fits(await sampleCorpus(name, place))) return;
  const fitting = [];
  for (const other of await listCorpusNames(place)) {
    const sample = await sampleCorpus(other, place).catch(ignoreDamaged);
    if (sample !== null && fits(sample)) fitting.push(other);
  }
  throw new UsageError(
    `${operation} of ${family.name} cannot read the corpus '${name}'${didYouMean(name, fitting)}`,
    { remedy: `it reads ${fitting.join(', ')}` },
  );
}

/** Ignores an imported corpus that cannot be read. @type {(error: unknown) => null} */
function ignoreDamaged(error) {
  if (error instanceof AssayError) return null;
  throw error;
}
