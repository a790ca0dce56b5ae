/** What the pages of a site need to know of each other: their paths, and what belongs to which commit. */

/** @import { FollowedCell, FollowedChange, FollowedPoint, Following, MeasuredCommit } from '../../../harness/formats/types.ts' */
/** @import { Document, Inline } from '../../document/model.ts' */

// A digest reaches nothing outside, so the pure core may take the platform's.
// eslint-disable-next-line no-restricted-imports
import { createHash } from 'node:crypto';
import { group } from 'd3-array';
import { shortHash } from '../../../harness/lib/words.js';

/**
 * @typedef {object} Site
 * @property {Following} following
 * @property {string} title
 * @property {Map<string, string>} reports paths from the root of the site, by run
 * @property {Map<string, number>} indices of commits, by whole hash
 * @property {Release[]} releases the oldest first
 * @property {Map<string, string>} cellPaths by cell, from the root of the site
 * @property {Map<string, Map<string, FollowedPoint>>} points by cell and commit
 * @property {FollowedChange[]} changes that were not refuted, the oldest first
 *
 * @typedef {object} Release
 * @property {string} name
 * @property {number} index of its commit
 * @property {string} path from the root of the site
 */

/**
 * @param {Following} following
 * @param {{ title?: string | undefined, reports?: Iterable<string> }} [settings]
 * @returns {Site}
 */
export function mapSite(following, { title, reports = [] } = {}) {
  const { commits, cells, changes, family, branch } = following;
  const tags = commits.flatMap((commit, index) => commit.releases.map((name) => ({ name, index })));
  const releaseNames = nameFiles(tags.map(({ name }) => name));
  const cellNames = nameFiles(cells.map(({ cellId }) => cellId));
  return {
    following,
    title: title ?? `Performance of ${family}, ${branch}`,
    reports: nameReports([...reports]),
    indices: new Map(commits.map(({ revision }, index) => [revision, index])),
    releases: tags.map((tag, place) => ({ ...tag, path: `releases/${releaseNames[place]}.html` })),
    cellPaths: new Map(
      cells.map(({ cellId }, place) => [cellId, `cells/${cellNames[place]}.html`]),
    ),
    points: new Map(
      cells.map(({ cellId, points }) => [
        cellId,
        new Map(points.map((point) => [point.revision, point])),
      ]),
    ),
    changes: changes.filter(({ state }) => state !== 'refuted'),
  };
}

/** @type {(runIds: string[]) => Site['reports']} named as their runs, where any file system and any address can have that */
function nameReports(runIds) {
  const names = nameFiles(runIds);
  return new Map(
    runIds.map((runId, place) => {
      const name = /^[\w@.-]+$/.test(runId) ? runId : names[place];
      return [runId, `reports/${name}.html`];
    }),
  );
}

/**
 * Names of files that any file system and any address can have, one for each text.
 * @type {(texts: string[]) => string[]}
 */
export function nameFiles(texts) {
  const plain = texts.map((text) => text.replace(/[^A-Za-z0-9._]+/g, '-').slice(0, 80));
  const sharing = group(plain, (name) => name.toLowerCase());
  return texts.map((text, place) => {
    const name = plain[place];
    const isAlone = sharing.get(name.toLowerCase())?.length === 1 && /^[A-Za-z0-9]/.test(name);
    if (isAlone) return name;
    return `${name}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`.replace(
      /^[.-]+/,
      '',
    );
  });
}

/** @type {(revision: string) => string} from the root of the site */
export function mergePath(revision) {
  return `merges/${shortHash(revision)}.html`;
}

/**
 * Links of one page.
 *
 * @typedef {object} Links
 * @property {(path: string) => string} to a page, from the root of the site
 * @property {(revision: string) => Inline} merge by its hash
 * @property {(revision: string) => Inline} subject of a merge, with the first digits of its hash
 * @property {(cellId: string) => Inline} cell
 * @property {(name: string) => Inline} release
 */

/**
 * @param {Site} site
 * @param {string} root `../` for a page of a folder
 * @returns {Links}
 */
export function linksFrom({ following, indices, cellPaths, releases }, root) {
  const paths = new Map(releases.map(({ name, path }) => [name, path]));
  return {
    to: (path) => root + path,
    merge: (revision) => {
      const text = { code: shortHash(revision) };
      return indices.has(revision) ? { page: root + mergePath(revision), text } : text;
    },
    subject: (revision) => {
      const subject = following.commits[indices.get(revision) ?? -1]?.subject ?? '';
      const text = subject === '' ? { code: shortHash(revision) } : shorten(subject);
      if (!indices.has(revision)) return text;
      const link = { page: root + mergePath(revision), text };
      return subject === ''
        ? link
        : [link, ' ', { tone: 'quiet', text: { code: revision.slice(0, 7) } }];
    },
    cell: (cellId) => {
      const path = cellPaths.get(cellId);
      return path === undefined ? cellId : { page: root + path, text: cellId };
    },
    release: (name) => {
      const path = paths.get(name);
      return path === undefined ? name : { page: root + path, text: name };
    },
  };
}

/** Characters of a subject in a line of a table. */
const MAX_SUBJECT = 72;

/** @type {(subject: string) => string} */
export function shorten(subject) {
  return subject.length <= MAX_SUBJECT ? subject : `${subject.slice(0, MAX_SUBJECT - 1)}…`;
}

/**
 * The commits that a change may be.
 * @type {(site: Site, change: FollowedChange) => { from: number, to: number }} indices; `from` is that of the commit before it
 */
function rangeOf({ indices }, { before, after }) {
  const to = indices.get(after) ?? -1;
  return { from: indices.get(before) ?? to - 1, to };
}

/** @type {(site: Site, index: number) => FollowedChange[]} those that the commit may be */
export function changesAt(site, index) {
  return site.following.changes.filter((change) => {
    const { from, to } = rangeOf(site, change);
    return from < index && index <= to;
  });
}

/** @type {(cell: FollowedCell) => FollowedPoint | undefined} */
export function lastPoint({ points }) {
  return points.at(-1);
}

/** @type {(commit: MeasuredCommit) => boolean} */
export function isMeasured({ comparisons }) {
  return comparisons.length > 0;
}

/**
 * What every page has.
 * @type {(site: Site, root: string, here: string | null, more?: NonNullable<Document['pages']>) => Pick<Document, 'eyebrow' | 'footer' | 'source' | 'pages'>}
 */
export function frameOf(site, root, here, more = []) {
  const { branch, reference } = site.following;
  const pages = [
    { path: 'index.html', text: 'Overview' },
    { path: 'merges/index.html', text: 'All merges' },
  ];
  return {
    eyebrow: site.title,
    footer: [
      `Branch ${branch}. Every ratio is a time divided by that of `,
      { code: reference },
      ' or of the commit before, both measured in the same run. Made by Assay.',
    ],
    source: 'the result store',
    pages: [
      ...pages.map(({ path, text }) => ({ path: root + path, text, isHere: path === here })),
      ...more,
    ],
  };
}
