/** The commits of a followed branch, in their order, from the records of its comparisons alone. */

/** @import { ComparisonRecord, FollowedCommit, FollowedStep } from '../../formats/types.ts' */

/** @typedef {ComparisonRecord & { followed: FollowedStep }} FollowedRecord */

/** @type {(record: ComparisonRecord) => record is FollowedRecord} */
export function isFollowed(record) {
  return record.followed !== undefined;
}

/**
 * Two commits that were compared directly stay so, whatever points are compared with.
 *
 * @param {FollowedRecord} record
 * @param {Pick<FollowedStep, 'branch' | 'reference'>} series
 * @returns {boolean} whether it says something of this branch, where points are ratios to this reference
 */
export function isOfSeries({ followed }, { branch, reference }) {
  if (followed.branch !== branch) return false;
  return followed.before !== null || followed.reference === reference;
}

/**
 * @typedef {object} Chain
 * @property {FollowedCommit[]} commits from the first measured one to the last, the oldest first
 * @property {Map<string, number>} places of these, by whole hash
 * @property {Set<string>} unchanged hashes of those whose built code is that of the commit before
 * @property {Map<string, string[]>} releases names of tags, by hash
 */

/**
 * @param {FollowedRecord[]} records of one branch, the oldest first
 * @returns {Chain} where records contradict each other, as after a forced push, that of the newest ones
 */
export function linkCommits(records) {
  /** @type {Map<string, string>} */
  const parents = new Map();
  /** @type {Map<string, FollowedCommit>} */
  const known = new Map();
  for (const { followed, identity } of records) {
    const { before, commits } = followed;
    if (before !== null && !known.has(before)) {
      known.set(before, { revision: before, subject: '', date: identity.createdAt });
    }
    for (const [index, commit] of commits.entries()) {
      known.set(commit.revision, commit);
      const parent = commits[index - 1]?.revision ?? before;
      if (parent !== null) parents.set(commit.revision, parent);
    }
  }
  const order = findEnds(records).reduce(
    (/** @type {string[]} */ found, end) => (found.includes(end) ? found : [...found, end]),
    [],
  );
  const chain = order.length === 0 ? [] : follow(findTip(order[0], parents), parents);
  const revisions = [...chain, ...order.slice(1).filter((end) => !chain.includes(end))];
  return {
    commits: revisions.flatMap((revision) => known.get(revision) ?? []),
    places: new Map(revisions.map((revision, place) => [revision, place])),
    unchanged: new Set(records.flatMap(({ followed }) => followed.unchanged ?? [])),
    releases: listReleases(records),
  };
}

/**
 * @param {FollowedRecord[]} records
 * @returns {string[]} the last commit that was compared with one before it, then those that so far have only a point
 */
function findEnds(records) {
  const last = records.findLastIndex(({ followed }) => followed.purpose === 'merge');
  const points = records.slice(last + 1).filter(({ followed }) => followed.purpose === 'point');
  return [...(last === -1 ? [] : [records[last]]), ...points].map(({ followed }) => followed.after);
}

/**
 * An older commit may be measured after a newer one, when a workflow is run again. The newer one stays.
 * @type {(end: string, parents: Map<string, string>) => string}
 */
function findTip(end, parents) {
  const children = new Map([...parents].map(([child, parent]) => [parent, child]));
  const passed = new Set([end]);
  for (let next = children.get(end); next !== undefined && !passed.has(next);) {
    passed.add(next);
    next = children.get(next);
  }
  return [...passed].at(-1) ?? end;
}

/** @type {(end: string, parents: Map<string, string>) => string[]} the oldest first */
function follow(end, parents) {
  const chain = new Set([end]);
  for (let next = parents.get(end); next !== undefined && !chain.has(next);) {
    chain.add(next);
    next = parents.get(next);
  }
  return [...chain].reverse();
}

/** @type {(records: FollowedRecord[]) => Map<string, string[]>} a tag that was moved is where it was last */
function listReleases(records) {
  const places = new Map(
    records.flatMap(({ followed }) =>
      followed.releases.map(({ name, revision }) => /** @type {const} */ ([name, revision])),
    ),
  );
  /** @type {Map<string, string[]>} */
  const releases = new Map();
  for (const [name, revision] of [...places].sort(([one], [other]) => (one < other ? -1 : 1))) {
    releases.set(revision, [...(releases.get(revision) ?? []), name]);
  }
  return releases;
}
