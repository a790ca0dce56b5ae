/// <reference lib="dom" />
import { describeLong } from '../../harness/testing/support/gates.js';
import { renderHtml } from '../document/html.js';
import { describeCalibration } from './calibration.js';
import { describePeers } from './peers.js';
import { makePeers } from './test-support/make-peers.js';
import { readPageAssets } from '../fixtures/render.js';
import {
  closeBrowser,
  findChromium,
  listFaintTexts,
  openPage,
  overflowOf,
  unfold,
} from '../fixtures/browser.js';
import { poisonDeeply } from '../fixtures/hostile.js';
import { makeCalibration } from './test-support/make-calibration.js';

const assets = readPageAssets();
const pages = {
  calibration: renderHtml(describeCalibration(makeCalibration()), assets),
  peers: renderHtml(describePeers(makePeers()), assets),
};
const isMissing = findChromium() === null;

(isMissing ? describe.skip : describeLong)('in a browser', () => {
  afterAll(closeBrowser);

  test.each(
    /** @type {const} */ ([
      ['calibration', 1200, 'light'],
      ['calibration', 1200, 'dark'],
      ['calibration', 390, 'light'],
      ['calibration', 390, 'dark'],
      ['peers', 1200, 'light'],
      ['peers', 390, 'dark'],
    ]),
  )('the page of %s fits %i pixels and is legible in the %s theme', async (name, width, theme) => {
    const { page, complaints, requests, close } = await openPage(pages[name], { width, theme });
    await unfold(page);
    expect(await overflowOf(page)).toBe(0);
    expect(await page.evaluate(listFaintTexts)).toEqual([]);
    expect({ complaints, requests }).toEqual({ complaints: [], requests: [] });
    await close();
  });

  test.each([
    ['calibration', renderHtml(describeCalibration(poisonDeeply(makeCalibration())), assets)],
    ['peers', renderHtml(describePeers(poisonDeeply(makePeers())), assets)],
  ])('the page of hostile %s runs nothing that names bring along', async (_name, html) => {
    const { page, complaints, close } = await openPage(html);
    expect(await page.locator('h1').count()).toBe(1);
    expect(complaints).toEqual([]);
    await close();
  });
});
