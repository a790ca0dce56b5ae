import { UsageError } from '../../lib/errors.js';

/** @import { Cell, Manifest, Question, RecorderState, RunPart, Shard, Verdict } from '../../formats/types.ts' */

/**
 * Deals the cells of a plan out to its shards, each cell whole: one after the other to the shard that
 * has the fewest so far. Cells come operation by operation, so every shard gets its share of each.
 *
 * Some cells stay together. Those that differ by their Node alone are read side by side, and must not
 * be told apart by their hosts. Where memory is measured it is those of one corpus, since what its
 * documents retain is measured once and belongs to all of them.
 *
 * @param {Pick<Question, 'cells' | 'memory'>} plan
 * @param {number} count of shards, from 1
 * @returns {Cell[][]} one list a shard, none empty, in the order of the plan
 * @throws {UsageError} when there is less to deal out than shards
 */
function shareCells({ cells, memory }, count) {
  const groups = groupCells(cells, ({ operation, corpus }) =>
    memory === 'none' ? `${operation} ${corpus}` : corpus,
  );
  if (count > groups.length) {
    const what = nameGroups(groups.length === cells.length, memory);
    throw new UsageError(`${count} shards are too many for ${groups.length} ${what}`, {
      remedy: `at most ${groups.length} can be made of them`,
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
  return isEachAlone ? 'cells' : 'pairs of operation and corpus, whose Nodes stay together';
}

/**
 * @param {Cell[]} cells
 * @param {(cell: Cell) => string} nameGroup
 * @returns {Cell[][]} in the order in which the groups first come
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
 * @throws {UsageError} when there are more shards than cells to deal out
 */
export function takeShard(plan, { index, count }) {
  const cells = shareCells(plan, count)[index - 1];
  return { ...plan, cells, shard: { index, count, cells: plan.cells } };
}

/**
 * A shard that was read: its manifest, and what the host did while it was measured.
 *
 * @typedef {{ manifest: Manifest, hostNoise: Verdict['hostNoise'] }} MeasuredPart
 */

/**
 * The question of the whole plan.
 *
 * @param {Question} question of one of its shards
 * @returns {Question}
 */
export function restorePlan({ shard, ...question }) {
  return { ...question, cells: shard?.cells ?? question.cells };
}

/**
 * The manifest of a merged run: that of the whole plan, with its parts. Paths and the environment are
 * those of the first part; what was measured elsewhere has its own environment among the parts.
 *
 * @param {[MeasuredPart, ...MeasuredPart[]]} parts of one plan, see `requireOnePlan`
 * @param {Pick<Manifest, 'runId' | 'createdAt'>} identity
 * @returns {Manifest}
 */
export function mergeManifests(parts, identity) {
  const inOrder = parts.toSorted((a, b) => indexOf(a) - indexOf(b));
  const manifests = inOrder.map(({ manifest }) => manifest);
  const [first] = manifests;
  const question = restorePlan(first.question);
  return {
    ...first,
    ...identity,
    command: withoutShard(first),
    assay: { ...first.assay, dirty: manifests.some(({ assay }) => assay.dirty) },
    question,
    corpora: uniteCorpora(manifests, question),
    expectedDigests: uniteDigests(manifests, question),
    contracts: uniteContracts(manifests),
    packages: Object.assign({}, ...manifests.toReversed().map(({ packages }) => packages)),
    recorders: uniteRecorders(manifests),
    runtimes: uniteBy(
      manifests.flatMap(({ runtimes }) => runtimes),
      ({ node }) => node,
    ),
    parts: inOrder.map(describePart),
  };
}

/** @param {MeasuredPart} part */
function indexOf({ manifest }) {
  return manifest.question.shard?.index ?? 0;
}

/**
 * @param {MeasuredPart} part
 * @returns {RunPart}
 */
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
 * @param {Manifest} manifest of a shard
 * @returns {string} the command of its plan
 */
function withoutShard({ command, question: { shard } }) {
  return command.replace(` --shard ${shard?.index}/${shard?.count}`, '');
}

/**
 * @param {Manifest[]} manifests
 * @param {Question} plan
 * @returns {Manifest['corpora']} in the order in which the plan first names them
 */
function uniteCorpora(manifests, plan) {
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
function uniteDigests(manifests, plan) {
  /** @type {Manifest['expectedDigests']} */
  const all = Object.assign({}, ...manifests.map(({ expectedDigests }) => expectedDigests));
  return Object.fromEntries(
    plan.cells.flatMap(({ id }) => (all[id] === undefined ? [] : [[id, all[id]]])),
  );
}

/**
 * @param {Manifest[]} manifests
 * @returns {Manifest['contracts']} a row that fails in any part fails
 */
function uniteContracts(manifests) {
  /** @type {Manifest['contracts']} */
  const united = {};
  for (const [spec, rows] of manifests.flatMap(({ contracts }) => Object.entries(contracts))) {
    const failing = rows.filter(({ outcome }) => outcome === 'fails');
    united[spec] = (united[spec] ?? rows).map(
      (row) => failing.find(({ name }) => row.outcome !== 'fails' && name === row.name) ?? row,
    );
  }
  return united;
}

/**
 * @param {Manifest[]} manifests
 * @returns {RecorderState[]} one that cannot work in any part is told as missing, with the reason there
 */
function uniteRecorders(manifests) {
  const states = manifests.flatMap(({ recorders }) => recorders);
  return uniteBy(states, ({ name }) => name).map(
    (state) => states.find(({ name, available }) => name === state.name && !available) ?? state,
  );
}

/**
 * @template T
 * @param {T[]} items
 * @param {(item: T) => string} nameOf
 * @returns {T[]} the first of each name
 */
function uniteBy(items, nameOf) {
  const names = items.map(nameOf);
  return items.filter((item, index) => names.indexOf(nameOf(item)) === index);
}
