import { FormatError, UsageError } from '../../lib/errors.js';
import { countOf } from '../../lib/numbers.js';
import { restorePlan } from './plan.js';

/** @import { Manifest, Question, ResolvedVariant, Shard } from '../../formats/types.ts' */
/** @import { StoredRun } from '../../run/run-store.js' */

/**
 * A run that is to become part of another.
 *
 * @typedef {object} Part
 * @property {string} name how the user named its directory
 * @property {StoredRun} run
 */

/**
 * Makes sure that runs are all the shards of one plan, each of them once, measured with the same things
 * and to their end.
 *
 * @param {Part[]} parts
 * @throws {UsageError} when they do not fit together; the first reason that is found
 * @throws {FormatError} when a run holds what it should not have measured, or its plan cannot be
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
 * @param {Part} first
 * @param {Part} other
 */
function requireAlike(first, other) {
  const [conflict] = listConflicts(first.run.manifest, other.run.manifest);
  if (conflict === undefined) return;
  const { what, ours, theirs } = conflict;
  throw new UsageError(`'${other.name}' has ${what} than '${first.name}': ${theirs}, not ${ours}`, {
    remedy: 'figures of two different things cannot be mixed; measure that shard again',
  });
}

/** @param {Part} part */
function requireFinishedShard({ name, run: { manifest, verdict } }) {
  if (manifest.parts !== undefined) {
    throw new UsageError(`'${name}' was merged already`, {
      remedy: 'name the runs of all its shards',
    });
  }
  if (manifest.question.shard === undefined) {
    throw new UsageError(`'${name}' is no shard: it measured all cells of its question`, {
      remedy: "'just plan' prints the commands that measure shards",
    });
  }
  if (verdict === null) {
    throw new UsageError(`'${name}' was cut off before its verdict`, {
      remedy: `go on with it first: just compare --resume ${name}`,
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
      { remedy: 'plan and measure again; the manifest was changed' },
    );
  }
  for (const part of parts) {
    const { index } = shardOf(part.run.manifest.question);
    const known = byIndex.get(index);
    if (known !== undefined) {
      throw new UsageError(
        `shard ${index}/${count} is there twice: '${known.name}' and '${part.name}'`,
        { remedy: 'name one of them; which one counts must not depend on what came out' },
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
    remedy: 'name the runs of all shards; the command of each differs in --shard alone',
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
 * Every cell of the plan belongs to one shard, and a shard has observations of its own cells alone.
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
          remedy: 'plan and measure again; the manifest of one of them was changed',
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
  const plan = restorePlan(parts[0].run.manifest.question);
  const strange = plan.cells.find(({ id }) => !owners.has(id));
  if (strange === undefined && owners.size === plan.cells.length) return;
  throw new FormatError(
    `the shards do not have the cells of their plan: ${strange?.id ?? 'too many'}`,
    {
      remedy: 'plan and measure again; a manifest was changed',
    },
  );
}

/**
 * @param {StoredRun} run
 * @returns {string | undefined} cell or corpus of an observation that belongs to another run
 */
function findStranger(run) {
  const { manifest, memoryObservations } = run;
  const cellIds = manifest.question.cells.map(({ id }) => id);
  const own = new Set(cellIds);
  const held = new Set([...cellIds, ...listLabels(manifest)]);
  return (
    [...run.observations, ...run.profileObservations, ...run.layoutObservations].find(
      ({ cellId }) => !own.has(cellId),
    )?.cellId ?? memoryObservations.find(({ subject }) => !held.has(subject))?.subject
  );
}

/** @param {Manifest} manifest */
function listLabels({ corpora }) {
  return corpora.map(({ label }) => label);
}

/** A longer value says no more to a reader. */
const LONGEST_VALUE = 90;

/**
 * Something in which two runs differ that must be the same to be parts of one.
 *
 * @typedef {{ what: string, ours: string, theirs: string }} Conflict
 */

/**
 * What keeps two shards from being parts of one run: another plan, another Assay, other things that
 * were measured, another Node. Other hosts do not.
 *
 * @param {Manifest} ours
 * @param {Manifest} theirs
 * @returns {Conflict[]} the most telling first
 */
function listConflicts(ours, theirs) {
  const pairs = [
    ...pairQuestions(ours.question, theirs.question),
    pair('another revision of Assay', nameAssay(ours), nameAssay(theirs)),
    pair('other settings of the jobs', ours.settings, theirs.settings),
    ...pairVariants(ours, theirs),
    ...pairCorpora(ours, theirs),
    ...pairRuntimes(ours, theirs),
  ];
  return pairs
    .filter(({ same }) => !same)
    .map(({ what, left, right }) => ({ what, ours: shorten(left), theirs: shorten(right) }));
}

/**
 * @param {string} what is wrong where both differ
 * @param {unknown} ours
 * @param {unknown} theirs
 */
function pair(what, ours, theirs) {
  const [left, right] = [toText(ours), toText(theirs)];
  return { what, left, right, same: left === right };
}

/**
 * @param {unknown} value
 * @returns {string} the same for equal values, whatever the order of their keys
 */
function toText(value) {
  if (typeof value === 'string') return value;
  return JSON.stringify(value ?? null, (_key, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** @param {string} text */
function shorten(text) {
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE - 1)}…`;
}

/**
 * @param {Question} ours
 * @param {Question} theirs
 */
function pairQuestions(ours, theirs) {
  const [left, right] = [new Map(Object.entries(ours)), new Map(Object.entries(theirs))];
  const names = [...new Set([...left.keys(), ...right.keys()])];
  const shared = names.filter((name) => name !== 'cells' && name !== 'shard');
  return [
    ...shared.map((name) => pair(`another ${name}`, left.get(name), right.get(name))),
    pair('another number of shards', ours.shard?.count, theirs.shard?.count),
    pair('other cells in its plan', listIds(ours.shard?.cells), listIds(theirs.shard?.cells)),
    pair('other cells in its plan', ours.shard?.cells, theirs.shard?.cells),
  ];
}

/** @param {Question['cells']} [cells] */
function listIds(cells = []) {
  return cells.map(({ id }) => id).join(', ');
}

/** @param {Manifest} manifest */
function nameAssay({ assay: { version, revision } }) {
  return `${version} ${revision ?? 'without a revision'}`;
}

/**
 * @param {Manifest} ours
 * @param {Manifest} theirs
 */
function pairVariants({ variants: ours }, { variants: theirs }) {
  const roles = /** @type {const} */ (['baseline', 'candidate', 'reference']);
  return roles.flatMap((role) => [
    pair(`another ${role} (${ours[role].spec})`, ours[role].digest, theirs[role].digest),
    pair(`another ${role} (${ours[role].spec})`, identify(ours[role]), identify(theirs[role])),
  ]);
}

/** @param {ResolvedVariant} variant */
function identify({ spec, kind, settings, version, integrity, ...variant }) {
  const { revision, build, toolchain, node } = variant;
  return { spec, kind, settings, version, integrity, revision, build, toolchain, node };
}

/**
 * @param {Manifest} ours
 * @param {Manifest} theirs
 */
function pairCorpora({ corpora: ours }, { corpora: theirs }) {
  return theirs.flatMap(({ label, digest }) =>
    ours
      .filter((corpus) => corpus.label === label)
      .map((corpus) => pair(`another corpus ${label}`, corpus.digest, digest)),
  );
}

/**
 * The Node that runs Assay counts where a job may have run under it.
 *
 * @param {Manifest} ours
 * @param {Manifest} theirs
 */
function pairRuntimes(ours, theirs) {
  const others = theirs.runtimes.flatMap(({ node, integrity }) =>
    ours.runtimes
      .filter((runtime) => runtime.node === node)
      .map((runtime) => pair(`another build of Node ${node}`, runtime.integrity, integrity)),
  );
  if (!ranUnderOwnNode(ours) && !ranUnderOwnNode(theirs)) return others;
  return [pair('another Node', ours.environment.node, theirs.environment.node), ...others];
}

/** @param {Manifest} manifest */
function ranUnderOwnNode({ question: { cells }, variants: { baseline, candidate } }) {
  if (baseline.program !== undefined && candidate.program !== undefined) return false;
  const sidesArePinned = baseline.node !== undefined && candidate.node !== undefined;
  return !sidesArePinned && cells.some(({ node }) => node === undefined);
}
