/** Pages in a real browser, for tests: opened from a file, every request and complaint kept. */

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

/** @import { Browser, BrowserContext, Page } from 'playwright-core' */

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const HEIGHT_PX = 800;
/** For something to appear that a test waits for. */
const PATIENCE_MS = 10_000;

/** @type {Promise<Browser> | null} */
let browser = null;

/**
 * @typedef {object} OpenPage
 * @property {Page} page
 * @property {string[]} complaints errors and warnings of the console, uncaught errors
 * @property {string[]} requests addresses asked for besides the page itself
 * @property {() => Promise<void>} close
 */

/** @returns {string | null} path of a Chromium on this machine */
export function findChromium() {
  const directories = (process.env['PATH'] ?? '').split(delimiter);
  const paths = directories.flatMap((directory) => NAMES.map((name) => join(directory, name)));
  return paths.find((path) => existsSync(path)) ?? null;
}

/**
 * Opens a page from a file. The browser is started once and shared; end it with `closeBrowser`.
 *
 * @param {string} html
 * @param {object} [settings]
 * @param {number} [settings.width] in CSS pixels, 1280 where not given; below 600 the page also
 *   believes that it is touched
 * @param {'light' | 'dark'} [settings.theme]
 * @param {boolean} [settings.scripts] whether scripts run, true where not given
 * @returns {Promise<OpenPage>}
 */
export async function openPage(html, { width = 1280, theme = 'light', scripts = true } = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'assay-page-'));
  const path = join(directory, 'report.html');
  writeFileSync(path, html);
  const isPhone = width < 600;
  const context = await (
    await launchBrowser()
  ).newContext({
    viewport: { width, height: HEIGHT_PX },
    colorScheme: theme,
    javaScriptEnabled: scripts,
    hasTouch: isPhone,
    isMobile: isPhone,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const address = pathToFileURL(path).href;
  const records = recordTraffic(page, address);
  await page.goto(address);
  return { page, ...records, close: () => closePage(context, directory) };
}

/**
 * @param {Page} page
 * @param {string} address of the page itself
 * @returns {{ complaints: string[], requests: string[] }} which grow
 */
function recordTraffic(page, address) {
  /** @type {string[]} */
  const complaints = [];
  /** @type {string[]} */
  const requests = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('request', (request) => {
    if (request.url() !== address) requests.push(request.url());
  });
  return { complaints, requests };
}

/**
 * @param {BrowserContext} context
 * @param {string} directory
 */
async function closePage(context, directory) {
  await context.close();
  rmSync(directory, { recursive: true, force: true });
}

/** Ends the browser that `openPage` started. */
export async function closeBrowser() {
  const running = browser;
  browser = null;
  await (await running)?.close();
}

/** @returns {Promise<Browser>} */
function launchBrowser() {
  browser ??= chromium.launch({
    executablePath: findChromium() ?? 'chromium',
    args: ['--no-sandbox'],
  });
  return browser;
}
