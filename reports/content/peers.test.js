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

  test('then with what each tool found of the known costs', () => {
    expect(onOneLine(text)).toMatch(/ An injected cost of 5 % was found by assay in 10 of 10, /);
    expect(onOneLine(text)).toMatch(/ An injected cost of 10 % was found by assay in 10 of 10, /);
  });

  test('has false positives and both costs with their intervals in one row per tool', () => {
    expect(text).toMatch(/^tool +same code: different +5 % cost: slower +10 % cost: slower$/m);
    expect(text).toMatch(/^assay +0 of 40, 0–8\.8 % +10 of 10, 69–100 % +10 of 10, 69–100 %$/m);
    expect(text).not.toMatch(/^mitata +\d+ /m);
    expect(text).toMatch(/it could not be installed/);
  });

  test('has order effect and scatter in one row per tool', () => {
    expect(text).toMatch(/^assay +[+−][\d.]+ % .* 0\.9 % +5\.2\d s +0$/m);
  });

  test('has a dash for a cost that was not injected', () => {
    const { trials } = makePeers();
    const without = trials.filter(({ injected }) => injected < 0.1);
    const shorter = renderTerminal(describePeers(makePeers({ trials: without })));
    expect(shorter).toMatch(/^assay +0 of 40, 0–8\.8 % +10 of 10, 69–100 % +–$/m);
    expect(shorter).not.toContain('An injected cost of 10 %');
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
