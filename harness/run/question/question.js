import { randomInt } from 'node:crypto';
import { parseLabel } from '../../../corpora/support/label.js';
import { canonicalLabel, sampleCorpus } from '../../../corpora/support/prepare.js';
import { listCorpusNames } from '../../../corpora/support/registry.js';
import { MEMORY_KINDS } from '../../formats/memory-kinds.js';
import { AssayError, UsageError } from '../../lib/errors.js';
import { PROJECT } from '../../lib/project.js';
import { didYouMean } from '../../lib/words.js';
import { PROCESSES_PER_BLOCK } from '../../stats/plan.js';
import { hasProgram } from '../../variants/build-family.js';
import { loadOperation, loadVariant } from '../../variants/families.js';
import { findNodeRuntime } from '../../variants/node-runtime.js';
import { parseVariantSpec } from '../../variants/spec.js';
import {
  parseBudget,
  parseLayouts,
  parseList,
  parseNumber,
  parseProcesses,
  parseSeed,
} from './parse-options.js';

/** @import { Cell, CorpusSample, Family, OperationDescription, Question, VariantSpec } from '../../formats/types.ts' */
/** @import { FoundFamily } from '../../variants/families.js' */
/** @import { RuntimePlaces } from '../../variants/node-runtime.js' */
/** @import { CompareOptions } from '../../cli/commands/compare.js' */

/** Looks at the data, each at twice as many processes a side as the one before. */
const LOOK_COUNT = 4;
/** Of the family of all cells: at most so often a comparison of equals tells a direction (decision 0022). */
const ALPHA = 0.02;
/** Edited copies of each side, where code placement might have made a verdict. */
const DEFAULT_LAYOUTS = '4';
const SCREEN_FLAG = '--predictable';

/**
 * Turns what was typed into what a run must find out.
 *
 * @param {[string, string]} specs of baseline and candidate
 * @param {FoundFamily} family
 * @param {CompareOptions} options
 * @param {RuntimePlaces} [places] for versions of Node
 * @returns {Promise<Question>}
 * @throws {UsageError} when an option makes no sense
 * @throws {import('../../lib/errors.js').MachineError} when a version of Node cannot be had
 */
export async function makeQuestion([baseline, candidate], family, options, places = PROJECT) {
  const screen = options.screen === true;
  const { seed, budget, mei, nodeFlag, memoryOnly, layouts } = options;
  if (options.node !== undefined) refusePins([baseline, candidate]);
  if (options.build !== undefined) requireRevision([baseline, candidate]);
  if (await hasProgram(family)) refuseNodeOptions(family, options);
  const specs = [baseline, candidate].map(parseVariantSpec);
  const operations = await chooseOperations(specs, family, options.op);
  const cells = await makeCells(family, { ...options, op: operations.join(',') }, places);
  const memory = askForMemory(family, options);
  if (memory.memory !== 'none') requireOneNode(cells);
  return {
    family: family.name,
    baseline,
    candidate,
    cells,
    minimumEffect: parseNumber('--mei', mei, { above: 0, upTo: 100 }) / 100,
    alpha: ALPHA,
    looks: listLooks(parseProcesses(options.processes)),
    budgetSeconds: budget === undefined ? null : parseBudget(budget),
    seed: seed === undefined ? randomInt(2 ** 32) : parseSeed(seed),
    mode: screen ? 'screen' : 'default',
    layouts: memoryOnly === true ? 0 : parseLayouts(layouts ?? DEFAULT_LAYOUTS),
    nodeFlags: [...(screen ? [SCREEN_FLAG] : []), ...(nodeFlag ?? [])],
    ...memory,
    acceptedRows: parseAcceptedRows(options.accept, family),
    explain: parseExplain(options.explain ?? 'differing'),
    recorders: listRecordersAskedFor(options),
    ...(options.build === undefined ? {} : { build: options.build }),
    ...(options.sandbox === true ? { sandbox: true } : {}),
  };
}

/**
 * @param {string | undefined} text
 * @param {FoundFamily} family
 * @returns {string[]} names, which the gate looks up
 * @throws {UsageError} when the family has no behaviour contract
 */
function parseAcceptedRows(text, { name, hasContract }) {
  const rows = parseList(text) ?? [];
  if (rows.length === 0 || hasContract) return rows;
  throw new UsageError(`--accept '${text}': the family ${name} has no behaviour contract`, {
    remedy: 'leave --accept out',
  });
}

/**
 * @param {Pick<FoundFamily, 'memory'>} family
 * @param {Pick<CompareOptions, 'memory' | 'memoryOnly'>} options
 * @returns {Pick<Question, 'memory' | 'memoryKinds'>}
 */
function askForMemory({ memory: memoryKinds = MEMORY_KINDS }, { memory, memoryOnly }) {
  if (memoryOnly === true) return { memory: 'only', memoryKinds };
  return memory === true ? { memory: 'too', memoryKinds } : { memory: 'none' };
}

/**
 * @param {string} text
 * @returns {Question['explain']}
 * @throws {UsageError} when it is none of the words
 */
function parseExplain(text) {
  if (text === 'differing' || text === 'all' || text === 'none') return text;
  throw new UsageError(`--explain '${text}' is not known`, {
    remedy: 'write differing, all or none',
  });
}

/**
 * @param {Pick<CompareOptions, 'with' | 'wholeProcess' | 'instructions'>} options
 * @returns {string[]}
 */
function listRecordersAskedFor({ with: names, wholeProcess, instructions }) {
  const asked = new Set(parseList(names));
  if (wholeProcess === true) asked.add('whole-process');
  if (instructions === true) asked.add('instructions');
  return [...asked];
}

/**
 * @param {number} most processes a side, at the last look
 * @returns {number[]} 12, 24, 48, 96 for 96
 */
function listLooks(most) {
  const looks = Array.from({ length: LOOK_COUNT }, (_, index) => {
    const share = most / 2 ** (LOOK_COUNT - 1 - index);
    return PROCESSES_PER_BLOCK * Math.ceil(share / PROCESSES_PER_BLOCK);
  });
  return [...new Set(looks)];
}

/**
 * @param {FoundFamily} family
 * @param {Pick<CompareOptions, 'op' | 'corpus' | 'node'>} options
 * @param {RuntimePlaces} [places] for versions of Node
 * @returns {Promise<Cell[]>} every operation on every corpus that is named, else on those that it
 *   or the family is measured on by default, under every version of Node that is named
 * @throws {UsageError} when there is no such operation or version, a corpus that the operation cannot
 *   read, or nothing to measure
 * @throws {import('../../lib/errors.js').MachineError} when a version of Node cannot be had
 */
export async function makeCells(family, options, places = PROJECT) {
  const operations = parseList(options.op) ?? family.defaultOperations;
  const named = parseList(options.corpus);
  const nodes = await findNodes(options.node, places);
  const place = { directory: PROJECT.corporaPath };
  /** @type {Cell[]} */
  const cells = [];
  for (const name of operations) {
    const operation = await loadOperation(family, name);
    const { defaultCorpora = family.defaultCorpora, figure, series, readsDocuments } = operation;
    /** @type {Set<string>} */
    const labels = new Set();
    for (const text of named ?? defaultCorpora) {
      const label = await canonicalLabel(text, place);
      const cell = { family, operation: name, description: operation };
      await requireFittingCorpus(parseLabel(label).name, cell, place);
      labels.add(label);
    }
    for (const corpus of labels) {
      for (const node of nodes) {
        const id = `${name} ${corpus}${node === undefined ? '' : ` node ${node}`}`;
        cells.push({
          id,
          operation: name,
          corpus,
          ...(node === undefined ? {} : { node }),
          ...(figure === undefined ? {} : { figure }),
          ...(series === undefined ? {} : { series }),
          ...(readsDocuments === undefined ? {} : { readsDocuments }),
        });
      }
    }
  }
  if (cells.length > 0) return cells;
  throw new UsageError('there is nothing to measure', {
    remedy: 'leave --op, --corpus and --node out, or name at least one each',
  });
}

/**
 * @param {string | undefined} text `20,22.11.0`
 * @param {RuntimePlaces} places
 * @returns {Promise<(string | undefined)[]>} exact versions, each once; only the Node that runs Assay,
 *   without a name, where none is asked for
 */
async function findNodes(text, places) {
  const wanted = parseList(text);
  if (wanted === undefined) return [undefined];
  /** @type {Set<string>} */
  const nodes = new Set();
  for (const version of wanted) nodes.add((await findNodeRuntime(version, places)).node);
  return [...nodes];
}

/**
 * The operations that variants are held to: those that are named, else of the family's usual ones those
 * that all of the variants have, else whatever all of them have.
 *
 * @param {VariantSpec[]} specs
 * @param {FoundFamily} family
 * @param {string} [text] as typed, separated by commas
 * @returns {Promise<string[]>}
 * @throws {UsageError} when one of the variants lacks an operation that is named, or they share none
 */
export async function chooseOperations(specs, family, text) {
  const limits = await findLimits(specs, family);
  const named = parseList(text);
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
    remedy: limits.map(tellOperations).join('; '),
  });
}

/** @typedef {{ spec: string, operations: string[] }} Limit of a variant that has not all operations */

/**
 * @param {VariantSpec[]} specs
 * @param {FoundFamily} family
 * @returns {Promise<Limit[]>}
 */
async function findLimits(specs, family) {
  /** @type {Limit[]} */
  const limits = [];
  for (const spec of specs) {
    // One that the family does not have is refused where it is resolved.
    if (spec.kind !== 'built-in' || !family.variants.includes(spec.name)) continue;
    const { operations } = (await loadVariant(family, spec.name)).module.variant;
    if (operations !== undefined) limits.push({ spec: spec.text, operations });
  }
  return limits;
}

/**
 * @param {string} name
 * @param {Limit[]} limits
 */
function requireOperation(name, limits) {
  const limit = limits.find(({ operations }) => !operations.includes(name));
  if (limit === undefined) return;
  throw new UsageError(`'${limit.spec}' does not have the operation ${name}`, {
    remedy: tellOperations(limit),
  });
}

/** @param {Limit} limit */
function tellOperations({ spec, operations }) {
  return `'${spec}' has ${operations.join(', ')} alone`;
}

/**
 * Refuses `--node` beside a side that has a Node of its own.
 *
 * @param {string[]} specs
 * @throws {UsageError} when one is pinned to a Node
 */
function refusePins(specs) {
  const pinned = specs.find((spec) => parseVariantSpec(spec).node !== null);
  if (pinned === undefined) return;
  throw new UsageError(`'${pinned}' is pinned to a Node, and --node asks for both sides`, {
    remedy: 'leave out --node, or @node= of both variants',
  });
}

/**
 * Refuses `--build` where no side is built.
 *
 * @param {string[]} specs
 * @throws {UsageError} when there is nothing to build
 */
export function requireRevision(specs) {
  if (specs.some((spec) => parseVariantSpec(spec).kind === 'git')) return;
  throw new UsageError(`--build is for git: variants, and here is none: ${specs.join(', ')}`, {
    remedy: 'leave it out; path: takes a directory that you built',
  });
}

/**
 * What documents retain is a property of variant and corpus, which has no place for a Node of its own.
 *
 * @param {Cell[]} cells
 * @throws {UsageError} when they are of several Nodes
 */
function requireOneNode(cells) {
  const nodes = new Set(cells.map(({ node }) => node));
  if (nodes.size === 1) return;
  throw new UsageError(`memory is compared under one Node, and --node names ${nodes.size}`, {
    remedy: `make a run of each: --node ${[...nodes][0]}`,
  });
}

/**
 * Refuses what is said to Node where a program of the family's own measures.
 *
 * @param {Pick<FoundFamily, 'name'>} family
 * @param {Pick<CompareOptions, 'node' | 'nodeFlag' | 'screen'>} options
 * @throws {UsageError} when there is such an option
 */
function refuseNodeOptions({ name }, { node, nodeFlag, screen }) {
  const asked = Object.entries({ '--node': node, '--node-flag': nodeFlag, '--screen': screen });
  const option = asked.find(([, value]) => value !== undefined)?.[0];
  if (option === undefined) return;
  throw new UsageError(`${option} is for Node, and ${name} is measured by a program of its own`, {
    remedy: 'leave it out',
  });
}

/**
 * Refuses a corpus that a family, or one of its operations, cannot read, before a worker fails on it.
 *
 * @param {string} name of the corpus
 * @param {object} cell
 * @param {Pick<Family, 'name' | 'takesCorpus'>} cell.family
 * @param {string} cell.operation name
 * @param {Pick<OperationDescription, 'takesCorpus'>} cell.description of the operation
 * @param {{ directory: string }} place absolute path of the folder for corpora
 * @throws {UsageError} with the corpora that do fit
 */
export async function requireFittingCorpus(name, { family, operation, description }, place) {
  const demands = [family, description].filter(({ takesCorpus }) => takesCorpus !== undefined);
  if (demands.length === 0) return;
  const fits = (/** @type {CorpusSample} */ sample) =>
    demands.every(({ takesCorpus }) => takesCorpus?.(sample));
  if (fits(await sampleCorpus(name, place))) return;
  const fitting = [];
  for (const other of await listCorpusNames(place)) {
    const sample = await sampleCorpus(other, place).catch(passOver);
    if (sample !== null && fits(sample)) fitting.push(other);
  }
  throw new UsageError(
    `${operation} of ${family.name} cannot read the corpus '${name}'${didYouMean(name, fitting)}`,
    { remedy: `it reads ${fitting.join(', ')}` },
  );
}

/**
 * An imported corpus that is damaged is nobody's choice here.
 *
 * @param {unknown} error
 * @returns {null}
 */
function passOver(error) {
  if (error instanceof AssayError) return null;
  throw error;
}
