/** Reports are harmless whatever text is in the data. */

import { isDeepStrictEqual } from 'node:util';
import { parseHTML } from 'linkedom';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { testLong } from '../harness/testing/support/gates.js';
import { DOCUMENTS } from './fixtures/documents.js';
import { explainedRun } from './fixtures/explained.js';
import { findUnseen, poisonDeeply, poisonDocument, POISONED } from './fixtures/hostile.js';
import { recordedRun } from './fixtures/runs.js';
import { describeComparison, orderVerdict } from './content/comparison.js';
import { renderHtml } from './document/html.js';
import { renderMarkdown } from './document/markdown.js';
import { renderTerminal } from './document/terminal.js';

/** @import { RenderInput } from './types.ts' */
/** @import { Document } from './document/model.ts' */

/** What GitHub makes links of in text that is not code. */
const LINKED = /@\w|#\d|\bGH-\d|:\/\/|www\.|:[a-z]+:/i;

const RUNS = /** @type {[string, () => RenderInput][]} */ ([
  ['explained', explainedRun],
  ['of a fleet', () => recordedRun('fleet')],
]);
const MORE_RUNS = /** @type {[string, () => RenderInput][]} */ ([
  ['merged', () => recordedRun('merged')],
  ['of two runtimes', () => recordedRun('runtimes')],
  ['refused', () => recordedRun('refused')],
  ['of a program', () => recordedRun('rust')],
  ['of a ranking', () => recordedRun('ranking-sizes')],
]);
/** @type {(run: RenderInput) => Promise<RenderInput>} hostile wherever a stranger's run can be */
async function poisonRun({ manifest, verdict, observations, hosts, profiles }) {
  return {
    manifest: await poisonDocument('manifest', manifest),
    verdict: await poisonDocument('verdict', verdict),
    ...(observations === undefined ? {} : { observations: poisonDeeply(observations) }),
    ...(hosts === undefined ? {} : { hosts: poisonDeeply(hosts) }),
    ...(profiles === undefined ? {} : { profiles: poisonDeeply(profiles) }),
    runPath: poisonDeeply('/home/x/run'),
  };
}

/** @type {(html: string) => Set<string>} elements, attributes and what they link to */
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

/** @param {Document} hostile @param {Document} honest */
function expectHarmlessDocument(hostile, honest) {
  for (const [name, render] of /** @type {const} */ ([
    ['x.md', renderMarkdown],
    ['x.html', renderHtml],
    ['', (/** @type {Document} */ one) => renderTerminal(one, { color: true })],
    ['', (/** @type {Document} */ one) => renderTerminal(one, { color: true, full: true })],
  ])) {
    const text = render(hostile);
    expectHarmless(name, text, render(honest));
    expect(text).toMatch(POISONED);
  }
}

/** @type {(name: string, makeRun: () => RenderInput) => Promise<void>} */
async function expectHarmlessRun(_, makeRun) {
  const run = makeRun();
  expectHarmlessDocument(describeComparison(await poisonRun(run)), describeComparison(run));
}

test.each(RUNS)('the run %s is harmless', expectHarmlessRun);
testLong.each(MORE_RUNS)('the run %s is harmless', expectHarmlessRun);

/** @type {(name: string, kind: typeof DOCUMENTS[keyof typeof DOCUMENTS]) => Promise<void>} */
async function expectHarmlessKind(_, kind) {
  const [honest] = Object.values(kind.variants);
  const { format } = kind;
  const poisoned = await (format === undefined
    ? poisonDeeply(honest)
    : poisonDocument(format, honest));
  expectHarmlessDocument(kind.describe(poisoned, poisonDeeply('/x')), kind.describe(honest, '/x'));
}

/** Those that contain any text of others. */
const KINDS = Object.entries(DOCUMENTS).filter(([, { format, variants }]) => {
  const [honest] = Object.values(variants);
  return format !== undefined || !isDeepStrictEqual(poisonDeeply(honest), honest);
});
test.each(KINDS.filter((_, index) => index % 4 === 2))(
  'a document of kind %s is harmless',
  expectHarmlessKind,
);
testLong.each(KINDS.filter((_, index) => index % 4 !== 2))(
  'a document of kind %s is harmless',
  expectHarmlessKind,
);

test('data stays data', async () => {
  const { verdict } = await poisonRun(explainedRun());
  expect(orderVerdict(verdict)).toEqual(verdict);
});
