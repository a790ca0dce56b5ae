import { expect, test } from '@jest/globals';
import { readPageAssets } from '../support/html-test-assets.js';
import { renderer, renderHtml } from './html.js';
import { makeHostileReproduction, makeReproduction } from './support/fixtures.js';

const assets = readPageAssets(/** @type {any} */ (renderer));
const page = renderHtml({ reproduction: makeReproduction(), assets });

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
  expect(stripInert(page)).not.toMatch(/https?:\/\/(?!www\.w3\.org)/);
});

test('has a section a source, the host, and how to repeat it', () => {
  const ids = [...page.matchAll(/<section id="([\w-]+)"/g)].map(([, id]) => id);
  expect(ids).toEqual(['summary', 'source-1', 'source-2', 'host', 'repeat']);
  const [places = ''] = /<nav[^]*?<\/nav>/.exec(page) ?? [];
  for (const id of ids) expect(places).toContain(`href="#${id}"`);
});

test('draws claimed and measured of each claim on one axis, and says them for those who do not see', () => {
  const plots = page.match(/<svg[^>]*aria-label="[^"]*"/g) ?? [];
  const labels = plots.map((plot) => /aria-label="([^"]*)"/.exec(plot)?.[1]);
  expect(labels).toContain('claimed 2.000; measured 2.100, interval 1.900–2.300');
  expect(labels).toContain('measured 1.010, interval 0.900–1.130');
  expect(page).toMatch(/class="band"/);
  expect(page).toMatch(/class="claimed"/);
});

test('marks the verdict and the claim whose source contradicts itself', () => {
  expect(page).toMatch(/<span class="badge not-reproduced">/);
  expect(page).toMatch(/<code>deep<\/code> \*/);
  expect(page).toMatch(/\* <code>deep<\/code>: the source contradicts itself/);
});

test('foreign text is no markup', () => {
  const hostile = renderHtml({ reproduction: makeHostileReproduction(), assets });
  expect(stripInert(hostile)).not.toContain('<script>alert');
  expect(hostile).toContain('&lt;script&gt;alert');
});
