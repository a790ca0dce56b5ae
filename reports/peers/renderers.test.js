/** The contract of every renderer in this folder. */

import { describe, expect, test } from '@jest/globals';
import { validate } from '../../harness/formats/schemas.js';
import { readPageAssets } from '../support/html-test-assets.js';
import { listRendererModules } from '../support/renderer-modules.js';
import { makeHostilePeers, makePeers } from './test-support/make-peers.js';

const renderers = await listRendererModules(import.meta.url);

describe.each(renderers)('renderer $moduleName', ({ moduleName, renderer }) => {
  const assets = readPageAssets(renderer);

  test('is named like its file and says where its text goes', () => {
    expect(renderer.name).toBe(moduleName);
    if (renderer.fileName !== null) expect(renderer.fileName).toMatch(/^peers\.[a-z]+$/);
  });

  test.each([
    ['that is whole', makePeers()],
    ['without a trial', makePeers({ trials: [], costs: [], ended: 'interrupted' })],
    ['without a tool', makePeers({ tools: [], trials: [] })],
    ['without a cost', makePeers({ trials: makePeers().trials.slice(0, 30) })],
  ])('renders one %s to text of whole lines', (_what, peers) => {
    const text = renderer.render({ peers, assets });
    expect(text).toMatch(/\S\n$/);
    expect(text.replace(/<script>[^]*?<\/script>/g, '')).not.toMatch(/undefined|NaN|\[object/);
  });

  test('gives the same text for the same data and leaves the data as it was', () => {
    const peers = makePeers();
    const first = renderer.render({ peers });
    expect(renderer.render({ peers })).toBe(first);
    expect(peers).toEqual(makePeers());
  });

  test('tells of each tool its version, its rule, and the command that runs it alone', () => {
    const text = renderer.render({ peers: makePeers() });
    for (const { name, version, command } of makePeers().tools) {
      for (const part of [name, version, command, `as ${name} prints them`]) {
        expect(text).toContain(part);
      }
    }
    expect(text).toContain('it could not be installed');
  });

  test('lets no escape sequence and no invisible character through', () => {
    const text = renderer.render({ peers: makeHostilePeers() });
    for (const character of ['\u001b', '\u202e']) expect(text).not.toContain(character);
  });
});

test('the fixture is of the published format, a foreign key or word is not', async () => {
  validate('peers', makePeers());
  const [trial] = makePeers().trials;
  const wrong = [{ extra: 1 }, { trials: [{ ...trial, said: 'same' }] }];
  for (const changes of wrong) {
    expect(() => validate('peers', { ...makePeers(), ...changes })).toThrow(/peers\.json/);
  }
});
