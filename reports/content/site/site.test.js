import { posix } from 'node:path';
import { parseHTML } from 'linkedom';
import { linkSite, SITE_ASSETS } from '../../document/assets.js';
import { renderSitePage } from '../../document/html.js';
import { makeFollowing } from '../../fixtures/following.js';
import { findUnseen, poisonDeeply, POISONED } from '../../fixtures/hostile.js';
import { readTexts } from '../../fixtures/render.js';
import { listBadges, listPages, mapSite } from './site.js';

/** @import { Following } from '../../../harness/formats/types.ts' */

const shared = linkSite(readTexts(SITE_ASSETS));

/** @type {(following: Following, reports?: string[]) => Map<string, string>} texts by path */
function buildSite(following, reports = []) {
  const site = mapSite(following, { reports });
  return new Map(
    Object.entries({
      ...shared.files,
      ...Object.fromEntries(
        listPages(site).map(({ path, describe: describePage }) => [
          path,
          renderSitePage(describePage(), shared.sourcesFor(path)),
        ]),
      ),
      ...Object.fromEntries(listBadges(site).map(({ path, makeText }) => [path, makeText()])),
    }),
  );
}

/** @type {(html: string) => string} */
function wordsOf(html) {
  return parseHTML(html).document.querySelector('main')?.textContent?.replace(/\s+/g, ' ') ?? '';
}

/** @type {(files: Map<string, string>) => string[]} what pages link to and is not there */
function listBroken(files) {
  return [...files].flatMap(([path, text]) => {
    if (!path.endsWith('.html')) return [];
    const { document } = parseHTML(text);
    return [...document.querySelectorAll('[href], [src]')].flatMap((element) => {
      const address = element.getAttribute('href') ?? element.getAttribute('src') ?? '';
      if (address.startsWith('#')) return [];
      const target = posix.join(posix.dirname(path), decodeURIComponent(address));
      return files.has(target) ? [] : [`${path}: ${address}`];
    });
  });
}

const following = makeFollowing();
const files = buildSite(following);
const alert = following.changes.find(
  ({ state, direction }) => state === 'open' && direction === 'slower',
);
const pageOf = (/** @type {string | undefined} */ revision) =>
  files.get(`merges/${revision?.slice(0, 12)}.html`) ?? '';

test('every page that another one links to is there', () => {
  expect(files.size).toBeGreaterThan(following.commits.length);
  expect(listBroken(files)).toEqual([]);
});

test('the same records make the same bytes', () => {
  expect(buildSite(makeFollowing())).toEqual(files);
});

test('the first page says what is open, and leads to it', () => {
  const words = wordsOf(files.get('index.html') ?? '');
  expect(words).toContain('1 alert is open. 6 cells against npm:bson@7.2.0');
  expect(words).toMatch(/Open alerts.*\+20 %.*alert.*Last changes.*Against the reference/);
  expect(files.get('index.html')).toContain(`./merges/${alert?.after.slice(0, 12)}.html`);
});

test('without an alert it says so', () => {
  const calm = { ...following, changes: following.changes.filter((change) => change !== alert) };
  const words = wordsOf(buildSite(calm).get('index.html') ?? '');
  expect(words).toContain('No alert is open.');
  expect(words).not.toContain('Open alerts');
});

test('the page of a merge has its change, the cause, the command, and what was compared', () => {
  const words = wordsOf(pageOf(alert?.after));
  expect(words).toContain('+20 % on 2 cells (alert)');
  expect(words).toContain('or 1 before it');
  expect(words).toMatch(/serialize \w+ ?: writeText takes 9 % more of the time per document\./);
  expect(words).toContain(alert?.reproduce);
  expect(words).toMatch(/With the commit before.*serialize flat.*equivalent|inconclusive/);
});

test('a merge in front of a change that may be its own says so', () => {
  const index = following.commits.findIndex(({ revision }) => revision === alert?.after);
  expect(wordsOf(pageOf(following.commits[index - 1].revision))).toContain('(alert)');
  expect(wordsOf(pageOf(following.commits[index + 1].revision))).toContain('No change was found.');
});

test('answers, restored and refuted changes are told apart', () => {
  const wordsAt = (/** @type {string} */ state) =>
    wordsOf(pageOf(following.changes.find((change) => change.state === state)?.after));
  expect(wordsAt('acknowledged')).toContain('Expected: it checks more (line 3');
  expect(wordsAt('restored')).toContain('Restored by');
  expect(wordsAt('refuted')).toContain('A suspicion that was refuted');
});

test('where a narrower suspicion was refuted, the list of merges still shows the alert', () => {
  if (alert === undefined) throw new Error('there is no alert');
  const refuted = { ...alert, state: /** @type {const} */ ('refuted'), cells: [] };
  const changes = [...following.changes, refuted];
  expect(buildSite({ ...following, changes }).get('merges/index.html')).toBe(
    files.get('merges/index.html'),
  );
});

test('a merge that could not be measured has a page that says so', () => {
  expect(wordsOf(pageOf(following.commits[16].revision))).toContain('It was not measured');
});

test('reports that are there are linked where their run appears', () => {
  const [runId] = alert?.runIds ?? [];
  const page = buildSite(following, [runId, '../strange']).get(
    `merges/${alert?.after.slice(0, 12)}.html`,
  );
  expect(page).toContain(`href="./../reports/${runId}.html"`);
  expect(pageOf(alert?.after)).not.toContain('reports/');
});

test('the page of a cell has each change and, for its script, each measured merge', () => {
  const { document } = parseHTML(files.get('cells/serialize-deep.html') ?? '');
  const plots = [...document.querySelectorAll('svg.course')];
  expect(plots.map((plot) => plot.getAttribute('role'))).toEqual(['img', 'img']);
  expect(plots[0].querySelectorAll('path.change')).toHaveLength(3);
  const points = JSON.parse(document.querySelector('#course-data')?.textContent ?? '');
  expect(points).toHaveLength(following.cells[1].points.length);
});

test('the page of a cell with a thousand merges is small', () => {
  const site = mapSite(makeFollowing({ merges: 1000, cells: 2 }));
  const [{ path, describe: describePage }] = listPages(site).filter(({ path: own }) =>
    own.startsWith('cells/'),
  );
  const text = renderSitePage(describePage(), shared.sourcesFor(path));
  expect(Buffer.byteLength(text)).toBeLessThan(300_000);
});

test('the page of a release compares it with the one before', () => {
  const last = files.get('releases/v7.3.0.html') ?? '';
  expect(wordsOf(last)).toMatch(
    /Changes since v7\.2\.0.*Every cell since v7\.2\.0.*serialize flat/,
  );
  expect(wordsOf(files.get('releases/v7.0.0.html') ?? '')).not.toContain('since');
});

test('badges name alerts and what changed since the last release', () => {
  expect(JSON.parse(files.get('badges/performance.json') ?? '')).toEqual({
    ...{ schemaVersion: 1, label: 'performance', message: '1 open alert', color: 'red' },
  });
  const { message } = JSON.parse(files.get('badges/since-release-serialize.json') ?? '');
  expect(message).toMatch(/^\+\d.*% since v7\.3\.0$/);
  expect(files.get('badges/performance.svg')).toContain('1 open alert');
});

test('cells whose names differ only in signs have pages of their own', () => {
  const [first, second, ...others] = following.cells;
  const cells = [{ ...first, cellId: 'a b' }, { ...second, cellId: 'A-b' }, ...others];
  const { cellPaths } = mapSite({ ...following, cells });
  expect(new Set([...cellPaths.values()].map((path) => path.toLowerCase())).size).toBe(6);
});

/** @type {(html: string) => Set<string>} elements with their attributes */
function listMarkup(html) {
  const found = new Set();
  for (const element of parseHTML(html).document.querySelectorAll('*')) {
    for (const { name } of element.attributes) found.add(`${element.tagName} ${name}`);
    found.add(element.tagName);
  }
  return found;
}

test('hostile names and texts stay text, and pages still lead to each other', () => {
  const hostile = buildSite(poisonDeeply(following));
  expect(listBroken(hostile)).toEqual([]);
  const allowed = new Set([...files.values()].flatMap((text) => [...listMarkup(text)])).add('WBR');
  for (const [path, text] of hostile) {
    if (!path.endsWith('.html')) continue;
    expect([...listMarkup(text)].filter((one) => !allowed.has(one))).toEqual([]);
    expect(findUnseen(text)).toBeNull();
    expect(text).toMatch(POISONED);
  }
});
