/** What holds of every document of a study, in every format. */

import { validate } from '../../harness/formats/schemas.js';
import { renderHtml } from '../document/html.js';
import { renderMarkdown } from '../document/markdown.js';
import { renderTerminal } from '../document/terminal.js';
import { describeLong } from '../../harness/testing/support/gates.js';
import { DOCUMENTS } from '../fixtures/documents.js';
import { poisonDeeply } from '../fixtures/hostile.js';
import { listOverflows } from '../fixtures/render.js';

/** @import { Document } from '../document/model.ts' */

/** @typedef {[string, () => Document]} Named */

/** The first document of each kind, and the same with hostile data. @type {Named[]} */
const FIRST = [];
/** @type {Named[]} */
const OTHERS = [];
for (const [kind, { variants, describe: describeIt }] of Object.entries(DOCUMENTS)) {
  const [[name, data], ...others] = Object.entries(variants);
  FIRST.push([`${kind} ${name}`, () => describeIt(data)]);
  FIRST.push([`${kind} hostile`, () => describeIt(poisonDeeply(data))]);
  OTHERS.push(
    ...others.map(
      ([name, data]) => /** @type {Named} */ ([`${kind} ${name}`, () => describeIt(data)]),
    ),
  );
}

/** @type {(name: string, describeIt: Named[1]) => void} */
function testDocument(_name, describeIt) {
  test.each([
    ['terminal', renderTerminal],
    ['markdown', renderMarkdown],
  ])('is text of whole lines as %s, the same each time', (_format, render) => {
    expectText(describeIt, render);
  });

  test.each([60, 80, 120])('fits %i columns, in short and in full', (width) => {
    for (const full of [false, true])
      expect(listOverflows(renderTerminal(describeIt(), { width, full }), width)).toEqual([]);
  });

  test('is the same page each time, with a section for each link of the navigation, and asks for nothing outside', () => {
    const page = expectText(describeIt, renderHtml);
    for (const [, link] of page.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      if (link.startsWith('./')) continue;
      expect(link).toMatch(/^#/);
      expect(page).toContain(`id="${link.slice(1)}"`);
    }
    expect(page).toContain('default-src &#39;none&#39;');
  });
}

/** @type {(describeIt: Named[1], render: (document: Document) => string) => string} */
function expectText(describeIt, render) {
  const text = render(describeIt());
  expect(text).toMatch(/\S\n$/);
  expect(text).not.toMatch(/undefined|NaN|\[object/);
  expect(render(describeIt())).toBe(text);
  return text;
}

describe.each(FIRST)('%s', testDocument);
describeLong.each(OTHERS)('%s', testDocument);

test('a calibration without curves has no plot', () => {
  const { variants, describe: describeIt } = DOCUMENTS.calibration;
  const page = renderHtml(describeIt(variants['that was interrupted at once']));
  expect(page).not.toContain('<svg');
});

test.each(Object.entries(DOCUMENTS).filter(([, { format }]) => format !== undefined))(
  'the data of %s are of the published format, with a foreign key they are not',
  (_, { format, variants }) => {
    const [first] = Object.values(variants);
    validate(/** @type {any} */ (format), first);
    expect(() => validate(/** @type {any} */ (format), { ...first, extra: 1 })).toThrow(/extra/);
  },
);
