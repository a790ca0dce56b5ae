import { expect, test } from '@jest/globals';
import { readPageAssets } from '../support/html-test-assets.js';
import { renderer, renderHtml } from './html.js';
import { makeCalibration, makeHostileCalibration } from './test-support/make-calibration.js';

const assets = readPageAssets(/** @type {any} */ (renderer));
const page = renderHtml({ calibration: makeCalibration(), assets });

/**
 * The page without scripts and styles: what a browser makes elements of.
 *
 * @param {string} html
 */
function stripInert(html) {
  return html.replace(/<(script|style)\b[^>]*>[^]*?<\/\1>/g, '<$1></$1>');
}

test('asks for nothing and leads nowhere', () => {
  const links = [...stripInert(page).matchAll(/(?:href|src)="([^"]*)"/g)].map(([, to]) => to);
  expect(links.length).toBeGreaterThan(3);
  for (const link of links) expect(link).toMatch(/^#/);
  expect(page).toContain('default-src &#39;none&#39;');
});

test('has a section for each part, all of them in the navigation', () => {
  const ids = [...page.matchAll(/<section id="([\w-]+)"/g)].map(([, id]) => id);
  expect(ids).toEqual([
    'summary',
    'errors',
    'power',
    'budget',
    'noise',
    'costs',
    'notes',
    'host',
    'repeat',
  ]);
  const [places = ''] = /<nav[^]*?<\/nav>/.exec(page) ?? [];
  for (const id of ids) expect(places).toContain(`href="#${id}"`);
});

test('draws a line a budget, with a name on it, and a dot a cost', () => {
  const [, plot = ''] =
    /(<svg[^>]*aria-label="Power by effect in default[^]*?<\/svg>)/.exec(page) ?? [];
  for (const number of [1, 2, 3, 4]) expect(plot).toContain(`course line-${number}`);
  for (const name of ['5 s', '10 s', '20 s', '40 s']) expect(plot).toContain(`>${name}</text>`);
  expect(plot.match(/<circle/g)).toHaveLength(5);
  expect(plot.match(/class="whisker"/g)).toHaveLength(1);
});

test('draws how the smallest effect falls, and no plot where there are no curves', () => {
  expect(page).toContain('aria-label="Smallest effect found 4 times in 5, by budget"');
  const made = makeCalibration();
  const modes = made.modes.map((mode) => ({ ...mode, curves: [] }));
  expect(renderHtml({ calibration: { ...made, modes } })).not.toContain('<svg');
});

test('foreign text is no markup', () => {
  const hostile = renderHtml({ calibration: makeHostileCalibration(), assets });
  expect(stripInert(hostile)).not.toContain('<script>alert');
  expect(hostile).toContain('&lt;script&gt;alert');
});
