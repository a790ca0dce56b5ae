/** @import { Manifest, Question, ResolvedVariant } from '../../formats/types.ts' */

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
export function listConflicts(ours, theirs) {
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
