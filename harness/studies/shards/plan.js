import { UsageError } from '../../lib/errors.js';
import { listShared } from '../../stats/plan.js';

/** @import { Cell, Manifest, Question, RecorderState, RunPart, Shard, Verdict } from '../../formats/types.ts' */

/**
 * Partitions the cells of a plan into shards: each group of cells goes to the shard with the fewest cells.
 * Cells are ordered by operation, so every shard gets some of each.
 *
 * Cells that differ only in their Node or their candidate are compared with each other and stay on one host. If memory is
 * measured, so do all cells of a corpus, since its retained memory is measured once for all of them.
 *
 * @param {Pick<Question, 'cells' | 'memory'>} plan
 * @param {number} count of shards, from 1
 * @returns {Cell[][]} one list per shard, none empty, in the order of the plan
 * @throws {UsageError} when there are fewer groups than shards
 */
function partitionCells({ cells, memory }, count) {
  const groups = groupCells(cells, ({ operation, corpus }) =>
    memory === 'none' ? `${operation} ${corpus}` : corpus,
  );
  if (count > groups.length) {
    const what = nameGroups(groups.length === cells.length, memory);
    throw new UsageError(`${count} shards are too many for ${groups.length} ${what}`, {
      remedy: `use at most ${groups.length}`,
    });
  }
  /** @type {Cell[][]} */
  const shards = Array.from({ length: count }, () => []);
  for (const group of groups) {
    const fewest = Math.min(...shards.map(({ length }) => length));
    shards.find(({ length }) => length === fewest)?.push(...group);
  }
  const place = new Map(cells.map(({ id }, index) => [id, index]));
  /** @param {Cell} cell */
  const placeOf = ({ id }) => place.get(id) ?? 0;
  return shards.map((shard) => shard.toSorted((a, b) => placeOf(a) - placeOf(b)));
}

/**
 * @param {boolean} isEachAlone
 * @param {Question['memory']} memory
 */
function nameGroups(isEachAlone, memory) {
  if (memory !== 'none') return 'corpora, whose cells stay together for their memory';
  return isEachAlone ? 'cells' : 'pairs of operation and corpus, whose cells stay together';
}

/**
 * @param {Cell[]} cells
 * @param {(cell: Cell) => string} nameGroup
 * @returns {Cell[][]} in order of first appearance
 */
function groupCells(cells, nameGroup) {
  const names = new Set(cells.map(nameGroup));
  return [...names].map((name) => cells.filter((cell) => nameGroup(cell) === name));
}

/**
 * The part of a plan that one host measures. It knows all cells of the plan: the order of its jobs and
 * the correction for many cells are those of the whole.
 *
 * @param {Question} plan
 * @param {Pick<Shard, 'index' | 'count'>} shard
 * @returns {Question}
 * @throws {UsageError} when there are fewer groups of cells than shards
 */
export function selectShard(plan, { index, count }) {
  const cells = partitionCells(plan, count)[index - 1];
  return { ...plan, cells, shard: { index, count, cells: plan.cells } };
}

/**
 * The manifest of a measured shard, and the noise of its host.
 *
 * @typedef {{ manifest: Manifest, hostNoise: Verdict['hostNoise'] }} MeasuredPart
 */

/**
 * The question of the whole plan.
 *
 * @param {Question} question of one of its shards
 * @returns {Question}
 */
export function unshard({ shard, ...question }) {
  return { ...question, cells: shard?.cells ?? question.cells };
}

/**
 * The manifest of a merged run. Paths and the environment are those of the first part; the environments of
 * the others are among the parts.
 *
 * @param {[MeasuredPart, ...MeasuredPart[]]} parts of one plan, see `requireOnePlan`
 * @param {Pick<Manifest, 'runId' | 'createdAt' | 'command'>} identity
 * @returns {Manifest}
 */
export function mergeManifests(parts, identity) {
  const inOrder = parts.toSorted((a, b) => indexOf(a) - indexOf(b));
  const manifests = inOrder.map(({ manifest }) => manifest);
  const [first] = manifests;
  const question = unshard(first.question);
  return {
    ...first,
    ...identity,
    assay: { ...first.assay, dirty: manifests.some(({ assay }) => assay.dirty) },
    question,
    corpora: mergeCorpora(manifests, question),
    expectedDigests: mergeDigests(manifests, question),
    contracts: mergeContracts(manifests),
    ...mergeSizes(manifests),
    packages: Object.assign({}, ...manifests.toReversed().map(({ packages }) => packages)),
    recorders: mergeRecorders(manifests),
    runtimes: uniqueBy(
      manifests.flatMap(({ runtimes }) => runtimes),
      ({ runtime }) => runtime,
    ),
    parts: inOrder.map(describePart),
  };
}

/** @param {MeasuredPart} part */
function indexOf({ manifest }) {
  return manifest.question.shard?.index ?? 0;
}

/** @type {(part: MeasuredPart) => RunPart} */
function describePart({ manifest, hostNoise }) {
  const { runId, question, environment } = manifest;
  return {
    runId,
    shard: question.shard?.index ?? 0,
    cellIds: question.cells.map(({ id }) => id),
    environment,
    hostNoise,
  };
}

/**
 * @param {Manifest[]} manifests
 * @param {Question} plan
 * @returns {Manifest['corpora']} in the order of the plan
 */
function mergeCorpora(manifests, plan) {
  const known = manifests.flatMap(({ corpora }) => corpora);
  return [...new Set(plan.cells.map(({ corpus }) => corpus))].flatMap((label) =>
    known.filter((corpus) => corpus.label === label).slice(0, 1),
  );
}

/**
 * @param {Manifest[]} manifests
 * @param {Question} plan
 * @returns {Manifest['expectedDigests']} in the order of the plan
 */
function mergeDigests(manifests, plan) {
  /** @type {Manifest['expectedDigests']} */
  const all = Object.assign({}, ...manifests.map(({ expectedDigests }) => expectedDigests));
  return Object.fromEntries(
    listShared(plan.cells).flatMap(({ id }) => (all[id] === undefined ? [] : [[id, all[id]]])),
  );
}

/** @type {(manifests: Manifest[]) => Pick<Manifest, 'sizes'>} */
function mergeSizes(manifests) {
  const known = manifests.flatMap(({ sizes }) => (sizes === undefined ? [] : [sizes]));
  return known.length === 0 ? {} : { sizes: Object.assign({}, ...known) };
}

/**
 * @param {Manifest[]} manifests
 * @returns {Manifest['contracts']} a row fails if it fails in any part
 */
function mergeContracts(manifests) {
  /** @type {Manifest['contracts']} */
  const merged = {};
  for (const [spec, rows] of manifests.flatMap(({ contracts }) => Object.entries(contracts))) {
    const failing = rows.filter(({ outcome }) => outcome === 'fails');
    merged[spec] = (merged[spec] ?? rows).map(
      (row) => failing.find(({ name }) => row.outcome !== 'fails' && name === row.name) ?? row,
    );
  }
  return merged;
}

/**
 * @param {Manifest[]} manifests
 * @returns {RecorderState[]} one that is unavailable in any part is unavailable, with the reason from there
 */
function mergeRecorders(manifests) {
  const states = manifests.flatMap(({ recorders }) => recorders);
  return uniqueBy(states, ({ name }) => name).map(
    (state) => states.find(({ name, available }) => name === state.name && !available) ?? state,
  );
}

/**
 * @template T
 * @param {T[]} items
 * @param {(item: T) => string} nameOf
 * @returns {T[]} the first of each name
 */
function uniqueBy(items, nameOf) {
  const names = items.map(nameOf);
  return items.filter((item, index) => names.indexOf(nameOf(item)) === index);
}
