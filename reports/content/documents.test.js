/** What holds of every document of a study, in every format. */

import { validate } from '../../harness/formats/schemas.js';
import { renderHtml } from '../document/html.js';
import { renderMarkdown } from '../document/markdown.js';
import { renderTerminal } from '../document/terminal.js';
import { DOCUMENTS } from '../fixtures/documents.js';
import { poisonDeeply } from '../fixtures/hostile.js';
import { listOverflows } from '../fixtures/render.js';

/** @import { Document } from '../document/model.ts' */

/** @type {[string, () => Document][]} */
const ALL = Object.entries(DOCUMENTS).flatMap(([kind, { variants, describe: describeIt }]) => {
  const [first] = Object.values(variants);
  return [...Object.entries(variants), ['hostile', poisonDeeply(first)]].map(
    ([name, data]) =>
      /** @type {[string, () => Document]} */ ([`${kind} ${name}`, () => describeIt(data)]),
  );
});

describe.each(ALL)('%s', (_name, describeIt) => {
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
    for (const [, link] of page.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      if (link.startsWith('./')) continue;
      expect(link).toMatch(/^#/);
      expect(page).toContain(`id="${link.slice(1)}"`);
    }
    expect(page).toContain('default-src &#39;none&#39;');
  });
});

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
    expect(() => validate(/** @type {any} */ (format), { ...first, extra: 1 })).toThrow(/json/);
  },
);
