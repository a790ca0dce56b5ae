/// <reference lib="dom" />
import { readPageAssets, renderHtml } from '../fixtures/render.js';
import { hostileRun } from '../fixtures/hostile.js';
import { explainedRun, makeObservations } from '../fixtures/explained.js';
import { recordedRun } from '../fixtures/runs.js';
import {
  closeBrowser,
  findChromium,
  listFaintTexts,
  listScrolling,
  openTabs,
  overflowOf,
  unfold,
} from '../fixtures/browser.js';
import { describeLong } from '../../harness/testing/support/gates.js';

/** @import { Page } from 'playwright-core' */
/** @import { RenderInput } from '../types.ts' */
/** @import { Settings } from '../fixtures/browser.js' */

/** A page hands what it stores to the browser in its own time, which a busy machine prolongs. */
const STORING_MS = [300, 1_000, 3_000, 10_000, 30_000];
const THEMES = /** @type {const} */ (['light', 'dark']);
const WINDOWS = /** @type {const} */ ([
  [1280, 'light'],
  [390, 'dark'],
]);
const MAX_TAB_STOPS = 400;
const assets = readPageAssets();
const HTML = renderHtml(explainedRun(), assets);
const SERIES = recordedRun('series');
const SERIES_HTML = renderHtml(
  { ...SERIES, observations: SERIES.verdict.cells.flatMap(makeObservations) },
  assets,
);
const LONG_NAMES_HTML = renderHtml(nameFunctionsAtLength(explainedRun()), assets);
const isMissing = findChromium() === null;

/** As compilers of other languages name functions. @type {(run: RenderInput) => RenderInput} */
function nameFunctionsAtLength({ verdict, ...run }) {
  const parts = Array.from(
    { length: 8 },
    (_, index) => `facet_reflect::peek::PeekMapEntry${index}`,
  );
  const name = `core::ptr::drop_in_place<core::result::Result<${parts.join(',')}>>`;
  const { explanation = { cells: [], warnings: [] } } = verdict;
  const cells = explanation.cells.map((cell) => ({
    ...cell,
    functions: cell.functions.map((change) => ({ ...change, name })),
    allocations: cell.allocations.map((change) => ({ ...change, name })),
    causes: cell.causes.map((cause) => ({ ...cause, name })),
    deopts: cell.deopts.map((change) => ({ ...change, function: name })),
    tiers: cell.tiers.map((change) => ({ ...change, function: name })),
    cacheSites: cell.cacheSites.map((change) => ({ ...change, function: name })),
  }));
  return { ...run, verdict: { ...verdict, explanation: { ...explanation, cells } } };
}

/** @type {ReturnType<typeof openTabs>} */
let tabs;

/** @type {(settings?: Settings, html?: string) => Promise<Page>} */
const open = (settings = {}, html = HTML) => tabs.show(html, settings);

/** @param {Page} page */
const pageColor = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

/**
 * What has the focus now, and whether that can be seen.
 *
 * @param {Page} page
 */
const describeFocus = (page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return null;
    // A radio button that is drawn as its label shows the focus there; frames of flamegraphs have a
    // separate test.
    const drawn = [element, element.nextElementSibling].filter((one) => one !== null);
    const isFrame = element.closest('.flame-canvas') !== null;
    const isOutlined = drawn.some((one) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return outlineStyle !== 'none' && outlineWidth !== '0px';
    });
    return {
      name: `${element.tagName.toLowerCase()} ${element.className} ${element.textContent?.trim().slice(0, 30)}`,
      isSeen: isFrame || isOutlined,
    };
  });

(isMissing ? describe.skip : describeLong)('the report in a browser', () => {
  beforeAll(() => {
    tabs = openTabs();
  });
  afterEach(() => expect(tabs.takeRecords()).toEqual({ complaints: [], requests: [] }));
  afterAll(async () => {
    await tabs.close();
    await closeBrowser();
  });

  test.each([1280, 390])(
    'fits %i pixels and is legible in both themes, everything unfolded',
    async (width) => {
      const page = await open({ width });
      await unfold(page);
      expect(await overflowOf(page)).toBe(0);
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme });
        expect([colorScheme, await page.evaluate(listFaintTexts)]).toEqual([colorScheme, []]);
      }
    },
  );

  test('shows verdict and table on its first screen, and a cell once a link leads to it', async () => {
    const page = await open();
    const { y = 0, height = Infinity } =
      (await page.locator('table.cells').first().boundingBox()) ?? {};
    expect(y + height).toBeLessThan(800);
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(6_000);
    expect(await page.locator('.cell[open]').count()).toBe(0);
    await page.locator('table.cells a[href="#cell-1"]').first().click();
    expect(await page.locator('.cell[open]').getAttribute('id')).toBe('cell-1');
    await page.locator('#cell-1 > summary').click();
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.locator('table.cells a[href="#cell-1"]').first().click();
    expect(await page.locator('.cell[open]').count()).toBe(1);
    const top = await page.locator('#cell-1').evaluate((cell) => cell.getBoundingClientRect().top);
    expect(Math.abs(top)).toBeLessThan(100);
    await page.reload();
    expect(await page.locator('.cell[open]').getAttribute('id')).toBe('cell-1');
  });

  test.each(['candidates', 'cold', 'ranking', 'runtimes'])(
    'fits all tables of %s into 1280 pixels',
    async (name) => {
      const page = await open({}, renderHtml(recordedRun(name), assets));
      await unfold(page);
      expect(await overflowOf(page)).toBe(0);
      expect(await page.evaluate(listScrolling, '.scroll')).toEqual([]);
    },
  );

  test('plots a series legibly, also within 390 pixels', async () => {
    const page = await open({}, SERIES_HTML);
    for (const [width, colorScheme] of WINDOWS) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      const plot = page.locator('.series svg');
      const [{ x = -1, width: drawn = Infinity } = {}] = [(await plot.boundingBox()) ?? {}];
      expect([x >= 0, x + drawn <= width]).toEqual([true, true]);
      expect(await overflowOf(page)).toBe(0);
      expect(await page.evaluate(listFaintTexts)).toEqual([]);
    }
  });

  test('wraps long names of functions, also within 400 pixels', async () => {
    const page = await open({}, LONG_NAMES_HTML);
    await unfold(page);
    expect(await overflowOf(page)).toBe(0);
    expect(await page.evaluate(listScrolling, '.cell .scroll')).toEqual([]);
    // On a narrow screen a table scrolls within its section.
    await page.setViewportSize({ width: 400, height: 800 });
    expect(await overflowOf(page)).toBe(0);
  });

  test('is walked by Tab from the skip link to the end, always showing the focus', async () => {
    const page = await open();
    await unfold(page);
    const stops = [];
    for (let count = 0; count < MAX_TAB_STOPS; count++) {
      await page.keyboard.press('Tab');
      const stop = await describeFocus(page);
      if (stop === null) break;
      stops.push(stop);
    }
    expect(stops[0]?.name).toContain('Skip to the report');
    expect(stops.length).toBeLessThan(MAX_TAB_STOPS);
    expect(stops.filter(({ isSeen }) => !isSeen)).toEqual([]);
    const names = stops.map(({ name }) => name).join('\n');
    for (const control of ['select', 'button sort ratio', 'summary', 'input', 'button copy']) {
      expect(names).toContain(control);
    }
  });

  test('stops at the tables that scroll alone', async () => {
    const page = await open({ width: 390 });
    const stops = () => page.locator('.scroll[tabindex="0"]').count();
    const count = await page.locator('.scroll').count();
    expect(await stops()).toBeGreaterThan(0);
    expect(await stops()).toBeLessThan(count);
    const narrow = await stops();
    await page.setViewportSize({ width: 1600, height: 900 });
    await page.waitForFunction(
      (before) => document.querySelectorAll('.scroll[tabindex="0"]').length < before,
      narrow,
    );
  });

  test('jumps over the head by the skip link, and sorts a table by figures, largest first', async () => {
    const page = await open();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    const button = page.locator('table.cells').getByRole('button', { name: /^ratio/ });
    const first = () => page.locator('table.cells tbody tr a').first().getAttribute('href');
    await button.click();
    expect(await first()).toBe('#cell-1');
    expect(await page.locator('table.cells th[aria-sort]').getAttribute('aria-sort')).toBe(
      'descending',
    );
    await button.click();
    expect(await first()).toBe('#cell-6');
  });

  test('is printed light, unfolded and without controls, and folds again', async () => {
    const page = await open({ theme: 'dark', width: 720 });
    const folded = () => page.locator('details:not([open])').count();
    const before = await folded();
    expect(before).toBeGreaterThan(0);
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    expect(await folded()).toBe(0);
    expect(await page.getByRole('navigation').isVisible()).toBe(false);
    expect(await page.getByLabel('Theme').isVisible()).toBe(false);
    expect(await overflowOf(page)).toBe(0);
    expect(await pageColor(page)).toBe('rgb(251, 251, 250)');
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    expect(await folded()).toBe(before);
  });

  test('says everything without scripts, and shows no control that would do nothing', async () => {
    const page = await open({ scripts: false });
    expect(await page.getByText('slower, strong').first().isVisible()).toBe(true);
    expect(await page.getByRole('img').first().isVisible()).toBe(true);
    expect(await page.getByLabel('Theme').isVisible()).toBe(false);
    expect(await page.getByRole('button').count()).toBe(0);
  });

  test('runs nothing that names bring along', async () => {
    const page = await open({}, renderHtml(hostileRun(), assets));
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.locator('h1').count()).toBe(1);
  });

  // The last one, since the browser keeps the choice.
  test('follows the system until the reader chooses a theme, and remembers the choice', async () => {
    const page = await open({ theme: 'light' });
    const light = await pageColor(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await pageColor(page);
    expect(dark).not.toBe(light);
    for (const waitMs of STORING_MS) {
      await page.getByLabel('Theme').selectOption('light');
      expect(await pageColor(page)).toBe(light);
      await page.waitForTimeout(waitMs);
      await page.reload();
      if ((await pageColor(page)) === light) break;
    }
    expect(await pageColor(page)).toBe(light);
    expect(await page.getByLabel('Theme').inputValue()).toBe('light');
    await page.getByLabel('Theme').selectOption('system');
    expect(await pageColor(page)).toBe(dark);
  });
});
