/** The contract of every renderer in this folder. */

import { describe, expect, test } from '@jest/globals';
import { validate } from '../../harness/formats/schemas.js';
import { readPageAssets } from '../support/html-test-assets.js';
import { listRendererModules } from '../support/renderer-modules.js';
import { makeHostileReproduction, makeReproduction } from './support/fixtures.js';

const renderers = await listRendererModules(import.meta.url);

describe.each(renderers)('renderer $moduleName', ({ moduleName, renderer }) => {
  const assets = readPageAssets(renderer);

  test('is named like its file and says where its text goes', () => {
    expect(renderer.name).toBe(moduleName);
    if (renderer.fileName !== null) expect(renderer.fileName).toMatch(/^reproduction\.[a-z]+$/);
  });

  test.each([
    ['with every verdict', makeReproduction()],
    ['without a claim', makeReproduction({ sources: [], told: [], ended: 'interrupted' })],
  ])('renders one %s to text of whole lines', (_what, reproduction) => {
    const text = renderer.render({ reproduction, assets });
    expect(text).toMatch(/\S\n$/);
    expect(text.replace(/<script>[^]*?<\/script>/g, '')).not.toMatch(/undefined|NaN|\[object/);
  });

  test('gives the same text for the same data and leaves the data as it was', () => {
    const reproduction = makeReproduction();
    const first = renderer.render({ reproduction });
    expect(renderer.render({ reproduction })).toBe(first);
    expect(reproduction).toEqual(makeReproduction());
  });

  test('tells each claim, what was claimed, what was found, and what follows', () => {
    const text = renderer.render({ reproduction: makeReproduction() });
    const words = ['flat', 'deep', 'list', 'suite', 'needs a server', 'less of it'];
    const figures = moduleName === 'json' ? ['1.9', '2.3'] : ['1.900–2.300', '0.0563'];
    for (const part of [...words, ...figures, '--seed 7']) expect(text).toContain(part);
    expect(text).toMatch(/(not.reproduced)/);
    expect(text).toMatch(/one figure is not the other/);
  });

  test('lets no escape sequence and no invisible character through', () => {
    const text = renderer.render({ reproduction: makeHostileReproduction() });
    expect(text).not.toContain('\u001b');
    if (moduleName !== 'json') expect(text).not.toContain('\u202e');
  });
});

test('the fixture is of the published format, a foreign key is not', async () => {
  validate('reproduction', makeReproduction());
  const extra = { ...makeReproduction(), extra: 1 };
  expect(() => validate('reproduction', extra)).toThrow(/reproduction\.json/);
});
