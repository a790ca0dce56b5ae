/** Whatever text is in a run, a calibration, a reproduction or a bisection, reports of it are harmless. */

import { expect, test } from '@jest/globals';
import { parseHTML } from 'linkedom';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { makeBisection } from '../harness/studies/bisect/test-support/fixtures.js';
import { makeCalibration } from './content/test-support/make-calibration.js';
import { makePeers } from './content/test-support/make-peers.js';
import { makeReproduction } from './content/test-support/make-reproduction.js';
import { explainedRun } from './fixtures/explained.js';
import { findUnseen, poisonDeeply, poisonDocument, POISONED } from './fixtures/hostile.js';
import { recordedRun } from './fixtures/runs.js';
import { describeBisection } from './content/bisection.js';
import { describeCalibration } from './content/calibration.js';
import { describeClaims } from './content/claims.js';
import { describeComparison, orderVerdict } from './content/comparison.js';
import { describePeers } from './content/peers.js';
import { describeReproduction } from './content/reproduction.js';
import { renderHtml } from './document/html.js';
import { renderMarkdown } from './document/markdown.js';
import { renderTerminal } from './document/terminal.js';

/** @import { RenderInput } from './types.ts' */
/** @import { Document } from './document/model.ts' */

/** What GitHub makes links of in text that is not code. */
const LINKED = /@\w|#\d|\bGH-\d|:\/\/|www\.|:[a-z]+:/i;

const RUNS = /** @type {[string, RenderInput][]} */ ([
  ['explained', explainedRun()],
  ['merged', recordedRun('merged')],
  ['of two runtimes', recordedRun('runtimes')],
  ['refused', recordedRun('refused')],
  ['of a program', recordedRun('rust')],
]);
/** What is a document, by its format. @type {[Parameters<typeof poisonDocument>[0], any, (data: any, path?: string) => Document][]} */
const DOCUMENTS = [
  ['reproduction', makeReproduction(), describeReproduction],
  ['calibration', makeCalibration(), describeCalibration],
  ['peers', makePeers(), describePeers],
];

/**
 * @param {RenderInput} run
 * @returns {Promise<RenderInput>} hostile wherever a stranger's run can be
 */
async function poisonRun({ manifest, verdict, observations, profiles }) {
  return {
    manifest: await poisonDocument('manifest', manifest),
    verdict: await poisonDocument('verdict', verdict),
    ...(observations === undefined ? {} : { observations: poisonDeeply(observations) }),
    ...(profiles === undefined ? {} : { profiles: poisonDeeply(profiles) }),
    runPath: poisonDeeply('/home/x/run'),
  };
}

/**
 * @param {string} html
 * @returns {Set<string>} elements, attributes and what they link to
 */
function listMarkup(html) {
  const { document } = parseHTML(html);
  const found = new Set();
  for (const element of document.querySelectorAll('*')) {
    found.add(element.tagName);
    for (const { name, value } of element.attributes) {
      const isLink = /^(?:href|src|srcset|action|style|xlink:href)$/.test(name);
      // What begins with ./ stays below the report, whatever follows.
      const shown = value.replace(/^\.\/.*/s, './…').replace(/[\d.]+\d/g, '0');
      found.add(`${element.tagName} ${name}${isLink ? ` ${shown}` : ''}`);
    }
  }
  return found;
}

/** @param {string} markdown */
function toHtml(markdown) {
  return micromark(markdown, {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
}

/**
 * @param {string} fileName
 * @param {string} text of the hostile report
 * @param {string} honest the same of the honest one
 */
function expectHarmless(fileName, text, honest) {
  expect(findUnseen(text)).toBeNull();
  if (fileName.endsWith('.html')) {
    const allowed = listMarkup(honest).add('WBR').add('A href ./…');
    expect([...listMarkup(text)].filter((one) => !allowed.has(one))).toEqual([]);
  }
  if (fileName.endsWith('.md')) {
    const page = `<!doctype html><html><body>${toHtml(text)}</body></html>`;
    const honestPage = `<!doctype html><html><body>${toHtml(honest)}</body></html>`;
    const allowed = new Set([...listMarkup(honestPage), 'CODE', 'EM', 'PRE']);
    expect([...listMarkup(page)].filter((one) => !allowed.has(one))).toEqual([]);
    const { body } = parseHTML(page).document;
    for (const code of body.querySelectorAll('code, pre')) code.remove();
    expect(body.textContent).not.toMatch(LINKED);
  }
}

/**
 * @param {Document} hostile
 * @param {Document} honest
 */
function expectHarmlessDocument(hostile, honest) {
  for (const [name, render] of /** @type {const} */ ([
    ['x.md', renderMarkdown],
    ['x.html', renderHtml],
    ['', (/** @type {Document} */ one) => renderTerminal(one, { color: true })],
  ])) {
    expectHarmless(name, render(hostile), render(honest));
    expect(render(hostile)).toMatch(POISONED);
  }
}

test.each(RUNS)('the run %s is harmless', async (_, run) => {
  expectHarmlessDocument(describeComparison(await poisonRun(run)), describeComparison(run));
});

test.each(DOCUMENTS)('a document of kind %s is harmless', async (kind, honest, describeIt) => {
  const poisoned = describeIt(await poisonDocument(kind, honest), poisonDeeply('/x'));
  expectHarmlessDocument(poisoned, describeIt(honest));
});

test('a bisection is harmless', async () => {
  const bisection = await poisonDocument('bisection', makeBisection(5));
  const places = { path: poisonDeeply('/x'), why: poisonDeeply('just compare A B') };
  const honest = describeBisection(makeBisection(5), { path: '/x', why: 'just compare A B' });
  expectHarmlessDocument(describeBisection(bisection, places), honest);
});

test('claims are harmless', () => {
  const { sources, told } = makeReproduction();
  const claims = told.map(({ claim }) => poisonDeeply(claim));
  const known = { sources: poisonDeeply(sources), claims, results: {} };
  const honest = { sources, claims: told.map(({ claim }) => claim), results: {} };
  expectHarmlessDocument(describeClaims(known), describeClaims(honest));
});

test('data stays data', async () => {
  const { verdict } = await poisonRun(explainedRun());
  expect(orderVerdict(verdict)).toEqual(verdict);
});
