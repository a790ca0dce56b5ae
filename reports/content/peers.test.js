import { describe, expect, test } from '@jest/globals';
import { renderHtml } from '../document/html.js';
import { renderTerminal } from '../document/terminal.js';
import { describePeers } from './peers.js';
import { makePeers } from './test-support/make-peers.js';

const document = describePeers(makePeers());

/** @param {string} text */
const onOneLine = (text) => text.replace(/\s+/g, ' ');

describe('in a terminal', () => {
  const text = renderTerminal(document);

  test('begins with what each tool called the same code', () => {
    expect(onOneLine(text)).toMatch(
      /^The same code under two names \(serialize flat, 5 s per comparison\) was called different by assay in 0 of 40 \(0 %\), tinybench in \d+ of 40 \(\d+ %\), hyperfine /,
    );
  });

  test('has false positives, order effect and scatter in one row a tool', () => {
    expect(text).toMatch(/^tool +different +share +95 % interval +order effect +95 % interval$/m);
    expect(text).toMatch(/^assay +0 of 40 +0 % +0–8\.8 % +[+−][\d.]+ % /m);
    expect(text).toMatch(/^assay +0\.9 % +5\.2\d s +0$/m);
  });

  test('has what was found by cost, a column a cost, and no row for a tool that did not run', () => {
    expect(text).toMatch(/^tool +1 % +2 % +5 % +10 %$/m);
    expect(text).toMatch(/^assay +0 % +10 % +100 % +100 %$/m);
    expect(text).not.toMatch(/^mitata +\d+ /m);
    expect(text).toMatch(/it could not be installed/);
  });
});

describe('as a page', () => {
  const page = renderHtml(document);

  test('draws the ratios of each tool on one axis, by the arm that ran first', () => {
    const plots = [...page.matchAll(/aria-label="(40 A\/A ratios, \d+ called different)"/g)];
    expect(plots).toHaveLength(3);
    expect(page).toMatch(/class="dot first-baseline"/);
    expect(page).toMatch(/class="dot first-candidate concluded-different"/);
  });
});
