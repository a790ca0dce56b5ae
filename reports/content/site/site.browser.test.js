/// <reference lib="dom" />
import { describeLong } from '../../../harness/testing/support/gates.js';
import { linkSite, SITE_ASSETS } from '../../document/assets.js';
import { renderSitePage } from '../../document/html.js';
import {
  closeBrowser,
  findChromium,
  listFaintTexts,
  openFolder,
  overflowOf,
  unfold,
} from '../../fixtures/browser.js';
import { makeFollowing } from '../../fixtures/following.js';
import { poisonDeeply } from '../../fixtures/hostile.js';
import { readTexts } from '../../fixtures/render.js';
import { listPages, mapSite } from './site.js';

const shared = linkSite(readTexts(SITE_ASSETS));
const following = makeFollowing();
const alert = following.changes.find(
  ({ state, direction }) => state === 'open' && direction === 'slower',
);
const merge = `merges/${alert?.after.slice(0, 12)}.html`;

/** @param {typeof following} shown */
function openSite(shown) {
  const folder = openFolder();
  for (const [path, text] of Object.entries(shared.files)) folder.write(path, text);
  for (const { path, describe: describePage } of listPages(mapSite(shown))) {
    folder.write(path, renderSitePage(describePage(), shared.sourcesFor(path)));
  }
  return folder;
}

(findChromium() === null ? describe.skip : describeLong)('in a browser', () => {
  const site = openSite(following);
  afterAll(async () => {
    await site.close();
    await closeBrowser();
  });

  const PAGES = ['index.html', 'merges/index.html', 'cells/serialize-deep.html', merge];
  test.each(
    [...PAGES, 'releases/v7.3.0.html'].flatMap((path) =>
      [1280, 390].flatMap((width) =>
        /** @type {const} */ (['light', 'dark']).map(
          (theme) => /** @type {const} */ ([path, width, theme]),
        ),
      ),
    ),
  )('%s fits %i pixels and is legible in the %s theme', async (path, width, theme) => {
    site.takeRecords();
    const page = await site.open(path, { width, theme });
    await unfold(page);
    expect(await overflowOf(page)).toBe(0);
    expect(await page.evaluate(listFaintTexts)).toEqual([]);
    const { complaints, requests } = site.takeRecords();
    expect(complaints).toEqual([]);
    expect(requests.sort()).toEqual(Object.keys(shared.files).sort());
  });

  test('what is open is on the first screen', async () => {
    const page = await site.open('index.html');
    const bottom = await page.evaluate(
      () => document.querySelector('#latest')?.getBoundingClientRect().bottom,
    );
    expect(bottom).toBeLessThan(800);
  });

  test('without scripts, a page is there, and its table of merges says where they are', async () => {
    const page = await site.open('cells/serialize-deep.html', { scripts: false });
    expect(await page.locator('svg.course.wide').isVisible()).toBe(true);
    await page.locator('summary').last().click();
    expect(await page.locator('noscript p').isVisible()).toBe(true);
  });

  test('the keyboard leads from the first page to a cell, along its merges, to one of them', async () => {
    const page = await site.open('index.html');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('skip');
    await page.keyboard.press('Enter');
    const cell = page.getByRole('link', { name: 'serialize deep', exact: true });
    await cell.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/cells/serialize-deep.html');
    const readout = page.locator('.readout');
    const [last, before] = following.cells[1].points.slice(-2).reverse();
    expect(await readout.textContent()).toContain(last.revision.slice(0, 12));
    await page.locator('.courses').focus();
    await page.keyboard.press('ArrowLeft');
    expect(await readout.textContent()).toContain(before.revision.slice(0, 12));
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/merges/${before.revision.slice(0, 12)}.html`);
  });

  test('the pointer shows the merge below it, and the table has every one', async () => {
    const page = await site.open('cells/serialize-deep.html');
    const box = await page.locator('svg.course.wide').boundingBox();
    await page.mouse.move((box?.x ?? 0) + 60, (box?.y ?? 0) + 100);
    const [first] = following.cells[1].points;
    expect(await page.locator('.readout').textContent()).toContain(first.revision.slice(0, 12));
    await page.locator('summary').last().click();
    const { length } = following.cells[1].points;
    await page
      .locator('#course-table tbody tr')
      .nth(length - 1)
      .waitFor();
    expect(await page.locator('#course-table tbody tr').count()).toBe(length);
  });

  test('hostile texts run nothing', async () => {
    const hostile = poisonDeeply(following);
    const folder = openSite(hostile);
    for (const { path } of listPages(mapSite(hostile)).slice(0, 4)) {
      const page = await folder.open(path);
      await unfold(page);
      expect(await page.locator('h1').count()).toBe(1);
    }
    expect(folder.takeRecords().complaints).toEqual([]);
    await folder.close();
  });
});
