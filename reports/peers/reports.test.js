import { describe, expect, test } from '@jest/globals';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { listOverflows } from '../support/test-support/list-overflows.js';
import { readPageAssets } from '../support/html-test-assets.js';
import { renderer, renderHtml } from './html.js';
import { renderMarkdown } from './markdown.js';
import { renderTerminal } from './terminal.js';
import { makeHostilePeers, makePeers } from './test-support/make-peers.js';

const assets = readPageAssets(/** @type {any} */ (renderer));

/** @param {string} text */
const onOneLine = (text) => text.replace(/\s+/g, ' ');

describe('in a terminal', () => {
  const text = renderTerminal({ peers: makePeers() });

  test('begins with what each tool called the same code', () => {
    expect(onOneLine(text)).toMatch(
      /^The same code under two names \(serialize flat, 5 s a comparison\) was called different by assay 0 of 40 \(0 %\), tinybench \d+ of 40 \(\d+ %\), hyperfine /,
    );
  });

  test('has false positives, order effect and scatter in one row a tool', () => {
    expect(text).toMatch(/^tool +different +share +95 % interval +order effect +.*scatter +time/m);
    expect(text).toMatch(/^assay +0 of 40 +0 % +0–8\.8 % +[+−][\d.]+ % .*0\.9 % +5\.2\d s$/m);
  });

  test('has what was found by cost, a column a cost, and no row for a tool that took no part', () => {
    expect(text).toMatch(/^tool +1 % +2 % +5 % +10 %$/m);
    expect(text).toMatch(/^assay +0 % +10 % +100 % +100 %$/m);
    expect(text).not.toMatch(/^mitata +\d+ /m);
    expect(text).toMatch(/took no part: it could not be installed/);
  });

  test.each([80, 120])('no line is longer than %i columns', (width) => {
    for (const peers of [makePeers(), makeHostilePeers()]) {
      expect(listOverflows(renderTerminal({ peers, width }), width)).toEqual([]);
    }
  });
});

describe('in Markdown', () => {
  /** @param {string} markdown */
  const toHtml = (markdown) =>
    micromark(markdown, {
      allowDangerousHtml: true,
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
    });

  test('each tool stands beside the others with its rule', () => {
    const html = toHtml(renderMarkdown({ peers: makePeers() }));
    expect(html).toMatch(/<td[^>]*><code>tinybench<\/code><\/td>\s*<td[^>]*>\d+.of.40</);
    expect(html).toMatch(/<td[^>]*>its own figures do not overlap, as tinybench prints them<\/td>/);
  });

  test('foreign text is neither markup nor a link', () => {
    const html = toHtml(renderMarkdown({ peers: makeHostilePeers() }));
    expect(html).not.toMatch(/<script|<a /);
  });
});

describe('as a page', () => {
  const page = renderHtml({ peers: makePeers(), assets });

  test('draws the ratios of each tool on one axis, by the side that ran first', () => {
    const plots = [...page.matchAll(/aria-label="(40 A\/A ratios, \d+ called different)"/g)];
    expect(plots).toHaveLength(3);
    expect(page).toMatch(/class="dot first-baseline"/);
    expect(page).toMatch(/class="dot first-candidate said-different"/);
  });

  test('foreign text is no markup', () => {
    const hostile = renderHtml({ peers: makeHostilePeers(), assets });
    const inert = hostile.replace(/<(script|style)\b[^>]*>[^]*?<\/\1>/g, '<$1></$1>');
    expect(inert).not.toContain('<script>alert');
    expect(inert).toContain('&lt;script&gt;alert');
  });
});
