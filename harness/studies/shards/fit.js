import { FormatError, UsageError } from '../../lib/errors.js';
import { countOf } from '../../lib/numbers.js';
import { PROGRAM, formatCommand } from '../../lib/program.js';
import { listDifferences, REFUSED, selectDifferences, shorten } from '../../run/identity.js';
import { listHeld } from '../../stats/memory/plan.js';
import { sharedIdOf } from '../../stats/plan.js';
import { unshard } from './plan.js';

/** @import { Manifest, Question, Shard } from '../../formats/types.ts' */
/** @import { StoredRun } from '../../run/store.js' */

/**
 * A run that is to be merged.
 *
 * @typedef {object} Part
 * @property {string} name its directory as typed
 * @property {StoredRun} run
 */

/**
 * Checks that runs are all shards of one plan, each once, finished, and comparable.
 *
 * @param {Part[]} parts
 * @throws {UsageError} naming the first reason why they cannot be merged
 * @throws {FormatError} when a run has observations of cells that it does not own, or an impossible plan
 */
export function requireOnePlan(parts) {
  for (const part of parts) requireFinishedShard(part);
  for (const [index, part] of parts.entries()) {
    for (const earlier of parts.slice(0, index)) requireAlike(earlier, part);
  }
  requireEveryShard(parts);
  requireOwnCells(parts);
}

/**
 * Shards may be measured on different hosts, but must have the same plan, Assay, variants, corpora and
 * Node.
 *
 * @param {Part} first
 * @param {Part} other
 */
function requireAlike(first, other) {
  const [ours, theirs] = [first, other].map(({ run }) => run.manifest);
  /** @type {readonly import('../../run/identity.js').Aspect[]} */
  const refused =
    ranUnderOwnNode(ours) || ranUnderOwnNode(theirs) ? [...REFUSED.merge, 'node'] : REFUSED.merge;
  const [difference] = selectDifferences(listDifferences(ours, theirs), refused);
  if (difference === undefined) return;
  const { label, before, now } = difference;
  throw new UsageError(
    `cannot merge '${other.name}' with '${first.name}': ${label} differs (${shorten(now)}, not ${shorten(before)})`,
    { remedy: 'results of different things cannot be merged; measure that shard again' },
  );
}

/** @param {Part} part */
function requireFinishedShard({ name, run: { manifest, verdict } }) {
  if (manifest.parts !== undefined) {
    throw new UsageError(`'${name}' is a merged run`, {
      remedy: 'name the runs of all its shards',
    });
  }
  if (manifest.question.shard === undefined) {
    throw new UsageError(`'${name}' is not a shard: it measured all cells of its question`, {
      remedy: `measure shards with the commands that '${PROGRAM} plan' prints`,
    });
  }
  if (verdict === null) {
    throw new UsageError(`'${name}' was interrupted before its verdict`, {
      remedy: `resume it first: ${formatCommand(['compare', '--resume', name])}`,
    });
  }
}

/** @param {Part[]} parts of one plan */
function requireEveryShard(parts) {
  /** @type {Map<number, Part>} */
  const byIndex = new Map();
  const { count, cells } = shardOf(parts[0].run.manifest.question);
  if (count > cells.length) {
    throw new FormatError(
      `'${parts[0].name}' is one of ${count} shards of a plan that has ${countOf(cells.length, 'cell')}`,
      { remedy: 'plan and measure again; the manifest was edited' },
    );
  }
  for (const part of parts) {
    const { index } = shardOf(part.run.manifest.question);
    const known = byIndex.get(index);
    if (known !== undefined) {
      throw new UsageError(
        `shard ${index}/${count} is given twice: '${known.name}' and '${part.name}'`,
        { remedy: 'name one of them, chosen without regard to its result' },
      );
    }
    byIndex.set(index, part);
  }
  const missing = [];
  for (let index = 1; index <= count; index++) {
    if (!byIndex.has(index)) missing.push(`${index}/${count}`);
  }
  if (missing.length === 0) return;
  const names =
    missing.length === 1 ? `shard ${missing[0]} is` : `shards ${missing.join(', ')} are`;
  throw new UsageError(`${names} missing`, {
    remedy: 'name the runs of all shards; their commands differ only in --shard',
  });
}

/**
 * @param {Question} question of a shard
 * @returns {Shard}
 */
function shardOf({ shard }) {
  return /** @type {Shard} */ (shard);
}

/**
 * Checks that every cell of the plan belongs to one shard, and that shards have observations of their own
 * cells only.
 *
 * @param {Part[]} parts all shards of one plan
 */
function requireOwnCells(parts) {
  /** @type {Map<string, string>} */
  const owners = new Map();
  for (const { name, run } of parts) {
    for (const { id } of run.manifest.question.cells) {
      const owner = owners.get(id);
      if (owner !== undefined) {
        throw new FormatError(`cell '${id}' is in two shards: '${owner}' and '${name}'`, {
          remedy: 'plan and measure again; the manifest of one of them was edited',
        });
      }
      owners.set(id, name);
    }
    const stranger = findStranger(run);
    if (stranger === undefined) continue;
    throw new FormatError(
      `'${name}' has an observation of '${stranger}', which it did not measure`,
      {
        remedy: 'restore its files from a copy, or measure that shard again',
      },
    );
  }
  const plan = unshard(parts[0].run.manifest.question);
  const strange = plan.cells.find(({ id }) => !owners.has(id));
  if (strange === undefined && owners.size === plan.cells.length) return;
  throw new FormatError(
    `the cells of the shards are not those of their plan: ${strange?.id ?? 'too many'}`,
    {
      remedy: 'plan and measure again; a manifest was edited',
    },
  );
}

/**
 * @param {StoredRun} run
 * @returns {string | undefined} cell or corpus of an observation that belongs to another run
 */
function findStranger(run) {
  const { manifest, memoryObservations } = run;
  const { cells } = manifest.question;
  const cellIds = cells.flatMap((cell) => [cell.id, sharedIdOf(cell)]);
  const own = new Set(cellIds);
  const subjects = new Set([...cellIds, ...listHeldIds(manifest)]);
  return (
    [...run.observations, ...run.profileObservations, ...run.placementObservations].find(
      ({ cellId }) => !own.has(cellId),
    )?.cellId ?? memoryObservations.find(({ subject }) => !subjects.has(subject))?.subject
  );
}

/** @param {Manifest} manifest */
function listHeldIds({ question, corpora }) {
  return listHeld(question, corpora).flatMap((held) => [held.id, sharedIdOf(held)]);
}

/**
 * Whether a job of a run may have run under the Node that runs Assay.
 *
 * @param {Manifest} manifest
 */
function ranUnderOwnNode({ question: { cells }, variants: { baseline, candidates } }) {
  const measured = [baseline, ...candidates];
  if (measured.every(({ program }) => program !== undefined)) return false;
  const areArmsPinned = measured.every(({ runtime }) => runtime !== undefined);
  return !areArmsPinned && cells.some(({ runtime }) => runtime === undefined);
}
