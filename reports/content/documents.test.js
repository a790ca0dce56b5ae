/** What holds of every document of a study, in every format. */

import { validate } from '../../harness/formats/schemas.js';
import { renderHtml } from '../document/html.js';
import { renderMarkdown } from '../document/markdown.js';
import { renderTerminal } from '../document/terminal.js';
import { listOverflows } from '../fixtures/render.js';
import { describeCalibration } from './calibration.js';
import { describeClaims } from './claims.js';
import { describePeers } from './peers.js';
import { describeReproduction } from './reproduction.js';
import { makeCalibration, makeHostileCalibration } from './test-support/make-calibration.js';
import { makeHostilePeers, makePeers } from './test-support/make-peers.js';
import { makeHostileReproduction, makeReproduction } from './test-support/make-reproduction.js';

/** @import { Document } from '../document/model.ts' */

const none = { count: 0, of: 0, low: 0, high: 1 };
const empty = makeCalibration({
  ended: 'interrupted',
  costs: [],
  splits: [],
  placements: [],
  warnings: [],
  modes: makeCalibration().modes.map((mode) => ({
    ...mode,
    falsePositives: none,
    covered: none,
    byCell: {},
    points: [],
    curves: [],
    noise: { process: 0, batch: null, drift: 0 },
  })),
});
const { sources, judged } = makeReproduction();
const claims = judged.map(({ claim }) => claim);

/** @type {[string, () => Document][]} */
const DOCUMENTS = [
  ['a calibration', () => describeCalibration(makeCalibration())],
  ['a calibration that was interrupted at once', () => describeCalibration(empty)],
  ['a hostile calibration', () => describeCalibration(makeHostileCalibration())],
  ['a comparison of tools', () => describePeers(makePeers())],
  ['a hostile comparison of tools', () => describePeers(makeHostilePeers())],
  ['a reproduction', () => describeReproduction(makeReproduction())],
  ['a hostile reproduction', () => describeReproduction(makeHostileReproduction())],
  ['claims', () => describeClaims({ sources, claims, results: {} })],
];

describe.each(DOCUMENTS)('%s', (_name, describeIt) => {
  test.each([
    ['terminal', renderTerminal],
    ['markdown', renderMarkdown],
    ['html', (/** @type {Document} */ document) => renderHtml(document)],
  ])('is text of whole lines as %s, the same each time', (_format, render) => {
    const text = render(describeIt());
    expect(text).toMatch(/\S\n$/);
    expect(text).not.toMatch(/undefined|NaN|\[object/);
    expect(render(describeIt())).toBe(text);
  });

  test.each([80, 120])('fits %i columns', (width) => {
    expect(listOverflows(renderTerminal(describeIt(), { width }), width)).toEqual([]);
  });

  test('has a section a link of the navigation, and asks for nothing outside', () => {
    const page = renderHtml(describeIt());
    const links = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, to]) => to);
    for (const link of links) {
      expect(link).toMatch(/^#/);
      expect(page).toContain(`id="${link?.slice(1)}"`);
    }
    expect(page).toContain('default-src &#39;none&#39;');
  });
});

test.each([
  ['calibration', makeCalibration()],
  ['peers', makePeers()],
  ['reproduction', makeReproduction()],
])('the fixture is of the published format %s, a foreign key is not', (format, data) => {
  validate(/** @type {any} */ (format), data);
  const extra = { ...data, extra: 1 };
  expect(() => validate(/** @type {any} */ (format), extra)).toThrow(/json/);
});
