/// <reference lib="dom" />
import { makeCellProfiles, makeView, NAMES } from './test-support/flame-fixtures.js';
import { makeFlamePage } from './test-support/flame-page.js';
import { closeBrowser, findChromium, openTabs } from '../fixtures/browser.js';
import { describeLong } from '../../harness/testing/support/gates.js';

/** @import { Settings } from '../fixtures/browser.js' */
/** @import { Page } from 'playwright-core' */

const HTML = makeFlamePage([makeCellProfiles()], NAMES);
const HOSTILE = '<img src=x onerror="window.owned=1">';
const isMissing = findChromium() === null;

/** @type {ReturnType<typeof openTabs>} */
let tabs;

/**
 * @param {string} [html]
 * @param {Settings} [settings]
 * @returns {Promise<Page>} once its first flamegraph is drawn
 */
async function open(html = HTML, settings = {}) {
  const page = await tabs.show(html, settings);
  if (settings.scripts !== false) await page.waitForSelector('g.frame');
  return page;
}

/**
 * @param {Page} page
 * @param {string} text part of its label
 */
const frame = (page, text) => page.locator('g.frame', { hasText: text });

/**
 * @param {Page} page
 * @param {string} text
 * @returns {Promise<number>}
 */
const widthOf = async (page, text) => (await frame(page, text).boundingBox())?.width ?? 0;

/** @param {Page} page */
const focusedLabel = (page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

/**
 * @param {Page} page
 * @param {string} name
 * @param {string} value
 */
const choose = (page, name, value) => page.locator(`input[name=${name}][value="${value}"]`).check();

(isMissing ? describe.skip : describeLong)('a flamegraph in a browser', () => {
  beforeAll(() => {
    tabs = openTabs();
  });
  afterEach(() => expect(tabs.takeRecords()).toEqual({ complaints: [], requests: [] }));
  afterAll(async () => {
    await tabs.close();
    await closeBrowser();
  });

  test('shows what is gone at its former size, hatched, and what is new dotted', async () => {
    const page = await open();
    const gone = frame(page, 'writeFields gone');
    const fill = (/** @type {typeof gone} */ found) =>
      found.locator('rect').evaluate((rect) => getComputedStyle(rect).fill);
    expect(await fill(gone)).toContain('#flame-gone-4');
    expect(await fill(frame(page, 'resume new'))).toContain('#flame-new-4');
    const ratio = (await widthOf(page, 'writeFields')) / (await widthOf(page, 'resume'));
    expect(ratio).toBeCloseTo(5000 / 13000, 2);
  });

  test('zooms by click, and out again by its button', async () => {
    const page = await open();
    const narrow = await widthOf(page, 'writeText');
    await frame(page, 'writeText').click();
    expect(await widthOf(page, 'writeText')).toBeGreaterThan(narrow * 3);
    expect(await frame(page, 'writeFields').count()).toBe(0);
    await page.getByRole('button', { name: 'Reset zoom' }).click();
    expect(await widthOf(page, 'writeText')).toBeCloseTo(narrow, 0);
    expect(await page.getByRole('button', { name: 'Reset zoom' }).isDisabled()).toBe(true);
  });

  test('can be moved through and zoomed by keys', async () => {
    const page = await open();
    await page.locator('[name=term]').focus();
    await page.keyboard.press('Tab');
    expect(await focusedLabel(page)).toMatch(/^serialize flat; everything recorded/);
    await page.keyboard.press('ArrowDown');
    expect(await focusedLabel(page)).toMatch(/^run;/);
    await page.keyboard.press('ArrowRight');
    expect(await focusedLabel(page)).toMatch(/^gc; garbage collection/);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowDown');
    expect(await focusedLabel(page)).toMatch(/^resume;/);
    await page.keyboard.press('Enter');
    expect(await frame(page, 'writeFields').count()).toBe(0);
    await page.keyboard.press('ArrowUp');
    expect(await focusedLabel(page)).toMatch(/^run;/);
    await page.keyboard.press('Escape');
    expect(await frame(page, 'writeFields').count()).toBe(1);
    expect(await page.locator('g.frame[tabindex="0"]').count()).toBe(1);
  });

  test('describes the frame under the pointer and the focused one', async () => {
    const page = await open();
    const tip = page.locator('.flame-tip');
    await frame(page, 'resume new').hover();
    const text = (await tip.innerText()).replaceAll(/\s+/g, ' ');
    expect(text).toContain('resume JavaScript, codec/resume.js:7, new in the candidate');
    expect(text).toContain('recursive generator change');
    expect(text).toContain('total 0 ns 13.0 µs +13.0 µs');
    await page.mouse.move(1, 1);
    expect(await tip.isVisible()).toBe(false);
    await frame(page, 'writeText').focus();
    expect(await tip.innerText()).toContain('+300 ns');
    await page.keyboard.press('Escape');
    expect(await tip.isVisible()).toBe(false);
  });

  test('finds functions and shows their share in both arms', async () => {
    const page = await open();
    await page.locator('[name=term]').fill('WRITE');
    expect((await page.locator('output').innerText()).replaceAll('\u00a0', ' ')).toBe(
      '2 frames match: 94 % of recursive, 18 % of generator',
    );
    expect(await page.locator('g.is-match').count()).toBe(2);
    await page.locator('[name=term]').fill('(');
    expect(await page.locator('output').innerText()).toBe('no frame matches');
    await page.locator('[name=term]').fill('');
    expect(await page.locator('output').innerText()).toBe('');
    expect(await page.locator('g.is-match').count()).toBe(0);
  });

  test('switches between the arms, the sources and the measures', async () => {
    const page = await open();
    await choose(page, 'view', 'baseline');
    expect(await frame(page, 'resume').count()).toBe(0);
    expect(await frame(page, 'writeFields 5.00 µs').count()).toBe(1);
    await choose(page, 'view', 'candidate');
    expect(await frame(page, 'writeFields').count()).toBe(0);
    await choose(page, 'view', 'difference');
    await choose(page, 'measure', 'total');
    expect(await frame(page, 'resume new +13.0 µs').count()).toBe(1);
    await choose(page, 'source', '1');
    expect(await frame(page, 'resume new +20.0').count()).toBe(1);
    expect(await page.locator('.flame-note').innerText()).toContain('Bytes allocated');
  });

  test('keeps a zoom from one view to the next', async () => {
    const page = await open();
    await frame(page, 'resume').click();
    await choose(page, 'view', 'candidate');
    expect(await frame(page, 'writeText').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Reset zoom' }).isEnabled()).toBe(true);
  });

  test('treats names as text, whatever they contain', async () => {
    const cell = { cellId: HOSTILE, views: [makeView([[HOSTILE, -1, 10, 4000]])] };
    const page = await open(makeFlamePage([cell], { baseline: HOSTILE, candidate: `${HOSTILE}2` }));
    await frame(page, HOSTILE).last().hover();
    await page.locator('[name=term]').fill('<img');
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.evaluate(() => 'owned' in window)).toBe(false);
    expect(await frame(page, HOSTILE).count()).toBe(2);
  });

  test('fits a phone, where a tap zooms and shows the tooltip', async () => {
    const page = await open(HTML, { width: 390, theme: 'dark' });
    const narrow = await widthOf(page, 'writeText');
    await frame(page, 'writeText').tap();
    expect(await widthOf(page, 'writeText')).toBeGreaterThan(narrow * 2);
    const tip = await page.locator('.flame-tip').boundingBox();
    if (tip === null) throw new Error('no tooltip');
    expect(tip.x).toBeGreaterThanOrEqual(0);
    expect(tip.x + tip.width).toBeLessThanOrEqual(390);
    expect(tip.y + tip.height).toBeLessThanOrEqual(800);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      390,
    );
  });

  test('follows the theme', async () => {
    const colour = (/** @type {Page} */ page) =>
      frame(page, 'writeText')
        .locator('rect')
        .evaluate((rect) => getComputedStyle(rect).fill);
    const light = await colour(await open(HTML, { theme: 'light' }));
    expect(await colour(await open(HTML, { theme: 'dark' }))).not.toBe(light);
  });

  test('prints the whole difference and restores the view afterwards', async () => {
    const page = await open();
    await choose(page, 'view', 'candidate');
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    expect(await frame(page, 'writeFields gone').count()).toBe(1);
    expect(await page.locator('.flame-controls').isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    expect(await frame(page, 'writeFields').count()).toBe(0);
  });

  test('follows the width of the window', async () => {
    const page = await open();
    await page.setViewportSize({ width: 700, height: 800 });
    await page.waitForFunction(() => (document.querySelector('svg')?.clientWidth ?? 0) < 700);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      700,
    );
  });

  test('draws one below the window only when it is scrolled near', async () => {
    const cells = Array.from({ length: 12 }, () => makeCellProfiles());
    const page = await open(makeFlamePage(cells, NAMES));
    const last = page.locator('.flame').last().locator('g.frame');
    expect(await last.count()).toBe(0);
    await page.locator('.flame').last().scrollIntoViewIfNeeded();
    await last.first().waitFor();
  });

  test('leaves a table where scripts do not run', async () => {
    const page = await open(HTML, { scripts: false });
    expect(await page.locator('tbody tr').count()).toBe(7);
    expect(await page.locator('.flame-controls').isVisible()).toBe(false);
    expect(await page.locator('.flame-legend:visible, .flame-how:visible').count()).toBe(0);
  });
});
